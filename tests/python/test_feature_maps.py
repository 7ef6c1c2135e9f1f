"""Transformers: products of mapped rows are the kernel."""
import copy
import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import rankine
from rankine import _core

KERNELS = {
    "rbf": lambda X: rbf_kernel(X, gamma=0.3),
    "laplacian": lambda X: laplacian_kernel(X, gamma=0.3),
    "polynomial": lambda X: polynomial_kernel(X, gamma=0.3, degree=2, coef0=1),
}


@pytest.fixture
def X(rng):
    return rng.normal(size=(120, 4))


@pytest.mark.parametrize("kernel", KERNELS)
def test_all_documents_as_landmarks_give_the_kernel(X, kernel):
    mapped = rankine.Nystroem(kernel, gamma=0.3, degree=2, n_components=120).fit_transform(X)
    np.testing.assert_allclose(mapped @ mapped.T, KERNELS[kernel](X), rtol=5e-3, atol=5e-3)


@pytest.mark.parametrize("fourier", ["plain", "paired", "orthogonal"])
def test_many_waves_come_near_the_kernel(X, fourier):
    mapped = rankine.RandomFourier(gamma=0.3, n_components=20_000, fourier=fourier).fit_transform(X)
    assert mapped.shape == (120, 20_000)
    assert np.abs(mapped @ mapped.T - KERNELS["rbf"](X)).max() < 0.06


@pytest.mark.parametrize("make", [rankine.Nystroem, rankine.RandomFourier])
def test_new_documents_and_copies_are_mapped_alike(X, make):
    fitted = make(n_components=30).fit(X)
    np.testing.assert_array_equal(fitted.transform(X)[5:9], fitted.transform(X[5:9]))
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted), clone(fitted).fit(X)):
        np.testing.assert_array_equal(other.transform(X), fitted.transform(X))
    one = make(n_components=30, threads=1).fit(X)
    np.testing.assert_array_equal(one.transform(X), fitted.transform(X))
    assert fitted.gamma_ > 0 and fitted.get_feature_names_out()[0] == make.__name__.lower() + "0"


def test_a_linear_ranker_on_mapped_features_is_the_ranker_with_the_kernel(small):
    options = {"gamma": 0.05, "n_components": 40}
    inside = rankine.RankSVM(kernel="rbf", approximation="nystroem", scaling="none", tolerance=1e-10, **options)
    inside.fit(small.X, small.y, qid=small.qid)
    mapped = rankine.Nystroem(**options).fit_transform(small.X)
    outside = rankine.RankSVM(scaling="none", tolerance=1e-10).fit(mapped, small.y, qid=small.qid)
    np.testing.assert_allclose(outside.predict(mapped), inside.predict(small.X), rtol=1e-2, atol=1e-2)


def test_other_learners_follow_in_a_pipeline(X):
    y = np.sin(3 * X[:, 0])
    pipeline = make_pipeline(rankine.Nystroem(n_components=80), Ridge(alpha=1e-3)).fit(X, y)
    assert pipeline.score(X, y) > Ridge().fit(X, y).score(X, y) + 0.3


def test_mapped_features_may_be_written_to(X):
    mapped = rankine.Nystroem(n_components=5).fit_transform(X)
    mapped -= mapped.mean(axis=0)


def test_sparse_matrices_are_mapped_like_dense_ones(X):
    sparse = pytest.importorskip("scipy.sparse")
    thin = np.where(X > 0.5, X, 0).astype(np.float32)
    fitted = rankine.Nystroem(gamma=0.5, n_components=20).fit(thin)
    np.testing.assert_allclose(fitted.transform(sparse.csr_matrix(thin)), fitted.transform(thin), atol=1e-4)


def test_defaults_are_those_of_the_library_but_for_the_kernel():
    defaults = {row["name"]: row["default"] for row in _core.option_tables()["map"]}
    for make in (rankine.Nystroem, rankine.RandomFourier):
        for name, parameter in inspect.signature(make.__init__).parameters.items():
            if name in ("self", "kernel", "seed", "threads", "random_state", "n_jobs"):
                continue
            text = defaults[name]
            assert float(text) == parameter.default if isinstance(parameter.default, (int, float)) else text == parameter.default


@pytest.mark.parametrize("make", [rankine.Nystroem, rankine.RandomFourier])
@pytest.mark.filterwarnings("ignore")
def test_check_estimator_passes(make):
    results = check_estimator(make(n_components=20), on_fail=None)
    assert {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"} == {}


@pytest.mark.parametrize(("transformer", "message"), [
    (rankine.Nystroem("rbg"), "kernel = 'rbg' is none of .*did you mean rbf"),
    (rankine.RandomFourier("polynomial"), "approximation = 'fourier' is for kernel = rbf or laplacian"),
    (rankine.Nystroem(n_components=0), "n_components = 0 must be in"),
])
def test_mistakes_are_named(X, transformer, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(X)


def test_a_damaged_pickle_is_refused(X):
    map_ = rankine.Nystroem(n_components=5).fit(X).map_
    bytes_, components, mixing = map_.__getstate__()
    with pytest.raises(ValueError, match="components and factors do not agree"):
        _core.FeatureMap.__new__(_core.FeatureMap).__setstate__((bytes_, components + 1, mixing))


def test_random_state_and_n_jobs_are_seed_and_threads(small):
    by_seed = rankine.Nystroem(n_components=20, seed=5, threads=1).fit_transform(small.X)
    by_state = rankine.Nystroem(n_components=20, random_state=5, n_jobs=-1).fit_transform(small.X)
    np.testing.assert_array_equal(by_state, by_seed)
