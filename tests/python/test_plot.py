"""Pictures show what they say."""
import numpy as np
import pytest

import rankine

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def ranker(small):
    return rankine.RankSVM().fit(small.X, small.y, qid=small.qid)


def test_ndcg_by_k_draws_a_line_a_ranking(small, ranker):
    scores = {"svm": ranker.predict(small.X), "first feature": small.X[:, 0]}
    ax = rankine.plot.ndcg_by_k(small.y, scores, qid=small.qid, most=5)
    assert [line.get_label() for line in ax.lines] == list(scores)
    assert ax.lines[0].get_ydata()[4] == rankine.metrics.ndcg(small.y, scores["svm"], qid=small.qid, k=5)


def test_a_learning_curve_ends_with_all_queries(small, ranker):
    ax = rankine.plot.learning_curve(rankine.RankSVM(), small.X, small.y, qid=small.qid, X_test=small.X,
                                     y_test=small.y, qid_test=small.qid, shares=(0.2, 1.0))
    training, test = ax.lines
    assert training.get_xdata().tolist() == [12, 60]
    expected = ranker.score(small.X, small.y, qid=small.qid)
    assert training.get_ydata()[1] == test.get_ydata()[1] == expected


def test_a_weight_path_draws_every_feature(small):
    path = rankine.model_selection.train_path(rankine.RankSVM(), small.X, small.y, qid=small.qid, C=[0.01, 1.0])
    ax = rankine.plot.weight_path(path, top=2)
    scaled = path[1].model_.weights
    np.testing.assert_array_equal(sorted(line.get_ydata()[1] for line in ax.lines), sorted(scaled))
    largest = sorted(np.argsort(-np.abs(scaled))[:2], key=lambda k: -scaled[k])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [f"feature {k + 1}" for k in largest]


@pytest.mark.parametrize("kind", ["pandas", "polars", "csr"])
def test_a_learning_curve_takes_tables_and_sparse_matrices(small, kind):
    if kind == "csr":
        X = pytest.importorskip("scipy.sparse").csr_matrix(small.X)
    else:
        X = pytest.importorskip(kind).DataFrame({f"f{k}": small.X[:, k] for k in range(6)})
    ax = rankine.plot.learning_curve(rankine.RankSVM(), X, small.y, qid=small.qid, X_test=X, y_test=small.y,
                                     qid_test=small.qid, shares=(0.5,))
    assert ax.lines[0].get_xdata().tolist() == [30]


def test_query_differences_fall(small, ranker):
    ax = rankine.plot.query_differences(small.y, ranker.predict(small.X), small.X[:, 0], qid=small.qid)
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == sorted(heights, reverse=True)
    better = sum(height > 0 for height in heights)
    assert f"better on {better}" in [text.get_text() for text in ax.get_legend().get_texts()]
