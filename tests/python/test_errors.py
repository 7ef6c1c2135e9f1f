"""Empty and bad input: one clear line, the same as in C++."""
import re

import numpy as np
import pytest

import rankine

X = np.arange(12, dtype=np.float32).reshape(6, 2)
Y = [0, 1, 2, 0, 1, 2]
QID = [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"C": -1}, "C = -1 must be above 0"),
        ({"C": float("nan")}, "C"),
        ({"C": "much"}, "C"),
        ({"C": None, "loss": "hing"}, "loss = 'hing' is none of squared_hinge, hinge, huber, logistic, squared (did you mean hinge?)"),
        ({"loss": object}, "loss = the class object: give an instance of it"),
        ({"stopping": object}, "stopping = <class 'object'> is neither a number nor a text"),
        ({"method": "svn"}, "method = 'svn' is none of svm, sgd"),
        ({"threads": -1}, "threads = -1 must be in [0, 1024]"),
        ({"features": "7"}, "7"),
        ({"max_iterations": 0}, "max_iterations = 0 must be in [1, 1000000]"),
    ],
)
def test_options_out_of_range_are_named_with_value_and_bound(params, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rankine.RankSVM(**params).fit(X, Y, qid=QID)


def test_numbers_may_be_written_as_powers():
    powers = rankine.RankSVM(C="2^-3").fit(X, Y, qid=QID)
    np.testing.assert_array_equal(powers.coef_, rankine.RankSVM(C=0.125).fit(X, Y, qid=QID).coef_)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [1] * 6}, "X: nothing to learn from: in every query all grades are equal, or the weights are 0"),
        ({"y": [0, 1, np.nan, 0, 1, 2]}, "y contains NaN or infinity in row 2"),
        ({"y": [0, 1]}, "y: 2 values for the 6 rows of X"),
        ({"y": None}, "requires y to be passed, but the target y is None"),
        ({"y": list("abcdef")}, "y:"),
        ({"y": np.zeros((6, 2))}, "y should be a 1d array"),
        ({"qid": [1, 2]}, "qid: 2 values for the 6 rows of X"),
        ({"qid": [1, 1, 1, 1, np.nan, 2]}, "qid contains NaN or infinity in row 4"),
        ({"group": [3, 3]}, "give the queries by qid or by group, not by both"),
        ({"qid": None, "group": [3, 4]}, "group: the sizes sum to 7 and X has 6 rows"),
        ({"qid": None, "group": [-3, 9]}, "group: the sizes"),
        ({"sample_weight": [-1, 1, 1, 1, 1, 1]}, "X: document weights must be finite and not negative"),
        ({"sample_weight": [1, 1]}, "sample_weight: 2 values for the 6 rows of X"),
        ({"query_weight": [1, 1, 1]}, "X: 3 query weights where there should be 2"),
        ({"preferences": [(0, 3)]}, "X: a preference between documents of different queries"),
        ({"preferences": [(0, 99)]}, "X: a preference between documents that do not exist or are the same"),
        ({"preferences": [(0, 0.5)]}, "preferences: row 0 names a document that does not exist"),
        ({"preferences": [0, 1]}, "preferences: rows of winner, loser"),
        ({"X": np.full((6, 2), np.inf)}, "X contains infinity or a value too large for float32 in row 0, column 0"),
        ({"X": np.full((6, 2), 1e300)}, "X contains infinity or a value too large for float32 in row 0, column 0"),
        ({"X": np.where(np.arange(12).reshape(6, 2) == 7, np.nan, 1)}, "X contains NaN in row 3, column 1"),
        (
            {"X": np.where(np.arange(12).reshape(6, 2) == 7, np.nan, 1), "qid": [1, 2, 1, 2, 1, 2]},
            "X contains NaN in row 3, column 1",
        ),
        ({"X": np.zeros((0, 2)), "y": [], "qid": []}, "0 sample(s)"),
        ({"X": np.zeros((6, 0))}, "0 feature(s)"),
        ({"X": np.zeros(6)}, "Expected 2D array, got 1D array instead"),
        ({"X": np.zeros((6, 2, 2))}, "Expected 2D array, got 3D array instead"),
        ({"X": np.zeros((6, 2), complex)}, "Complex data not supported"),
        ({"X": [["a", "b"]] * 6}, "X: could not convert string to float"),
    ],
)
def test_bad_data_is_refused_in_one_line(arguments, message):
    call = {"X": X, "y": Y, "qid": QID} | arguments
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        rankine.RankSVM().fit(call.pop("X"), call.pop("y"), **call)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("ranker", [
    rankine.RankSVM(), rankine.RankSVM(scaling="minmax"), rankine.RankSVM(features="1"), rankine.RankSVM(kernel="rbf"),
    rankine.RankSVM(method="sgd"), rankine.RankRLS(), rankine.RankRLS(alphas=[1, 2])], ids=str)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_named_whoever_finds_them(ranker, value):
    bad = X.copy()
    bad[4, 1] = value
    what = "NaN" if np.isnan(value) else "infinity or a value too large for float32"
    with pytest.raises(ValueError, match=f"^X contains {what} in row 4, column 1$"):
        ranker.fit(bad, Y, qid=QID)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_column_without_numbers_is_named(kind):
    module = pytest.importorskip(kind)
    columns = {"good": [1.0] * 6, "colour": ["red"] * 6, "qid": QID}
    table = module.table(columns) if kind == "pyarrow" else module.DataFrame(columns)
    with pytest.raises(ValueError, match="X: column 'colour': could not convert string to float"):
        rankine.RankSVM().fit(table, Y)


