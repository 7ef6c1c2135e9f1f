#!/usr/bin/env python3
"""What the Python package adds to the library's own work. Usage: python_overhead.py [TRAIN_FILE]

TRAIN_FILE: LETOR text, for instance MQ2007/Fold1/train.txt; without it the data is made. Needs the package.
Wrapper: the time of fit less that of the same training on a data set made before. Predict: 100 documents.
"""
import statistics
import sys
import time

import numpy as np

import rankine
from rankine import _core
from rankine._dataset import dataset_of
from rankine._inputs import features_of
from rankine._queries import queries_of


def seconds(function, repeats):
    """The times of several calls, sorted."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return sorted(times)


def main():
    if len(sys.argv) > 1:
        data = rankine.datasets.load_letor(sys.argv[1])
    else:
        data = rankine.datasets.make_ranking(queries=1000, documents=42, features=46)
    X, y, qid = np.array(data.X), np.array(data.y), np.array(data.qid)
    print(f"{X.shape[0]} documents, {X.shape[1]} features")

    ranker = rankine.RankSVM()
    made = dataset_of(features_of(X), y, queries_of(len(y), qid))
    options = ranker._option_texts()
    # In turn, first one and then the other first, so that a slow moment of the machine falls on both.
    fit, bare = [], []
    for turn in range(100):
        for first in (turn % 2, 1 - turn % 2):
            if first == 0:
                bare += seconds(lambda: _core.train(made, "svm", options), 1)
            else:
                fit += seconds(lambda: ranker.fit(X, y, qid=qid), 1)
    added = statistics.median(one - other for one, other in zip(fit, bare))
    print(f"training alone      {1e3 * statistics.median(bare):9.2f} ms (fastest {1e3 * min(bare):.2f})")
    print(f"fit                 {1e3 * statistics.median(fit):9.2f} ms (fastest {1e3 * min(fit):.2f})")
    print(f"the wrapper adds    {1e3 * added:9.2f} ms, {100 * added / statistics.median(bare):.1f} % (median of the differences)")

    few = np.ascontiguousarray(X[:100])
    times = seconds(lambda: ranker.predict(few), 20_000)
    print(f"predict 100 documents: median {1e6 * times[len(times) // 2]:.1f} us, 99 % under {1e6 * times[-len(times) // 100]:.1f} us")
    table = few.astype(np.float64)
    times = seconds(lambda: ranker.predict(table), 2_000)
    print(f"the same from float64: median {1e6 * times[len(times) // 2]:.1f} us")


if __name__ == "__main__":
    main()
