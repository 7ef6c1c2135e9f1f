"""Queries are found wherever they can be; where they are missing, it is an error or a warning, never another number."""
import warnings

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankine
from rankine import MissingQueriesWarning

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def right(small):
    """What each fold of GroupKFold(3) measures when every step knows the queries."""
    values = []
    for train, test in GroupKFold(3).split(small.X, groups=small.qid):
        ranker = rankine.RankSVM().fit(small.X[train], small.y[train], qid=small.qid[train])
        values.append(ranker.score(small.X[test], small.y[test], qid=small.qid[test]))
    return values


@pytest.fixture
def frame(small):
    return pandas.DataFrame(small.X, columns=[f"f{k}" for k in range(small.X.shape[1])]).assign(qid=small.qid)


@pytest.fixture
def indexed(frame, small):
    """X and y with the query ids in their index, beside a number of the document."""
    rows = frame.set_index("qid", append=True)
    return rows, pandas.Series(small.y, index=rows.index)


# --- where they are found


def test_an_index_level_holds_the_queries(small, indexed, right):
    X, y = indexed
    ranker = rankine.RankSVM().fit(X, small.y)
    np.testing.assert_array_equal(ranker.coef_, rankine.RankSVM().fit(small.X, small.y, qid=small.qid).coef_)
    assert ranker.feature_names_in_.tolist() == [f"f{k}" for k in range(6)]
    assert ranker.score(X, small.y) == ranker.score(small.X, y)
    np.testing.assert_array_equal(cross_val_score(rankine.RankSVM(), X, y, groups=small.qid, cv=GroupKFold(3)), right)
    assert rankine.metrics.ndcg(y, small.X[:, 0], k=10) == rankine.metrics.ndcg(small.y, small.X[:, 0], qid=small.qid, k=10)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_pipeline_that_loses_the_table_finds_the_queries_in_y(indexed, small):
    X, y = indexed
    pipeline = make_pipeline(StandardScaler(), rankine.RankSVM())
    scores = cross_val_score(pipeline, X, y, groups=small.qid, cv=GroupKFold(3), scoring=rankine.metrics.scorer("ndcg@10"))
    for score, (train, test) in zip(scores, GroupKFold(3).split(small.X, groups=small.qid)):
        scaler = StandardScaler().fit(X.iloc[train])
        ranker = rankine.RankSVM().fit(scaler.transform(X.iloc[train]), small.y[train], qid=small.qid[train])
        assert score == ranker.score(scaler.transform(X.iloc[test]), small.y[test], qid=small.qid[test])


def test_a_search_over_an_indexed_table_needs_no_routing(indexed, small):
    X, y = indexed
    search = GridSearchCV(rankine.RankSVM(), {"C": [1e-4, 1.0]}, cv=rankine.model_selection.QueryFold(3),
                          scoring={"map": rankine.metrics.scorer("map"), "ndcg": rankine.metrics.scorer()}, refit="ndcg")
    search.fit(X, y)
    best = rankine.model_selection.cross_validate(rankine.RankSVM(**search.best_params_), small.X, small.y, small.qid,
                                                  cv=3, measures=["map", "ndcg@10"])
    assert search.cv_results_["mean_test_map"][search.best_index_] == pytest.approx(best["map"].mean(), rel=1e-12)
    assert search.best_score_ == pytest.approx(best["ndcg@10"].mean(), rel=1e-12)


@pytest.mark.parametrize("name", ["qid", "groups"])
def test_routing_brings_queries_by_either_name(small, right, name):
    with sklearn.config_context(enable_metadata_routing=True):
        for scoring in (None, rankine.metrics.scorer("ndcg@10")):
            values = cross_val_score(rankine.RankSVM(), small.X, small.y, cv=GroupKFold(3), scoring=scoring,
                                     params={name: small.qid, "groups": small.qid})
            np.testing.assert_array_equal(values, right)


def test_the_scorer_sees_the_table_s_own_column(frame, small, right):
    values = cross_val_score(rankine.RankSVM(), frame, small.y, groups=small.qid, cv=GroupKFold(3),
                             scoring=rankine.metrics.scorer("ndcg@10"))
    np.testing.assert_array_equal(values, right)


@pytest.mark.parametrize("module", ["polars", "pyarrow"])
def test_the_scorer_sees_the_column_of_any_table(frame, small, module):
    library = pytest.importorskip(module)
    table = library.from_pandas(frame) if module == "polars" else library.Table.from_pandas(frame, preserve_index=False)
    ranker = rankine.RankSVM().fit(table, small.y)
    assert rankine.metrics.scorer()(ranker, table, small.y) == ranker.score(small.X, small.y, qid=small.qid)


