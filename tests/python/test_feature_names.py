"""Features are matched by name where both sides have names."""
import numpy as np
import pytest

import rankine

TABLES = ["pandas", "polars", "pyarrow"]


def table_of(kind, columns):
    module = pytest.importorskip(kind)
    return module.table(columns) if kind == "pyarrow" else module.DataFrame(columns)


def columns_of(small, names):
    return {name: np.array(small.X[:, int(name[1:])]) for name in names}


@pytest.fixture
def names(small):
    return [f"f{k}" for k in range(small.X.shape[1])]


@pytest.mark.parametrize("kind", TABLES)
def test_columns_in_another_order_give_the_same_scores(small, names, kind):
    ranker = rankine.RankSVM().fit(table_of(kind, columns_of(small, names)), small.y, qid=small.qid)
    expected = ranker.predict(table_of(kind, columns_of(small, names)))
    swapped = columns_of(small, names[::-1])
    np.testing.assert_array_equal(ranker.predict(table_of(kind, swapped)), expected)
    assert ranker.score(table_of(kind, swapped), small.y, qid=small.qid) == ranker.score(
        table_of(kind, columns_of(small, names)), small.y, qid=small.qid)
    explained = ranker.explain(table_of(kind, swapped))
    np.testing.assert_array_equal(explained.scores, expected)
    assert explained.feature_names == names


@pytest.mark.parametrize("kind", TABLES)
def test_other_columns_are_left_out_whatever_they_hold(small, names, kind):
    ranker = rankine.RankSVM().fit(table_of(kind, columns_of(small, names)), small.y, qid=small.qid)
    wide = {"title": [f"t{k}" for k in range(720)], **columns_of(small, names[::-1]), "qid": small.qid.tolist()}
    np.testing.assert_array_equal(ranker.predict(table_of(kind, wide)), ranker.predict(table_of(kind, columns_of(small, names))))


@pytest.mark.parametrize("kind", TABLES)
def test_missing_names_are_named(small, names, kind):
    ranker = rankine.RankSVM().fit(table_of(kind, columns_of(small, names)), small.y, qid=small.qid)
    with pytest.raises(ValueError, match="seen at fit time, yet now missing:\n- f1\n- f4\n"):
        ranker.predict(table_of(kind, columns_of(small, ["f0", "f2", "f3", "f5"])))


def test_models_from_files_match_by_name_too(small, names, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=names)
    ranker = rankine.RankSVM(features="2,4").fit(frame, small.y, qid=small.qid)
    ranker.save(tmp_path / "m.rkn")
    again = rankine.load_model(tmp_path / "m.rkn")
    np.testing.assert_array_equal(again.predict(frame[names[::-1]]), ranker.predict(frame))


def test_evaluation_sets_and_maps_match_by_name(small, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=names)
    swapped = frame[names[::-1]]
    ranker = rankine.RankSVM().fit(frame, small.y, qid=small.qid, eval_set=[(frame, small.y), (swapped, small.y)],
                                   eval_qid=[small.qid] * 2)
    assert ranker.best_score_["training"] == ranker.best_score_["valid_1"]
    mapped = rankine.Nystroem(n_components=20).fit(frame)
    np.testing.assert_array_equal(mapped.transform(swapped), mapped.transform(frame))


def test_a_name_that_occurs_twice_is_refused(small, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=["f0", *names[:-1]])
    with pytest.raises(ValueError, match="several columns are named 'f0'"):
        rankine.RankSVM().fit(frame, small.y, qid=small.qid)


def test_columns_of_dates_are_no_numbers(small):
    pandas = pytest.importorskip("pandas")
    dates = pandas.DataFrame({"day": pandas.date_range("2020-01-01", periods=720)})
    with pytest.raises(ValueError, match="column 'day'"):
        rankine.RankSVM().fit(dates, small.y, qid=small.qid)


def test_missing_values_of_nullable_columns_are_named(small, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=names).assign(f3=pandas.array([1, None] * 360, dtype="Int64"))
    with pytest.raises(ValueError, match="X contains NaN in row 1, column 3"):
        rankine.RankSVM().fit(frame, small.y, qid=small.qid)


def test_what_lies_under_a_mask_is_not_learned(small):
    hidden = np.zeros(small.X.shape, bool)
    hidden[5, 2] = True
    with pytest.raises(ValueError, match="X contains NaN in row 5, column 2"):
        rankine.RankSVM().fit(np.ma.masked_array(small.X, hidden), small.y, qid=small.qid)
    with pytest.raises(ValueError, match="y contains NaN or infinity in row 5"):
        rankine.RankSVM().fit(small.X, np.ma.masked_array(small.y, hidden[:, 2]), qid=small.qid)


def test_names_for_lightgbm_s_users(small, names):
    pandas = pytest.importorskip("pandas")
    assert rankine.RankSVM().fit(small.X, small.y, qid=small.qid).feature_name_ == [f"Column_{k}" for k in range(6)]
    frame = pandas.DataFrame(small.X, columns=names)
    assert rankine.RankSVM().fit(frame, small.y, qid=small.qid).feature_name_ == names
