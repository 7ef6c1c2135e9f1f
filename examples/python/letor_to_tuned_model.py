"""From LETOR files to a tuned model: read, fit a path over C, choose on vali, measure on test.

    python letor_to_tuned_model.py [FOLD]

FOLD is a folder with train.txt, vali.txt and test.txt, such as MQ2007/Fold1. Without it the data is made.
"""
import os
import sys
import tempfile

import numpy as np

import rankine

if len(sys.argv) > 1:
    train, vali, test = rankine.datasets.load_letor_fold(sys.argv[1])
else:
    # Three sets with the same truth: one data set, cut between queries.
    made = rankine.datasets.make_ranking(queries=300, documents=20, features=20, seed=11)
    parts = [rows for _, rows in rankine.model_selection.QueryFold(3).split(made.X, groups=made.qid)]
    train, vali, test = (rankine.datasets.RankingData(made.X[r], made.y[r], made.qid[r]) for r in parts)

print(f"{len(train.y)} documents of {len(np.unique(train.qid))} queries, {train.X.shape[1]} features")

# A first fit needs no option.
first = rankine.RankSVM().fit(train.X, train.y, qid=train.qid)
print(f"defaults: NDCG@10 {first.score(vali.X, vali.y, qid=vali.qid):.4f} on vali, "
      f"{first.report_.termination} after {first.n_iter_} iterations")

# One model for each C, for little more than the price of one; the best on vali is kept.
values = 2.0 ** np.arange(-12, 7)
path = rankine.model_selection.train_path(rankine.RankSVM(), train.X, train.y, qid=train.qid, C=values)
on_vali = [ranker.score(vali.X, vali.y, qid=vali.qid) for ranker in path]
best = path[int(np.argmax(on_vali))]
print(f"tuned: C = {best.C:g}, NDCG@10 {max(on_vali):.4f} on vali")
assert max(on_vali) >= first.score(vali.X, vali.y, qid=vali.qid) - 0.02

# The test queries are looked at once, by the conventions of the papers.
table = rankine.metrics.evaluate(test.y, best.predict(test.X), qid=test.qid,
                                 measures="ndcg@1,ndcg@5,ndcg@10,mean_ndcg,map", convention="letor")
for measure, mean in table.means.items():
    print(f"  {measure:10} {mean:.4f}")

# The file is the command line's too: rankine score test.txt --model tuned.rkn
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "tuned.rkn")
    best.save(file)
    again = rankine.load_model(file)
    assert (again.predict(test.X) == best.predict(test.X)).all()