def test_our_cross_val_score_takes_the_call_of_scikit_learn(small, frame, indexed, right):
    ours = rankine.model_selection.cross_val_score
    np.testing.assert_array_equal(ours(rankine.RankSVM(), small.X, small.y, groups=small.qid, cv=GroupKFold(3)), right)
    np.testing.assert_array_equal(ours(rankine.RankSVM(), frame, small.y, cv=GroupKFold(3)), right)
    np.testing.assert_array_equal(ours(rankine.RankSVM(), *indexed, cv=GroupKFold(3)), right)
    with pytest.raises(ValueError, match="the query ids are needed"):
        ours(rankine.RankSVM(), small.X, small.y, cv=3)
    with pytest.raises(ValueError, match=r"cv cuts queries: .* take QueryFold or GroupKFold"):
        ours(rankine.RankSVM(), small.X, small.y, groups=small.qid, cv=KFold(3, shuffle=True, random_state=1))


def test_evaluation_sets_find_their_queries(small, frame, indexed):
    by_id = rankine.RankSVM().fit(small.X, small.y, qid=small.qid, eval_set=[(small.X, small.y)])
    expected = by_id.score(small.X, small.y, qid=small.qid)
    assert by_id.best_score_["training"].keys() == {f"ndcg@{k}" for k in range(1, 6)}
    for X, y in [(frame, small.y), indexed]:
        ranker = rankine.RankSVM().fit(X, y, eval_set=[(X.copy(), y), (X, y)], eval_at=[10])
        assert ranker.best_score_["valid_0"]["ndcg@10"] == ranker.best_score_["training"]["ndcg@10"] == expected


# --- where they must be given


def test_an_evaluation_set_without_queries_is_refused_before_training(small):
    ranker = rankine.RankSVM()
    with pytest.raises(ValueError, match="eval_set: valid_0 has no queries, and the training data has 60: give eval_qid"):
        ranker.fit(small.X, small.y, qid=small.qid, eval_set=[(small.X.copy(), small.y)])
    assert not hasattr(ranker, "model_")


def test_a_ranker_of_queries_is_not_measured_without(small):
    ranker = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    for measured in (ranker.score, lambda X, y: rankine.metrics.scorer()(ranker, X, y),
                     lambda X, y: rankine.metrics.scorer()(make_pipeline(ranker), X, y)):
        with pytest.raises(ValueError, match="learned from 60 queries, and the 24 documents to measure it on came without"):
            measured(small.X[:24], small.y[:24])
    first = small.qid == small.qid[0]
    assert 0 <= ranker.score(small.X[first], small.y[first], group=[first.sum()]) <= 1


def test_validation_data_of_tuning_needs_queries_too(small, frame):
    grid = {"C": [0.1, 1.0]}
    with pytest.raises(ValueError, match="valid: has no queries, and the training data has 60"):
        rankine.model_selection.tune(rankine.RankSVM(), small.X, small.y, qid=small.qid, grid=grid, valid=(small.X, small.y))
    shuffled = frame[["qid", *[f"f{k}" for k in (3, 1, 0, 2, 5, 4)]]]
    by_name = rankine.model_selection.tune(rankine.RankSVM(), frame, small.y, grid=grid, valid=(shuffled, small.y))
    by_place = rankine.model_selection.tune(rankine.RankSVM(), frame, small.y, grid=grid, valid=(frame, small.y))
    assert [trial.mean for trial in by_name.trials] == [trial.mean for trial in by_place.trials]


# --- where one list may be meant


@pytest.mark.parametrize("call", [
    lambda d: rankine.RankSVM().fit(d.X, d.y),
    lambda d: rankine.RankRLS().fit(d.X, d.y),
    lambda d: rankine.model_selection.train_path(rankine.RankSVM(), d.X, d.y, C=[0.1]),
    lambda d: rankine.metrics.ndcg(d.y, d.X[:, 0]),
    lambda d: rankine.metrics.scorer()(Ridge().fit(d.X, d.y), d.X, d.y),
], ids=["svm", "rls", "path", "metric", "foreign estimator"])
def test_several_grades_without_queries_get_a_warning_that_counts_documents(small, call):
    with pytest.warns(MissingQueriesWarning, match="all 720 documents are taken for one list, .* 5 kinds") as caught:
        call(small)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_groups_that_scikit_learn_keeps_to_itself_are_not_silent(small):
    with pytest.warns(MissingQueriesWarning, match="scikit-learn keeps groups= to its splitter"):
        cross_val_score(rankine.RankSVM(), small.X, small.y, groups=small.qid, cv=GroupKFold(3))


def test_a_scaled_qid_column_is_not_learned_silently(frame, small):
    with pytest.warns(MissingQueriesWarning):
        make_pipeline(StandardScaler(), rankine.RankSVM()).fit(frame, small.y)


@pytest.mark.parametrize("name", ["query_id", "QID", "query"])
def test_a_column_that_is_named_like_a_query_is_not_learned_silently(frame, small, name):
    with pytest.warns(MissingQueriesWarning, match=f"column '{name}' is learned as a feature"):
        rankine.RankSVM().fit(frame.rename(columns={"qid": name}), small.y > 2)


