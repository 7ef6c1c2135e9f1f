"""A small model, explained: which features matter, and why one document stands above another."""
import numpy as np

import rankine

names = ["title match", "body match", "freshness", "clicks", "length", "spam"]
rng = np.random.default_rng(3)
qid = np.repeat(np.arange(200), 15)
X = rng.normal(size=(len(qid), len(names))).astype(np.float32)
taste = np.array([2.0, 1.0, 0.3, 1.5, 0.0, -2.5])  # what the judges went by
y = np.digitize(X @ taste + rng.normal(size=len(qid)), [-1, 2, 4]).astype(float)

ranker = rankine.RankSVM().fit(X, y, qid=qid)
print(f"NDCG@10 {ranker.score(X, y, qid=qid):.3f}")

explained = ranker.explain(X[qid == 7], feature_names=names)
print("\nmean contribution to a score, by feature:")
for feature, size in explained.importance().items():
    print(f"  {feature:12} {size:.3f}")

order = np.argsort(-explained.scores)
first, second = int(order[0]), int(order[-1])
print(f"\nwhy document {first} is first and document {second} is last:")
for reason in explained.why(first, second, top=4):
    print(f"  {reason.feature:12} {reason.contribution:+.3f}   ({reason.value:+.2f} against {reason.other_value:+.2f})")

# Contributions add up: nothing is left unexplained.
total = explained.base + explained.contributions.sum(axis=1)
assert np.allclose(total, explained.scores, atol=1e-5)
assert next(iter(explained.importance())) in ("title match", "spam")