def test_a_lazy_table_is_refused_with_the_way_out():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="collect"):
        rankine.RankSVM().fit(polars.DataFrame({"a": [1.0] * 6}).lazy(), Y)


def test_predicting_refuses_what_fitting_does():
    ranker = rankine.RankSVM().fit(X, Y, qid=QID)
    with pytest.raises(ValueError, match="X has 3 features, but RankSVM is expecting 2 features as input"):
        ranker.predict(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match="X contains NaN in row 1, column 0"):
        ranker.predict(np.array([[0, 0], [np.nan, 0]], np.float32))
    with pytest.raises(ValueError, match="0 sample"):
        ranker.predict(np.zeros((0, 2), np.float32))


def test_grades_may_be_as_large_as_numbers_go():
    assert rankine.metrics.pair_accuracy([1e308, 1.5e308, -1e308], [2.0, 3.0, 1.0], group=[3]) == 1


def test_an_unfitted_ranker_says_so():
    with pytest.raises(ValueError, match="not fitted yet"):
        rankine.RankSVM().predict(X)


def test_files_that_are_not_there_or_broken(tmp_path):
    with pytest.raises(FileNotFoundError):
        rankine.load_model(tmp_path / "none.rkn")
    with pytest.raises(FileNotFoundError):
        rankine.datasets.load_letor(tmp_path / "none.txt")
    (tmp_path / "bad.txt").write_text("1 qid:1 2:0.5 1:3\n")
    with pytest.raises(ValueError, match=r"bad.txt:1:\d+: "):
        rankine.datasets.load_letor(tmp_path / "bad.txt")
    (tmp_path / "bad.rkn").write_bytes(b"no model at all")
    with pytest.raises(ValueError, match="bad.rkn"):
        rankine.load_model(tmp_path / "bad.rkn")
    with pytest.raises(OSError, match="no/such/folder"):
        rankine.RankSVM().fit(X, Y, qid=QID).save(tmp_path / "no/such/folder/m.rkn")


def test_unknown_options_are_named():
    with pytest.raises(ValueError, match=re.escape("no option named 'querys' (did you mean queries?)")):
        rankine.datasets.make_ranking(querys=3)