def test_one_list_that_is_meant_and_two_grades_are_quiet(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rankine.RankSVM().fit(small.X, small.y, group=[720])
        rankine.RankSVM().fit(small.X, small.y, qid=np.zeros(720))
        binary = rankine.RankSVM().fit(small.X, small.y > 2)
        binary.score(small.X, small.y > 2)
        rankine.metrics.auc(small.y > 2, binary.predict(small.X))


def test_scaling_within_queries_is_not_done_across_them_silently(small):
    ranker = rankine.RankSVM(scaling="query_minmax").fit(small.X, small.y, qid=small.qid)
    with pytest.warns(MissingQueriesWarning, match="the 720 documents are scaled as one query"):
        ranker.predict(small.X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ranker.predict(small.X, qid=small.qid)
        ranker.predict(small.X[:12], group=[12])


def test_rows_in_another_order_are_noticed(frame, small):
    y = pandas.Series(small.y)
    for arguments in ({"y": y[::-1]}, {"y": y, "qid": frame["qid"][::-1]}):
        with pytest.warns(UserWarning, match="has the row labels of X in another order; rows are matched by position"):
            rankine.RankSVM().fit(frame.drop(columns="qid"), **{"qid": small.qid, **arguments})
    with pytest.warns(UserWarning, match="y_score has the row labels of y_true in another order"):
        rankine.metrics.ndcg(y, pandas.Series(small.X[:, 0])[::-1], qid=small.qid)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rankine.RankSVM().fit(frame, y)
        rankine.RankSVM().fit(frame, y.set_axis(range(1000, 1720)))


# --- ids


@pytest.mark.parametrize("make", [
    lambda ids: np.array([None if k == 7 else f"q{i}" for k, i in enumerate(ids)], dtype=object),
    lambda ids: [None if k == 7 else int(i) for k, i in enumerate(ids)],
    lambda ids: pandas.array([pandas.NA if k == 7 else int(i) for k, i in enumerate(ids)], dtype="Int64"),
    lambda ids: pandas.Series([None if k == 7 else f"q{i}" for k, i in enumerate(ids)], dtype="string"),
    lambda ids: pandas.Series([np.nan if k == 7 else f"q{i}" for k, i in enumerate(ids)]).astype("category"),
    lambda ids: np.where(np.arange(len(ids)) == 7, np.nan, ids),
    lambda ids: np.where(np.arange(len(ids)) == 7, np.datetime64("NaT"), np.datetime64("2020-01-01", "D")),
    lambda ids: np.ma.masked_array(ids, np.arange(len(ids)) == 7),
], ids=["None", "list", "Int64", "string", "category", "NaN", "NaT", "mask"])
def test_a_missing_id_is_an_error_that_names_the_row(small, make):
    with pytest.raises(ValueError, match=r"qid (is missing|contains NaN).* in row 7"):
        rankine.RankSVM().fit(small.X, small.y, qid=make(small.qid))


@pytest.mark.parametrize("module", ["polars", "pyarrow"])
def test_a_missing_id_of_a_table_is_an_error_too(module):
    library = pytest.importorskip(module)
    for ids in ([1, None, 2, 2], ["a", None, "b", "b"]):
        columns = {"a": [1.0, 2.0, 3.0, 4.0], "qid": ids}
        table = library.DataFrame(columns) if module == "polars" else library.table(columns)
        with pytest.raises(ValueError, match=r"qid .* in row 1"):
            rankine.RankSVM().fit(table, [0, 1, 0, 1])


def test_a_number_is_one_id_however_it_is_written():
    mixed = np.array([1, 1.0, np.float32(1), 2, 2.0, "2"], dtype=object)
    assert rankine.group_sizes(mixed).tolist() == [3, 3]


def test_group_sizes_follow_the_rows_not_the_ids(small, frame):
    order = np.argsort(-small.qid, kind="stable")
    sizes = rankine.group_sizes(small.qid[order])
    uneven = np.r_[small.qid[:5], small.qid[12:36]]
    assert rankine.group_sizes(uneven).tolist() == [5, 12, 12]
    assert rankine.group_sizes(uneven[::-1]).tolist() == [12, 12, 5]
    assert rankine.group_sizes(frame).tolist() == rankine.group_sizes(frame.set_index("qid")).tolist() == [12] * 60
    by_sizes = rankine.RankSVM().fit(small.X[order], small.y[order], group=sizes)
    by_id = rankine.RankSVM().fit(small.X[order], small.y[order], qid=small.qid[order])
    np.testing.assert_array_equal(by_sizes.coef_, by_id.coef_)
    with pytest.raises(ValueError, match=r"the rows of query 7 are not together \(row 3 comes after other queries\)"):
        rankine.group_sizes([7, 7, 1, 7])
    with pytest.raises(ValueError, match="neither a column nor an index level named 'qid'"):
        rankine.group_sizes(frame.drop(columns="qid"))
