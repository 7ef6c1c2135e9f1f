"""A scikit-learn feature map and linear classifier on differences of pairs, in a process of its own:
kernel_peer.py MAP SOLVER COMPONENTS C GAMMA TRAIN VALI TARGET GIGABYTES RANKINE FOLDER

MAP is nystroem or fourier; SOLVER is LinearSVC, which goes through tolerances, or SGDClassifier, which takes
more and more pairs. After each step the MeanNDCG on VALI is measured by RANKINE (LETOR's convention), outside
the time, and one JSON object is printed: how far it went, seconds of training so far (map, differences and
solver, not reading), processor time, peak memory, and the measure. It ends when TARGET is reached. Where the
listed differences would take more than GIGABYTES, LinearSVC gets a random sample of them that fits.
"""
import json
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np
from python_peer import read

BYTES_EACH = 24  # of a listed value: its double, and LIBLINEAR's own copy with an index
TOLERANCES = [1e-1, 1e-2, 1e-3, 1e-4]
BATCH = 5000  # pairs between looks at the measure, at first
GROWTH = 1.5  # of the pairs seen from one look to the next
PASSES = 20  # over all pairs, at most


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Stopwatch:
    """Adds up wall and processor time where it runs."""

    def __init__(self, wall=0.0, processor=0.0):
        self.wall, self.processor = wall, processor

    def __enter__(self):
        self.start = time.time(), processor_time()
        return self

    def __exit__(self, *_):
        self.wall += time.time() - self.start[0]
        self.processor += processor_time() - self.start[1]

    def copy(self):
        return Stopwatch(self.wall, self.processor)


class Judge:
    """Measures weights on the validation file, and prints what came of a step."""

    def __init__(self, mapped, vali, target, program, folder):
        self.mapped, self.vali, self.target = mapped, vali, target
        self.program, self.scores = program, pathlib.Path(folder) / "kernel_peer.scores"

    def reached(self, step, weights, watch):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        np.savetxt(self.scores, self.mapped @ weights, fmt="%.9g")
        done = subprocess.run([self.program, "evaluate", self.vali, "--scores", self.scores, "--measures", "mean_ndcg",
                               "--convention", "letor", "--json", "--quiet"], stdout=subprocess.PIPE, check=True)
        value = json.loads(done.stdout)["measures"]["mean_ndcg"]["mean"]
        print(json.dumps({"step": step, "train": watch.wall, "processor": watch.processor, "memory": memory,
                          "mean_ndcg": value}), flush=True)
        return value >= self.target


def listed_pairs(grades, offsets):
    """Rows of the winner and the loser of each pair."""
    winners, losers = [], []
    for first, last in zip(offsets[:-1], offsets[1:]):
        better, worse = np.nonzero(grades[first:last, None] > grades[None, first:last])
        winners.append(first + better)
        losers.append(first + worse)
    return np.concatenate(winners), np.concatenate(losers)


def differences(features, winners, losers):
    """Every second one turned round, so that there are two classes."""
    signs = np.where(np.arange(len(winners)) % 2 == 0, 1.0, -1.0)
    rows = features[winners].astype(np.float64)
    rows -= features[losers]
    rows *= signs[:, None]
    return rows, signs


def by_linear_svc(features, pairs, C, gigabytes, watch, judge):
    from sklearn.svm import LinearSVC
    winners, losers = pairs
    most = int(1e9 * gigabytes / (BYTES_EACH * features.shape[1]))
    note = "all pairs"
    with watch:
        if len(winners) > most:  # C times as much keeps the sum's weight
            chosen = np.random.default_rng(1).choice(len(winners), most, replace=False)
            note, C = f"{most:,} of the pairs", C * len(winners) / most
            winners, losers = winners[chosen], losers[chosen]
        rows, signs = differences(features, winners, losers)
    for tolerance in TOLERANCES:
        mine = watch.copy()
        with mine:
            model = LinearSVC(loss="squared_hinge", dual=False, fit_intercept=False, C=C, tol=tolerance,
                              max_iter=100000).fit(rows, signs)
        if judge.reached(f"{note}, tolerance {tolerance:g}", model.coef_[0], mine):
            break


def by_sgd(features, pairs, C, _, watch, judge):
    from sklearn.linear_model import SGDClassifier
    winners, losers = pairs
    model = SGDClassifier(loss="squared_hinge", alpha=1 / (C * len(winners)), fit_intercept=False, average=True,
                          random_state=1)
    random = np.random.default_rng(1)
    seen, look = 0, BATCH
    while seen < PASSES * len(winners):
        with watch:
            while seen < look:
                chosen = random.integers(len(winners), size=BATCH)
                rows, signs = differences(features, winners[chosen], losers[chosen])
                model.partial_fit(rows, signs, classes=[-1.0, 1.0])
                seen += BATCH
        look = GROWTH * seen
        if judge.reached(f"{seen:,} pairs seen", model.coef_[0], watch):
            break


def feature_map(name, components, gamma):
    if name == "nystroem":
        from sklearn.kernel_approximation import Nystroem
        return Nystroem(kernel="rbf", gamma=gamma, n_components=components, random_state=1)
    from sklearn.kernel_approximation import RBFSampler
    return RBFSampler(gamma=gamma, n_components=components, random_state=1)


def main(name, solver, components, C, gamma, train, vali, target, gigabytes, program, folder):
    features, grades, offsets = read(train)
    others = read(vali)[0]
    solve = {"LinearSVC": by_linear_svc, "SGDClassifier": by_sgd}[solver]
    mapper = feature_map(name, int(components), float(gamma))
    watch = Stopwatch()
    with watch:
        mapped = mapper.fit_transform(features)
        pairs = listed_pairs(grades, offsets)
    judge = Judge(mapper.transform(others), vali, float(target), program, folder)
    solve(mapped, pairs, float(C), float(gigabytes), watch, judge)


if __name__ == "__main__":
    main(*sys.argv[1:])
