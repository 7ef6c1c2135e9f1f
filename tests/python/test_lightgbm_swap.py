"""A program written for LightGBM's LGBMRanker runs with rankine.RankSVM when one line of it is changed."""
import subprocess
import sys

import numpy as np
import pytest

import rankine

LINE = "ranker = lightgbm.LGBMRanker(n_estimators=20, min_child_samples=5, verbose=-1)"
OURS = "ranker = rankine.RankSVM()"
WITH_ARGUMENTS = LINE.replace("lightgbm.LGBMRanker", "rankine.RankSVM")
PROGRAM = f"""
import lightgbm
import numpy as np
import pandas as pd
import rankine
from sklearn.model_selection import GroupShuffleSplit

X, y, qid = rankine.datasets.make_ranking(queries=120, documents=15, features=8, seed=5)
frame = pd.DataFrame(X, columns=[f"f{{k}}" for k in range(8)]).assign(grade=y.astype(int), query=qid)
train_rows, valid_rows = next(GroupShuffleSplit(1, test_size=0.25, random_state=1).split(frame, groups=frame["query"]))
train = frame.iloc[np.sort(train_rows)]
valid = frame.iloc[np.sort(valid_rows)]
features = [name for name in frame.columns if name.startswith("f")]
train_group = train.groupby("query", sort=False).size().to_numpy()
valid_group = valid.groupby("query", sort=False).size().to_numpy()

{LINE}
ranker.fit(
    train[features],
    train["grade"],
    group=train_group,
    sample_weight=np.ones(len(train)),
    eval_set=[(train[features], train["grade"]), (valid[features], valid["grade"])],
    eval_names=["train", "valid"],
    eval_group=[train_group, valid_group],
    eval_metric=["ndcg", "map"],
    eval_at=[5, 10],
    callbacks=[lightgbm.early_stopping(10, verbose=False)],
)
scores = ranker.predict(valid[features])
ranked = valid.assign(score=scores).sort_values(["query", "score"], ascending=[True, False])
assert len(ranked) == len(valid)
assert ranker.best_score_["valid"]["ndcg@10"] > 0.5
assert len(ranker.evals_result_["train"]["map@5"]) >= 1
assert ranker.feature_name_ == features
assert len(ranker.feature_importances_) == len(ranker.feature_names_in_) == ranker.n_features_in_ == 8
print(sorted(ranker.best_score_["valid"]))
"""


def run(program):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("line", [LINE, OURS, WITH_ARGUMENTS], ids=["lightgbm", "rankine", "with its arguments"])
def test_one_line_is_all_that_changes(line):
    for name in ("lightgbm", "pandas", "sklearn"):
        pytest.importorskip(name)
    assert PROGRAM.count(LINE) == 1
    done = run(PROGRAM.replace(LINE, line))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['map@10', 'map@5', 'ndcg@10', 'ndcg@5']\n"


def test_the_newer_spelling_of_evaluation_sets_is_taken_too(small):
    sizes = np.full(60, 12)
    ranker = rankine.RankSVM().fit(small.X, small.y, group=sizes, eval_X=small.X[:120], eval_y=small.y[:120],
                                   eval_group=[sizes[:10]])
    assert list(ranker.best_score_) == ["valid_0"]
    assert list(ranker.best_score_["valid_0"]) == [f"ndcg@{k}" for k in (1, 2, 3, 4, 5)]


def test_callbacks_of_boosting_rounds_are_ignored_aloud(small):
    with pytest.warns(UserWarning, match="no boosting rounds"):
        rankine.RankSVM().fit(small.X, small.y, qid=small.qid, callbacks=[print])


LGBM = {"boosting_type": "gbdt", "num_leaves": 31, "max_depth": -1, "learning_rate": 0.1, "n_estimators": 100,
        "objective": "lambdarank", "min_child_samples": 20, "subsample": 0.9, "reg_alpha": 0.1, "reg_lambda": 0.1}


def test_arguments_without_meaning_get_one_warning_that_names_them(small):
    with pytest.warns(UserWarning) as caught:
        ranker = rankine.RankSVM(**LGBM, random_state=7, n_jobs=2, verbose=-1)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert all(name in str(caught[0].message) for name in LGBM)
    assert not set(LGBM) - {"learning_rate"} & set(ranker.get_params())
    with pytest.warns(UserWarning) as caught:
        rankine.RankRLS(**{name: value for name, value in LGBM.items() if name != "learning_rate"}, eta=0.1)
    assert len(caught) == 1 and "eta" in str(caught[0].message)
    sklearn_base = pytest.importorskip("sklearn.base")
    copied = sklearn_base.clone(ranker)
    assert copied.get_params() == ranker.get_params() and copied.random_state == 7
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'kernal' \(did you mean kernel\?\)"):
        rankine.RankSVM(kernal="rbf")


def test_the_step_of_stochastic_gradients_is_no_foreign_argument(recwarn):
    rankine.RankSVM(method="sgd", learning_rate=0.1)
    assert not recwarn


def test_random_state_and_n_jobs_are_seed_and_threads(small):
    by_seed = rankine.RankSVM(method="sgd", seed=5).fit(small.X, small.y, qid=small.qid)
    by_state = rankine.RankSVM(method="sgd", random_state=5, n_jobs=-1).fit(small.X, small.y, qid=small.qid)
    np.testing.assert_array_equal(by_state.coef_, by_seed.coef_)
    other = rankine.RankSVM(method="sgd", random_state=np.random.RandomState(3)).fit(small.X, small.y, qid=small.qid)
    assert not np.array_equal(other.coef_, by_seed.coef_)
    for wrong, message in [({"seed": 2, "random_state": 3}, "seed = 2 and random_state = 3: give one of them"),
                           ({"threads": 2, "n_jobs": 3}, "threads = 2 and n_jobs = 3: give one of them"),
                           ({"n_jobs": 0}, "n_jobs = 0 has no meaning")]:
        with pytest.raises(ValueError, match=message):
            rankine.RankSVM(**wrong).fit(small.X, small.y, qid=small.qid)


@pytest.mark.parametrize("verbose", [False, 0, -1])
def test_verbose_minus_one_is_quiet(small, capfd, verbose):
    rankine.RankSVM(verbose=verbose, max_iterations=2).fit(small.X, small.y, qid=small.qid)
    assert capfd.readouterr() == ("", "")
