"""Results show as tables: text, notebooks, data frames."""
import numpy as np
import pytest

import rankine

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def ranker(small):
    return rankine.RankSVM().fit(small.X, small.y, qid=small.qid)


def test_an_evaluation_is_a_table(small, ranker):
    result = rankine.metrics.evaluate(small.y, ranker.predict(small.X), qid=small.qid, measures="ndcg@10,map")
    frame = result.to_frame()
    assert frame.index.tolist() == ["ndcg@10", "map"] and frame.loc["map", "mean"] == result["map"]
    by_query = result.to_frame(per_query=True)
    assert by_query.shape == (60, 2) and by_query.index.name == "qid"
    assert by_query["map"].mean() == pytest.approx(result["map"])
    assert str(result).splitlines()[0].split() == ["measure", "mean", "left", "out"]
    assert "60 queries" in str(result)
    assert result._repr_html_().count("<tr>") == 3


def test_a_tuning_is_a_table_with_a_star_at_the_best(small):
    tuned = rankine.model_selection.tune(rankine.RankSVM(), small.X, small.y, qid=small.qid,
                                         grid={"C": [0.01, 0.1], "loss": ["huber", "squared_hinge"]}, folds=2)
    frame = tuned.to_frame()
    assert list(frame.columns) == ["C", "loss", "mean", "deviation", "seconds", "fold_1", "fold_2", "best"]
    assert len(frame) == 4 and frame["best"].sum() == 1
    np.testing.assert_allclose(frame[["fold_1", "fold_2"]].mean(axis=1), frame["mean"])
    assert str(tuned).count("*") == 1
    assert max(map(len, str(tuned).splitlines())) <= 80


def test_an_explanation_is_a_table(small, ranker):
    explained = ranker.explain(small.X[:12])
    frame = explained.to_frame()
    assert list(frame.columns) == ["score", "base", *(f"feature {k}" for k in range(1, 7))]
    np.testing.assert_allclose(frame.drop(columns="score").sum(axis=1), frame["score"], rtol=1e-5, atol=1e-5)
    assert len(str(explained).splitlines()) == 13


def test_a_report_is_a_table(ranker):
    frame = ranker.report_.to_frame()
    assert frame.loc["termination", "value"] == "converged"
    assert len(ranker.report_.to_frame(steps=True)) == ranker.n_iter_
    assert "termination" in str(ranker.report_) and "converged" in ranker.report_._repr_html_()


def test_names_are_text_in_a_notebook_never_markup(small):
    names = ["<script>alert(1)</script>", "a\x1b[31mb", "c&d", 'e"f', "g", "h"]
    frame = pandas.DataFrame(small.X, columns=names)
    explained = rankine.RankSVM().fit(frame, small.y, qid=small.qid).explain(frame[:3])
    page = explained._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page and "c&amp;d" in page
    assert "\x1b" not in page and "\x1b" not in str(explained)


def test_long_tables_are_cut_and_say_so(small, ranker):
    text = str(ranker.explain(small.X))
    assert len(text.splitlines()) == 62 and "and 660 more rows" in text
