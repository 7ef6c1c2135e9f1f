"""RankRLS: pairwise least squares in closed form."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._options import option_text
from rankine._other_parameters import takes_boosting_parameters
from rankine._progress import Watch
from rankine.ranker import Ranker


class RankRLS(Ranker):
    """Pairwise ranking by regularised least squares.

    Minimises the sum over pairs of ``((y_i - y_j) - (s_i - s_j))^2`` plus ``alpha |w|^2``, in closed
    form. A whole path of alphas costs little more than one, and so do the scores that leave each
    query out.

    Parameters
    ----------
    alpha : float
        Weight of the penalty.
    alphas : sequence of float or str, optional
        In place of alpha: values to choose from by leave-query-out, or a text such as
        ``"2^-4..2^12"``.
    select : str
        The measure that chooses among alphas.
    leave_query_out : bool
        Keep the scores that leave each query out also where there is nothing to choose.
    ties : {"include", "exclude"}
        Whether pairs of equal grades count: their scores should be equal.
    pairs : {"all", "none"}
        none: regression of the grades, document by document.
    normalisation : {"query", "none", "total"}
        What a query's loss is divided by: its pairs, nothing, or the pairs of all queries.
    solver : {"auto", "primal", "dual", "cg"}
        A system by features or by documents, or conjugate gradients; auto: the cheapest.
    tolerance : float
        Conjugate gradients: stop when the gradient's norm over its first falls below.
    max_iterations : int
        Conjugate gradients: most iterations for each alpha.
    kernel, gamma, degree, coef0, approximation, n_components, landmarks, fourier, rank_tolerance, rank
        As in :class:`rankine.RankSVM`.
    scaling, features, missing, seed, memory_limit, time_limit, threads, random_state, n_jobs, verbose
        As in :class:`rankine.RankSVM`.

    Attributes
    ----------
    alpha_ : float
        The alpha of the model.
    alphas_ : ndarray
        The values that were tried, where there were several or leave_query_out is set.
    path_scores_ : ndarray
        For each of them the measure by leave-query-out.
    leave_query_out_ : ndarray of shape (n_documents,)
        The score of each training document by the model of all queries but its own, in the order of
        the rows.
    coef_, intercept_, feature_importances_, n_iter_, report_, n_features_in_, feature_names_in_, feature_name_,
    best_score_, evals_result_
        As in :class:`rankine.RankSVM`.

    Examples
    --------
    >>> import rankine
    >>> X, y, qid = rankine.datasets.make_ranking(queries=60, features=5, seed=1)
    >>> ranker = rankine.RankRLS(alphas="2^-4..2^8").fit(X, y, qid=qid)
    >>> ranker.alpha_ in ranker.alphas_
    True
    >>> honest = rankine.metrics.ndcg(y, ranker.leave_query_out_, qid=qid, k=10)
    >>> 0.6 < honest < ranker.score(X, y, qid=qid) + 0.02
    True
    """

    @takes_boosting_parameters
    def __init__(
        self,
        alpha: float = 100,
        *,
        alphas: Any = None,
        select: str = "ndcg@10",
        leave_query_out: bool = False,
        ties: str = "include",
        pairs: str = "all",
        normalisation: str = "query",
        solver: str = "auto",
        tolerance: float = 1e-10,
        max_iterations: int = 10_000,
        kernel: str = "linear",
        gamma: float = 0,
        degree: int = 3,
        coef0: float = 1,
        approximation: str = "none",
        n_components: int = 1000,
        landmarks: str = "uniform",
        fourier: str = "plain",
        rank_tolerance: float = 1e-8,
        rank: int = 0,
        scaling: str = "standard",
        features: Any = "",
        missing: str = "error",
        seed: int = 1,
        memory_limit: float = 0,
        time_limit: float = float("inf"),
        threads: int = 0,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: Union[bool, int] = False,
    ) -> None:
        self.alpha = alpha
        self.alphas = alphas
        self.select = select
        self.leave_query_out = leave_query_out
        self.ties = ties
        self.pairs = pairs
        self.normalisation = normalisation
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.approximation = approximation
        self.n_components = n_components
        self.landmarks = landmarks
        self.fourier = fourier
        self.rank_tolerance = rank_tolerance
        self.rank = rank
        self.scaling = scaling
        self.features = features
        self.missing = missing
        self.seed = seed
        self.memory_limit = memory_limit
        self.time_limit = time_limit
        self.threads = threads
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self) -> str:
        return "rls"

    def _train(self, data: _core.Dataset, watch: Watch) -> tuple[_core.Model, Optional[BaseException]]:
        if self.alphas is None and not self.leave_query_out:
            trained = super()._train(data, watch)
            for name in ("alphas_", "path_scores_", "leave_query_out_"):  # of the model before
                self.__dict__.pop(name, None)
            return trained
        options = self._option_texts()
        if self.alphas is not None:
            options["alpha"] = option_text("alphas", self.alphas)
        found = _core.train_and_select(data, self._method(), options, self.select, watch.function)
        self.alphas_: NDArray[np.float64] = found["values"]
        self.path_scores_: NDArray[np.float64] = found["means"]
        rows = data.input_rows
        scores = found["leave_query_out"]
        self.leave_query_out_ = scores if len(rows) == 0 else scores[np.argsort(rows)]
        model: _core.Model = found["model"]
        return model, None

    def _set_model(self, model: _core.Model, num_features: int, names: Optional[list[str]]) -> None:
        super()._set_model(model, num_features, names)
        self.alpha_ = float(model.options["alpha"])
