"""Rankers: estimators that learn an order of documents within queries."""

from __future__ import annotations

import os
import warnings
from typing import Any, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankine import _core, metrics
from rankine._dataset import dataset_of, preferences_of
from rankine._estimator import EstimatorBase, NotFittedError, parameters
from rankine._evaluation_sets import EvaluationSet, evaluation_sets, with_queries
from rankine._feature_checks import FeatureChecks, check_not_empty
from rankine._inputs import Features, check_same_order, features_of, vector_of
from rankine._options import option_texts, option_types, seed_of, threads_of
from rankine._progress import Callback, Watch
from rankine._queries import Queries, find_qid, queries_of, warn_of_one_list
from rankine._warnings import MissingQueriesWarning, warn
from rankine.explanation import Explanation
from rankine.loss import CheckedLoss
from rankine.report import TrainReport

Self = TypeVar("Self", bound="Ranker")


class Ranker(FeatureChecks, EstimatorBase):
    """What all rankers have in common; use one of them."""

    # Asked for wherever scikit-learn routes metadata: queries belong to fitting, predicting and scoring.
    __metadata_request__fit = {"qid": True, "groups": True}
    __metadata_request__score = {"qid": True, "groups": True}
    __metadata_request__predict = {"qid": True, "groups": True}

    scaling: str
    missing: str
    features: Any
    kernel: str
    threads: int
    n_jobs: Optional[int]
    seed: int
    random_state: Any
    verbose: Any
    model_: _core.Model

    def _method(self) -> str:
        raise NotImplementedError

    def _option_texts(self) -> dict[str, str]:
        """The options of the method as text; parameters of other methods are left out."""
        known = option_types(self._method())
        values = {name: value for name, value in parameters(self).items() if name in known}
        if self._own_loss() is not None:
            del values["loss"]
        values["seed"] = seed_of(self.seed, self.random_state)
        values["threads"] = self._num_threads()
        return option_texts(values)

    def _num_threads(self) -> Any:
        return threads_of(self.threads, self.n_jobs)

    def _own_loss(self) -> Optional[CheckedLoss]:
        """The loss, where it is the user's own and no name."""
        loss = getattr(self, "loss", None)
        return None if loss is None or isinstance(loss, str) or not _may_be_loss(loss) else CheckedLoss(loss)

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        groups: Any = None,
        sample_weight: Any = None,
        query_weight: Any = None,
        preferences: Any = None,
        eval_set: Any = None,
        eval_X: Any = None,
        eval_y: Any = None,
        eval_names: Any = None,
        eval_qid: Any = None,
        eval_group: Any = None,
        eval_metric: Any = None,
        eval_at: Any = (1, 2, 3, 4, 5),
        callback: Optional[Callback] = None,
        callbacks: Any = None,
    ) -> Self:
        """Learns to rank documents of higher grade above those of lower grade within each query.

        Ctrl-C ends training within a moment and raises KeyboardInterrupt as always. Where the method
        goes by iterations, the ranker then holds the best model so far (``report_.termination`` is
        ``"interrupted"``). Before the first iteration, and in a closed form, there is nothing to keep,
        and the ranker stays as it was.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)
            float32 in C order and CSR are read without a copy. A table's column ``qid`` (as in XGBoost),
            or a level of that name in the index of X or y, holds query ids.
        y : array of shape (n_documents,)
            Grades: any real numbers, larger is better.
        qid : array of shape (n_documents,), optional
            Query ids: numbers or strings, in any order of rows. Where there are no queries at all, all
            documents are one list; a warning says so where their grades are of more than two kinds.
        group : array of shape (n_queries,), optional
            In place of qid: the queries' numbers of documents, as in LightGBM
            (:func:`rankine.group_sizes` counts them).
        groups : array of shape (n_documents,), optional
            Query ids by the name that scikit-learn's metadata routing gives them; used where there are no
            others.
        sample_weight : array of shape (n_documents,), optional
            Weights of documents; a pair's weight is the product of its documents' weights.
        query_weight : array of shape (n_queries,), optional
            Weights of queries, in the order of their first rows.
        preferences : array of shape (n_pairs, 2 to 4), optional
            Winner, loser[, weight[, magnitude]] by row from 0, in place of the pairs that grades imply.
        eval_set : list of (X, y), optional
            Data to measure the ranker on after training; the means go to ``best_score_`` and
            ``evals_result_``. Their queries are found as those of X are; (X, y) themselves have the queries
            that training has.
        eval_X, eval_y : array, or tuple of them, optional
            The same in LightGBM's newer spelling.
        eval_names : list of str, optional
            By default ``"valid_0"``, ``"valid_1"``, ..., and ``"training"`` for X and y themselves.
        eval_qid, eval_group : list of array, optional
            The queries of each eval_set.
        eval_metric : str or list of str, optional
            Measures, by default NDCG; those without a ``@k`` are taken at each of eval_at where they
            need one.
        eval_at : sequence of int
            The ranks at which to measure.
        callback : callable, optional
            Called with a :class:`rankine.Progress` now and then; returning False ends training
            with the best model so far.
        callbacks : ignored
            LightGBM's are called by boosting round, and there are none here; a warning says so.

        Returns
        -------
        self
        """
        if callbacks:
            warn(f"callbacks: {type(self).__name__} has no boosting rounds to call them in; they are ignored")
        if callable(eval_metric):
            raise TypeError("eval_metric: names of measures are needed (rankine.metrics.MEASURES), not a function")
        sets = evaluation_sets(X, y, eval_set, eval_X, eval_y, eval_names, eval_qid, eval_group)
        check_same_order(X, y=y, qid=qid, groups=groups, sample_weight=sample_weight)
        features = features_of(X, missing=self.missing)
        qid = find_qid(qid, group, groups, features, y)
        data = self._training_data(
            features, y, qid, group, sample_weight, query_weight, preferences,
            check_values=not self._scaling_finds_bad_values(),
        )
        sets = [with_queries(one, X, y, qid, group, data.num_queries) for one in sets]
        with Watch(callback, self.verbose) as watch:
            model, raised = self._train(data, watch)
        self._set_model(model, features.num_columns, features.names)
        if raised is not None:
            raise raised
        self._measure_sets(sets, "ndcg" if eval_metric is None else eval_metric, eval_at)
        return self

    def _train(self, data: _core.Dataset, watch: Watch) -> tuple[_core.Model, Optional[BaseException]]:
        """The model, and what Python raised while it was trained."""
        start = getattr(self, "model_", None) if getattr(self, "warm_start", False) else None
        return _core.train(data, self._method(), self._option_texts(), start, self._own_loss(), watch.function)

    def _training_data(
        self,
        features: Features,
        y: Any,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        query_weight: Any = None,
        preferences: Any = None,
        check_values: bool = True,
    ) -> _core.Dataset:
        if y is None and preferences is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        check_not_empty(features)
        if features.num_rows == 1:
            raise ValueError("X has 1 sample: there is no pair of documents to learn from")
        grades = np.zeros(features.num_rows) if y is None else vector_of(y, "y", features.num_rows)
        queries = queries_of(features.num_rows, find_qid(qid, group, None, features, y), group)
        if preferences is None:
            warn_of_one_list(queries, grades, type(self).__name__, features.names)
        loss = self._own_loss()
        if loss is not None and preferences is not None:
            raise ValueError(f"loss {loss.name!r}: preferences need a built-in loss; one of your own sees grades")
        if loss is not None and sample_weight is not None and not loss.takes_weights:
            raise ValueError(
                f"loss {loss.name!r}: with sample_weight its methods must take a keyword argument 'weights'"
            )
        weights = None
        if sample_weight is not None:
            weights = vector_of(sample_weight, "sample_weight", features.num_rows)
            if not weights.any():
                raise ValueError("sample_weight: all weights are zero")
        by_query = None
        if query_weight is not None:
            by_query = np.ascontiguousarray(query_weight, dtype=np.float64)
        pairs = None if preferences is None else preferences_of(preferences)
        return dataset_of(
            features, grades, queries, document_weights=weights, query_weights=by_query, preferences=pairs,
            check_values=check_values, missing=self.missing,
        )

    def _scaling_finds_bad_values(self) -> bool:
        """Whether training takes the sum of every column first, so that a look before it is saved."""
        all_features = isinstance(self.features, str) and self.features == ""
        return all_features and self.scaling == "standard" and self.kernel != "precomputed"

    def _learned_queries(self) -> bool:
        """Whether training saw more than one query."""
        return bool(self._fitted_model().trained_on["queries"] > 1)

    def _queries(self, features: Features, qid: Any, group: Any, groups: Any = None) -> Queries:
        """The queries of documents to score. They matter where features are scaled within each query."""
        queries = queries_of(features.num_rows, find_qid(qid, group, groups, features), group)
        if not queries.given and self._fitted_model().scaling == "query_minmax" and self._learned_queries():
            warn(
                f"{type(self).__name__}: scaling='query_minmax' and no queries: the {features.num_rows} documents are "
                f"scaled as one query. Give qid= or group= (group=[{features.num_rows}] where they are one)",
                MissingQueriesWarning,
            )
        return queries

    def _set_model(self, model: _core.Model, num_features: int, names: Optional[list[str]]) -> None:
        self.model_ = model
        self._remember_features(num_features, names)
        for name in ("best_score_", "evals_result_"):  # of the model before
            self.__dict__.pop(name, None)

    def _measure_sets(self, sets: list[EvaluationSet], metric: Any, at: Any) -> None:
        if not sets:
            return
        measures = metrics.with_cuts([metric] if isinstance(metric, str) else list(metric), at)
        self.best_score_: dict[str, dict[str, float]] = {}
        for one in sets:
            scores = self._scores(self._features(one.X), one.qid, one.group)
            with warnings.catch_warnings():  # training has said it, where there are no queries
                warnings.simplefilter("ignore", MissingQueriesWarning)
                self.best_score_[one.name] = metrics.evaluate(
                    one.y, scores, qid=one.qid, group=one.group, measures=measures
                ).means
        self.evals_result_ = {
            name: {measure: [value] for measure, value in means.items()} for name, means in self.best_score_.items()
        }

    def _fitted_model(self) -> _core.Model:
        try:
            return self.model_
        except AttributeError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            ) from None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def predict(self, X: Any, *, qid: Any = None, group: Any = None, groups: Any = None) -> NDArray[np.float64]:
        """The score of each document, in the order of the rows; higher ranks first.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)
            Where X and the training data both name their columns, features are matched by name: in any
            order, others are left out, missing ones are an error.
        qid, group, groups : array, optional
            The queries. They matter only where the model scales features within each query
            (``scaling="query_minmax"``); without them the rows are one query, and a warning says so.

        Returns
        -------
        ndarray of shape (n_documents,)
        """
        model = self._fitted_model()
        if (
            type(X) is np.ndarray
            and X.dtype == np.float32
            and X.ndim == 2
            and X.shape[1] == self.n_features_in_
            and X.shape[0] > 0
            and X.flags.c_contiguous
            and qid is None
            and group is None
            and groups is None
            and self.missing == "error"
            and "feature_names_in_" not in self.__dict__
            and model.scaling != "query_minmax"
        ):
            return model.score_rows(X, self._num_threads())
        return self._scores(self._features(X), qid, group, groups)

    def _scores(self, features: Features, qid: Any, group: Any, groups: Any = None) -> NDArray[np.float64]:
        model = self._fitted_model()
        queries = self._queries(features, qid, group, groups)
        data = dataset_of(features, np.zeros(features.num_rows), queries, missing=self.missing)
        scores = model.score(data, self._num_threads())
        if queries.order is None:
            return scores
        in_order = np.empty_like(scores)
        in_order[queries.order] = scores
        return in_order

    def score(
        self, X: Any, y: Any, *, qid: Any = None, group: Any = None, groups: Any = None, sample_weight: Any = None
    ) -> float:
        """NDCG@10, the mean over queries that have a relevant document.

        A ranker that learned from queries refuses documents without: as one list they would have another
        measure. Where they are one list, say so by ``group=[len(y)]``.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)
        y : array of shape (n_documents,)
            Grades.
        qid, group, groups : array, optional
            The queries, as in :meth:`fit`.
        sample_weight : array of shape (n_documents,), optional
            A query's weight in the mean is the mean weight of its documents.

        Returns
        -------
        float
        """
        self._fitted_model()
        check_same_order(X, y=y, qid=qid, groups=groups, sample_weight=sample_weight)
        features = self._features(X)
        qid = find_qid(qid, group, groups, features, y)
        self._refuse_one_list(qid, group, features.num_rows)
        scores = self._scores(features, qid, group)
        weights = None
        if sample_weight is not None:
            queries = queries_of(features.num_rows, qid, group)
            by_document = queries.by_query(vector_of(sample_weight, "sample_weight", features.num_rows))
            weights = np.add.reduceat(by_document, queries.offsets[:-1]) / np.diff(queries.offsets)
        return metrics.ndcg(y, scores, qid=qid, group=group, k=10, query_weight=weights)

    def _refuse_one_list(self, qid: Any, group: Any, num_documents: int) -> None:
        """Raises ValueError where a ranker that learned from queries is to be measured without."""
        if qid is None and group is None and self._learned_queries():
            raise ValueError(
                f"{type(self).__name__} learned from {self.model_.trained_on['queries']} queries, and the "
                f"{num_documents} documents to measure it on came without: give qid= or group=, or a column or index "
                f"level named 'qid' (group=[{num_documents}] where they are one list)"
            )

    @property
    def report_(self) -> TrainReport:
        """How training went."""
        return TrainReport.of(self._fitted_model().report)

    @property
    def n_iter_(self) -> int:
        """Iterations of the solver."""
        return self.report_.iterations

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weight of each unscaled feature: scores are X @ coef_ + intercept_."""
        model = self._fitted_model()
        try:
            weights = model.raw_weights()
        except ValueError as error:
            raise AttributeError(f"coef_: {error}") from None
        if len(model.columns) == 0:
            return weights
        placed = np.zeros(self.n_features_in_)
        placed[model.columns] = weights
        return placed

    @property
    def intercept_(self) -> float:
        """The score of a document whose features are all 0, where weights of raw features exist."""
        _ = self.coef_
        return float(self.model_.score_rows(np.zeros((1, self.n_features_in_), np.float32))[0])

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The size of each feature's weight once features are scaled as the model scales them."""
        self._fitted_model()
        try:
            return np.abs(self._scaled_weights())
        except ValueError as error:
            raise AttributeError(f"feature_importances_: {error}") from None

    @property
    def feature_name_(self) -> list[str]:
        """The features' names, as LightGBM has them: ``Column_0``, ... where X named none."""
        self._fitted_model()
        names = getattr(self, "feature_names_in_", None)
        return [f"Column_{k}" for k in range(self.n_features_in_)] if names is None else [str(name) for name in names]

    def _scaled_weights(self) -> NDArray[np.float64]:
        model = self._fitted_model()
        if model.kind != "linear":
            raise ValueError("a kernel has no weights of features")
        weights = np.zeros(self.n_features_in_)
        weights[model.columns if len(model.columns) else slice(None)] = model.weights
        return weights

    def explain(self, X: Any, *, qid: Any = None, group: Any = None, feature_names: Any = None) -> Explanation:
        """What each feature adds to each document's score; with landmarks, what each landmark adds.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)
        qid, group : array, optional
            As in :meth:`predict`.
        feature_names : sequence of str, optional
            Where X names no columns.

        Returns
        -------
        Explanation
        """
        model = self._fitted_model()
        features = self._features(X)
        queries = self._queries(features, qid, group)
        data = dataset_of(features, np.zeros(features.num_rows), queries, missing=self.missing)
        if model.kind == "random":
            raise ValueError("explain: random features have no parts that could be named; "
                             "take approximation='nystroem'")
        terms = np.empty((features.num_rows, len(model.weights)), np.float32)
        terms[slice(None) if queries.order is None else queries.order] = model.terms(data, self._num_threads())
        contributions = terms.astype(np.float64) * model.weights
        scores = self._scores(features, qid, group)
        if model.kind == "kernel":
            landmarks = [f"landmark {k}" for k in range(1, terms.shape[1] + 1)]
            return Explanation(contributions, scores, 0.0, terms, landmarks)
        if len(model.columns):
            chosen = contributions
            contributions = np.zeros((features.num_rows, self.n_features_in_))
            contributions[:, model.columns] = chosen
        base = float(np.mean(scores - contributions.sum(axis=1)))
        names = getattr(self, "feature_names_in_", feature_names)
        labels = [f"feature {k}" for k in range(1, self.n_features_in_ + 1)] if names is None else list(names)
        return Explanation(contributions, scores, base, _to_dense(features.matrix), labels)

    def save(self, path: Any) -> None:
        """Writes the model to the file that the command line and :func:`rankine.load_model` read.

        Parameters
        ----------
        path : str or path-like
        """
        self._fitted_model().save(os.fspath(path))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.estimator_type = "ranker"
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _to_dense(matrix: Any) -> NDArray[np.float32]:
    if not isinstance(matrix, tuple):
        dense: NDArray[np.float32] = matrix
        return dense
    offsets, columns, values, num_columns = matrix
    full = np.zeros((len(offsets) - 1, num_columns), np.float32)
    full[np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), columns] = values
    return full


def _may_be_loss(loss: Any) -> bool:
    """Whether to take it for a loss; what cannot be one is left to the option's own check."""
    return callable(loss) or callable(getattr(loss, "gradient", None))


def option_value(text: str, kind: str, default: Any) -> Any:
    """The value of an option's text, by its type in the library's table and the parameter's default."""
    if kind == "flag":
        return text == "true"
    if kind == "integer":
        return int(text)
    return float(text) if kind == "real" or isinstance(default, (int, float)) else text
