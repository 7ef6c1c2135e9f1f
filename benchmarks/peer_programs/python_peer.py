"""One Python peer in a process of its own: python_peer.py PEER TRAIN TEST C TOLERANCE SCORES_FOLDER

Trains on TRAIN and prints one JSON object of times and peak memory, taken when training ends; then
writes the scores of both files into SCORES_FOLDER.
"""
import json
import pathlib
import resource
import sys
import time

import numpy as np


class Clock:
    """Seconds since the last look, by name."""

    def __init__(self):
        self.last = time.time()
        self.seconds = {}

    def lap(self, name):
        now = time.time()
        self.seconds[name] = now - self.last
        self.last = now

    def trained(self):
        self.lap("train")
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return {**self.seconds, "trained_at": self.last, "processor": usage.ru_utime + usage.ru_stime,
                "memory": usage.ru_maxrss * 1024}


def read(path):
    """Features (dense, float32, as LETOR data is), grades, and the first row of each query and the end."""
    from sklearn.datasets import load_svmlight_file
    features, grades, queries = load_svmlight_file(path, dtype=np.float32, query_id=True)
    starts = np.flatnonzero(np.r_[True, queries[1:] != queries[:-1]])
    return features.toarray(), grades, np.r_[starts, len(grades)]


def differences(features, grades, offsets):
    """The listed pairs, every second one turned round, so that there are two classes."""
    winners, losers = [], []
    for first, last in zip(offsets[:-1], offsets[1:]):
        here = grades[first:last]
        better, worse = np.nonzero(here[:, None] > here[None, :])
        winners.append(first + better)
        losers.append(first + worse)
    winners, losers = np.concatenate(winners), np.concatenate(losers)
    signs = np.where(np.arange(len(winners)) % 2 == 0, 1.0, -1.0)
    rows = features[winners].astype(np.float64)
    rows -= features[losers]
    rows *= signs[:, None]
    return rows, signs


def linear_svc(train, C, tolerance, clock):
    from sklearn.svm import LinearSVC
    features, grades, offsets = read(train)
    clock.lap("read")
    rows, signs = differences(features, grades, offsets)
    clock.lap("prepare")
    model = LinearSVC(loss="squared_hinge", dual=False, fit_intercept=False, C=C, tol=tolerance,
                      max_iter=100000).fit(rows, signs)
    report = clock.trained()
    weights = model.coef_[0]
    report["squared_norm"] = float(weights @ weights)
    return report, lambda path: read(path)[0].astype(np.float64) @ weights


def xgboost_linear(train, C, tolerance, clock):
    import xgboost
    xgboost.set_config(verbosity=0)
    matrix = xgboost.DMatrix(f"{train}?format=libsvm&indexing_mode=1")
    clock.lap("read")
    clock.lap("prepare")
    booster = xgboost.train({"booster": "gblinear", "objective": "rank:pairwise", "eta": 0.5,
                             "lambda": 0, "updater": "coord_descent"}, matrix, num_boost_round=100)
    report = clock.trained()
    lines = booster.get_dump()[0].split("weight:\n")[1].split()
    weights = np.array([float(line) for line in lines])
    report["squared_norm"] = float(weights @ weights)
    return report, lambda path: read(path)[0].astype(np.float64) @ weights[:matrix.num_col()]


def lightgbm_trees(train, C, tolerance, clock):
    import lightgbm
    features, grades, offsets = read(train)
    clock.lap("read")
    data = lightgbm.Dataset(features, grades, group=np.diff(offsets), free_raw_data=True)
    data.construct()
    del features
    clock.lap("prepare")
    booster = lightgbm.train({"objective": "lambdarank", "verbosity": -1}, data, num_boost_round=100)
    report = clock.trained()
    return report, lambda path: booster.predict(read(path)[0])


PEERS = {"LinearSVC": linear_svc, "gblinear": xgboost_linear, "lambdarank": lightgbm_trees}


def main(peer, train, test, C, tolerance, folder):
    report, score = PEERS[peer](train, float(C), float(tolerance), Clock())
    for name, path in [("train", train), ("test", test)]:
        np.savetxt(pathlib.Path(folder) / f"{name}.scores", score(path), fmt="%.17g")
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
