"""The objective that scores reach, the same for every tool: judge.py TRAIN SCORES SQUARED_NORM C

Prints 1/2 |w|^2 + C * (sum over pairs of the loss of their difference of scores) for the squared hinge
and the hinge, from every pair of every query.
"""
import json
import sys

import numpy as np


def graded_queries(path):
    """The grades, and the first row of each query and the end."""
    grades, offsets, last = [], [], None
    with open(path, "rb") as file:
        for row, line in enumerate(file):
            grade, query, _ = line.split(b" ", 2)
            grades.append(float(grade))
            if query != last:
                offsets.append(row)
                last = query
    return np.array(grades), [*offsets, len(grades)]


def pair_losses(grades, offsets, scores):
    squared_hinge = hinge = 0.0
    for first, last in zip(offsets[:-1], offsets[1:]):
        grade, score = grades[first:last], scores[first:last]
        better = grade[:, None] > grade[None, :]
        short = np.maximum(0, 1 - (score[:, None] - score[None, :])[better])
        squared_hinge += float(short @ short)
        hinge += float(short.sum())
    return squared_hinge, hinge


def main(train, scores, squared_norm, C):
    grades, offsets = graded_queries(train)
    squared_hinge, hinge = pair_losses(grades, offsets, np.fromfile(scores, sep="\n"))
    penalty = float(squared_norm) / 2
    print(json.dumps({"squared_hinge": penalty + float(C) * squared_hinge,
                      "hinge": penalty + float(C) * hinge}))


if __name__ == "__main__":
    main(*sys.argv[1:])
