"""Every kind of input gives the same model, and those with our layout are not copied."""
import numpy as np
import pytest

import rankine
from rankine._dataset import dataset_of
from rankine._inputs import features_of
from rankine._queries import queries_of

sparse = pytest.importorskip("scipy.sparse")


@pytest.fixture(scope="module")
def expected(small):
    return rankine.RankSVM().fit(small.X, small.y, qid=small.qid)


def _names(small):
    return [f"f{k}" for k in range(small.X.shape[1])]


DENSE = {
    "float32": lambda X: np.array(X),
    "float64": lambda X: X.astype(np.float64),
    "column order": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "list": lambda X: X.tolist(),
    "read only": lambda X: np.frombuffer(X.tobytes(), np.float32).reshape(X.shape),
    "objects": lambda X: X.astype(object),
    "memory view": lambda X: memoryview(np.ascontiguousarray(X)),
}


@pytest.mark.parametrize("kind", DENSE)
def test_dense_arrays_of_any_layout_give_the_same_bits(small, expected, kind):
    X = DENSE[kind](small.X)
    ranker = rankine.RankSVM().fit(X, small.y, qid=small.qid)
    np.testing.assert_array_equal(ranker.coef_, expected.coef_)
    np.testing.assert_array_equal(ranker.predict(X), expected.predict(small.X))


