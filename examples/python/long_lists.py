"""Long lists with real-valued grades: one query of many documents, as in recommendation or AUC.

Millions of pairs cost O(n log n), whatever the number of different grades.
"""
import time

import numpy as np

import rankine

# Two queries of 20,000 documents each; grades are real numbers, all different.
data = rankine.datasets.make_ranking(queries=2, documents=20_000, features=15, grades=0, noise=0.3, seed=5)
pairs = sum(n * (n - 1) / 2 for n in np.unique(data.qid, return_counts=True)[1])
print(f"{len(data.y)} documents, {len(np.unique(data.y))} different grades, {pairs:.3g} pairs")

start = time.perf_counter()
ranker = rankine.RankSVM(C=1.0).fit(data.X, data.y, qid=data.qid)
print(f"trained on all pairs in {time.perf_counter() - start:.2f} s: {ranker.report_.termination}")

# NDCG's gain 2^y - 1 has no meaning for such grades; order-based measures do.
found = rankine.metrics.evaluate(data.y, ranker.predict(data.X), qid=data.qid,
                                 measures=["pair_accuracy", "tau_b", "spearman"])
best = rankine.metrics.evaluate(data.y, data.true_scores, qid=data.qid,
                                measures=["pair_accuracy", "tau_b", "spearman"])
for measure in found.means:
    print(f"  {measure:14} {found[measure]:.4f}   (the truth without noise: {best[measure]:.4f})")
assert found["pair_accuracy"] > best["pair_accuracy"] - 0.02

# A larger difference of grades may matter more: margins by grade difference.
margins = rankine.RankSVM(C=1.0, pair_weight="grade_difference", rescaling="margin")
margins.fit(data.X, data.y, qid=data.qid)
value = rankine.metrics.pair_accuracy(data.y, margins.predict(data.X), qid=data.qid)
print(f"with margins by grade difference: pair accuracy {value:.4f}")
