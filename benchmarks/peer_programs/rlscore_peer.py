"""RLScore's QueryRankRLS on a LETOR file: time, memory and weights as JSON. Usage: rlscore_peer.py FILE ALPHA

RLScore 0.8.1 builds with Python 3.6 and no later one."""
import json
import resource
import sys
import time

import numpy
from rlscore.learner import QueryRankRLS


def read(path):
    grades, queries, rows = [], [], []
    with open(path) as lines:
        for line in lines:
            words = line.split("#")[0].split()
            grades.append(float(words[0]))
            queries.append(words[1])
            rows.append([float(word.split(":")[1]) for word in words[2:]])
    numbers = {}
    return numpy.array(rows), numpy.array(grades), [numbers.setdefault(query, len(numbers)) for query in queries]


def main():
    start = time.perf_counter()
    rows, grades, queries = read(sys.argv[1])
    reading = time.perf_counter() - start
    training, processor = [], []
    for _ in range(5):
        start, busy = time.perf_counter(), time.process_time()
        learner = QueryRankRLS(rows, grades, queries, regparam=float(sys.argv[2]))
        training.append(time.perf_counter() - start)
        processor.append(time.process_time() - busy)
    print(json.dumps({"reading": reading, "training": min(training), "processor": min(processor),
                      "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                      "weights": learner.predictor.W.ravel().tolist()}))


if __name__ == "__main__":
    main()