TABLES = {
    "pandas": lambda m, X, names: m.DataFrame(X, columns=names),
    "pandas float64": lambda m, X, names: m.DataFrame(X.astype(float), columns=names),
    "polars": lambda m, X, names: m.DataFrame(np.asarray(X), schema=names),
    "pyarrow": lambda m, X, names: m.table({name: X[:, k] for k, name in enumerate(names)}),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_give_the_same_bits_and_their_names(small, expected, kind):
    module = pytest.importorskip(kind.split()[0])
    table = TABLES[kind](module, small.X, _names(small))
    ranker = rankine.RankSVM().fit(table, small.y, qid=small.qid)
    np.testing.assert_array_equal(ranker.coef_, expected.coef_)
    np.testing.assert_array_equal(ranker.predict(table), expected.predict(small.X))
    assert ranker.feature_names_in_.tolist() == _names(small)
    assert ranker.model_.feature_names == _names(small)


def test_anything_that_speaks_arrow_is_a_table(small, expected):
    pyarrow = pytest.importorskip("pyarrow")
    table = TABLES["pyarrow"](pyarrow, small.X, _names(small))

    class Stranger:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    ranker = rankine.RankSVM().fit(Stranger(), small.y, qid=small.qid)
    np.testing.assert_array_equal(ranker.coef_, expected.coef_)
    assert ranker.feature_names_in_.tolist() == _names(small)


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_a_missing_value_of_a_table_is_named(kind):
    module = pytest.importorskip(kind)
    columns = {"a": [1.0, 2.0, 3.0], "b": [1.0, None, 3.0]}
    table = module.DataFrame(columns) if kind == "polars" else module.table(columns)
    with pytest.raises(ValueError, match="X contains NaN in row 1, column 1"):
        rankine.RankSVM().fit(table, [0, 1, 2], group=[3])


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_s_qid_column_holds_the_queries(small, expected, kind):
    module = pytest.importorskip(kind.split()[0])
    columns = np.column_stack([small.X[:, :2], small.qid, small.X[:, 2:]])
    names = [*_names(small)[:2], "qid", *_names(small)[2:]]
    table = TABLES[kind](module, columns, names)
    ranker = rankine.RankSVM().fit(table, small.y)
    np.testing.assert_array_equal(ranker.coef_, expected.coef_)
    np.testing.assert_array_equal(ranker.predict(table), expected.predict(small.X))
    assert ranker.score(table, small.y) == expected.score(small.X, small.y, qid=small.qid)


def test_names_must_be_those_of_training(small):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=_names(small))
    ranker = rankine.RankSVM().fit(frame, small.y, qid=small.qid)
    with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- other"):
        ranker.predict(frame.rename(columns={"f0": "other"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        ranker.predict(small.X)


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_matrices_of_any_kind_give_the_same_bits(small, make, dtype):
    thin = np.where(small.X > 0.5, small.X, 0).astype(dtype)
    ranker = rankine.RankSVM().fit(make(thin), small.y, qid=small.qid)
    expected = rankine.RankSVM().fit(sparse.csr_matrix(thin.astype(np.float32)), small.y, qid=small.qid)
    np.testing.assert_array_equal(ranker.coef_, expected.coef_)
    np.testing.assert_array_equal(ranker.predict(make(thin)), expected.predict(sparse.csr_matrix(thin)))


def test_sparse_rows_are_gathered_like_dense_ones(small, rng):
    order = rng.permutation(len(small.y))
    thin = sparse.csr_matrix(np.where(small.X > 0.5, small.X, 0))
    mixed = dataset_of(features_of(thin[order]), small.y[order], queries_of(len(small.y), small.qid[order]))
    dense = dataset_of(features_of(thin.toarray()[order]), small.y[order], queries_of(len(small.y), small.qid[order]))
    offsets, columns, values, width = mixed.features
    back = sparse.csr_matrix((values, columns.astype(np.int64), offsets), shape=(len(small.y), width)).toarray()
    np.testing.assert_array_equal(back, dense.features)


def test_repeated_entries_are_summed_and_the_input_left_alone(small):
    rows, columns, values = [0, 0, 1, 1], [1, 1, 0, 1], np.array([1, 2, 3, 4], np.float32)
    doubled = sparse.csr_matrix((2, 2), dtype=np.float32)
    doubled.data, doubled.indices, doubled.indptr = values, np.array(columns, np.int32), np.array([0, 2, 4], np.int32)
    ranker = rankine.RankSVM(scaling="none").fit(doubled, [0, 1])
    plain = rankine.RankSVM(scaling="none").fit(sparse.csr_matrix(np.array([[0, 3], [3, 4]], np.float32)), [0, 1])
    np.testing.assert_array_equal(ranker.coef_, plain.coef_)
    assert len(doubled.data) == 4 and rows == [0, 0, 1, 1]


def test_float32_in_c_order_is_not_copied(small):
    X = np.array(small.X)
    data = dataset_of(features_of(X), np.array(small.y), queries_of(len(X), small.qid))
    assert np.shares_memory(data.features, X)


def test_csr_values_and_columns_are_not_copied(small):
    X = sparse.csr_matrix(small.X)
    data = dataset_of(features_of(X), np.array(small.y), queries_of(X.shape[0], small.qid))
    _, columns, values, _ = data.features
    assert np.shares_memory(values, X.data) and np.shares_memory(columns, X.indices)


def test_a_single_block_of_pandas_is_not_copied(small):
    pandas = pytest.importorskip("pandas")
    X = np.array(small.X)
    frame = pandas.DataFrame(X, columns=_names(small), copy=False)
    assert np.shares_memory(features_of(frame).matrix, X)


def test_missing_values_of_a_file_are_counted_aloud(tmp_path):
    (tmp_path / "holes.txt").write_text("1 qid:1 1:NULL 2:3\n0 qid:1 1:2 2:NULL\n")
    with pytest.warns(UserWarning, match=r"holes.txt: 2 feature values are missing .* and read as 0"):
        data = rankine.datasets.load_letor(tmp_path / "holes.txt")
    assert data.num_missing == 2


def test_rows_out_of_order_are_gathered_as_the_library_does(command, tmp_path, small, rng):
    order = rng.permutation(len(small.y))
    with open(tmp_path / "mixed.txt", "w", encoding="utf-8") as file:
        for row in order:
            values = " ".join(f"{k + 1}:{float(v)!r}" for k, v in enumerate(small.X[row]))
            file.write(f"{small.y[row]:g} qid:{small.qid[row]} {values}\n")
    command("train", "mixed.txt", "--model", "m.rkn")
    ranker = rankine.RankSVM().fit(small.X[order], small.y[order], qid=small.qid[order])
    of_command = rankine.load_model(tmp_path / "m.rkn").model_
    np.testing.assert_array_equal(ranker.model_.weights, of_command.weights)
    assert ranker.model_.trained_on["checksum"] == of_command.trained_on["checksum"]


def test_memory_lives_as_long_as_the_data_set_needs_it(small):
    data = dataset_of(features_of(np.array(small.X)), np.array(small.y), queries_of(len(small.y), small.qid))
    view = data.features
    del data
    np.testing.assert_array_equal(view, small.X)


@pytest.mark.parametrize("sizes", [[12] * 60, (12,) * 60, np.full(60, 12.0), np.full(60, 12, np.uint8)], ids=str)
def test_group_sizes_come_in_any_type_of_whole_numbers(small, sizes):
    by_sizes = rankine.RankSVM().fit(small.X, small.y, group=sizes)
    np.testing.assert_array_equal(by_sizes.coef_, rankine.RankSVM().fit(small.X, small.y, qid=small.qid).coef_)
    with pytest.raises(ValueError, match="group: the sizes"):
        rankine.RankSVM().fit(small.X, small.y, group=np.full(60, 12.5))


def test_fitting_and_predicting_take_no_memory_for_a_second_matrix():
    rng = np.random.default_rng(1)
    X = np.tile(rng.normal(size=(400, 50)).astype(np.float32), (500, 1))  # 40 MB
    y, qid = rng.integers(0, 3, len(X)).astype(float), np.repeat(np.arange(2000), 100)

    def grown(work):
        """What the peak of memory rises by, in bytes."""
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        before = status("VmRSS")
        work()
        return status("VmHWM") - before

    def status(key):
        with open("/proc/self/status", encoding="ascii") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith(key))

    ranker = rankine.RankSVM(max_iterations=1)
    try:
        fit = grown(lambda: ranker.fit(X, y, qid=qid))
    except OSError:
        pytest.skip("the peak of memory cannot be reset here")
    assert fit < X.nbytes / 2
    assert grown(lambda: ranker.predict(X)) < X.nbytes / 2
    assert grown(lambda: ranker.fit(X.astype(np.float64), y, qid=qid)) > 2 * X.nbytes  # the gauge works
