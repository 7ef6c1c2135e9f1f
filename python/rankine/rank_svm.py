"""RankSVM: pairwise ranking with large margins."""

from __future__ import annotations

from typing import Any, Optional, Union

from rankine._other_parameters import takes_boosting_parameters
from rankine.ranker import Ranker


class RankSVM(Ranker):
    """Pairwise ranking by the primal RankSVM.

    Minimises ``1/2 |w|^2 + C * (sum of losses over all pairs)``; a pair is two documents of one
    query with different grades. Newton's method on all pairs at once, in O(n log n) for n documents
    of a query.

    Parameters of LightGBM's and XGBoost's rankers that have no meaning here (``num_leaves``,
    ``n_estimators``, ...) are named in one warning and ignored; ``learning_rate`` with them, unless
    ``method="sgd"``.

    Parameters
    ----------
    C : float
        Weight of the loss against the penalty.
    loss : {"squared_hinge", "hinge", "huber", "logistic", "squared"} or QueryLoss
        What a pair costs, by its difference of scores; or a loss of your own, what a query costs
        (:class:`rankine.QueryLoss`, or a function of scores and grades).
    normalisation : {"query", "none", "total"}
        What a query's loss is divided by: its pairs, nothing, or the pairs of all queries.
    pair_weight : {"none", "grade_difference", "dcg"}
        What makes a pair matter more.
    rescaling : {"slack", "margin"}
        How the pair weight enters: as a factor of the loss, or as the margin.
    exact_logistic : bool
        List all pairs for the logistic loss, instead of its piecewise quadratic form.
    kernel : {"linear", "rbf", "laplacian", "polynomial", "precomputed"}
        How alike two documents are.
    gamma : float
        Of the kernels rbf, laplacian and polynomial; 0 derives it from the distances in the data.
    degree : int
        Of the polynomial kernel.
    coef0 : float
        Of the polynomial kernel.
    approximation : {"none", "nystroem", "fourier", "relu"}
        What stands in for the kernel: nothing (exact), landmarks, or random features.
    n_components : int
        Landmarks or random features.
    landmarks : {"uniform", "kmeans", "rpcholesky"}
        How nystroem draws its landmarks among the documents.
    fourier : {"plain", "paired", "orthogonal"}
        Which random waves fourier takes.
    rank_tolerance : float
        Directions of the landmarks' kernel below this share of its trace are dropped.
    rank : int
        Keep this many directions of the landmarks' kernel; 0: by rank_tolerance.
    scaling : {"standard", "none", "minmax", "query_minmax", "quantile", "log"}
        Of features, fitted on the training data and kept with the model.
    features : str or list
        Features to use: names, numbers from 1, ranges; all when empty.
    missing : {"error", "zero", "mean"}
        What NaN in X is: an error, 0, or the mean of the column's other values in the training data,
        kept with the model.
    method : {"svm", "sgd"}
        Newton's method (with cutting planes for the hinge), or stochastic gradients.
    tolerance : float, optional
        When to stop; by default 1e-6, and 1e-3 for the hinge.
    stopping : {"decrement", "gradient"}
        What the tolerance bounds.
    max_iterations : int, optional
        By default 100 Newton steps; for the hinge 10000 Newton steps and cutting planes.
    max_cg_iterations : int
        Most conjugate gradient iterations a Newton step.
    sampling : {"query", "pair"}
        What a stochastic step looks at.
    epochs : float
        Stochastic steps over the number of queries, or of pairs.
    learning_rate : float
        The first stochastic step's length; 0 derives it from the data.
    seed : int
        Of the random draws.
    memory_limit : float
        Gigabytes that mapped features or a kernel matrix may take; 0: three quarters of what is free.
    time_limit : float
        Seconds after which training ends with the best model so far.
    threads : int
        Worker threads; 0: one a core. The result does not depend on it.
    random_state : int or numpy.random.RandomState, optional
        scikit-learn's name of the seed.
    n_jobs : int, optional
        joblib's name of threads: -1 is one per core.
    warm_start : bool
        Start from the weights of the last fit.
    verbose : bool or int
        Show a progress bar; False, 0 and -1 are quiet.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weight of each unscaled feature.
    intercept_ : float
        The score of a document whose features are all 0.
    n_iter_ : int
        Iterations of the solver.
    report_ : TrainReport
        How training went.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X named its columns.
    feature_name_ : list of str
        The same as LightGBM has it: ``Column_0``, ... where X named none.
    feature_importances_ : ndarray of shape (n_features,)
        The size of each scaled feature's weight.
    best_score_ : dict
        Measures on each eval_set, where there was one, as ``best_score_["valid_0"]["ndcg@5"]``.
    evals_result_ : dict
        The same, each in a list of one, as LightGBM has a list by iteration.

    Examples
    --------
    >>> import rankine
    >>> data = rankine.datasets.make_ranking(queries=100, features=5, seed=1)
    >>> ranker = rankine.RankSVM(C=1.0).fit(data.X, data.y, qid=data.qid)
    >>> ranker.score(data.X, data.y, qid=data.qid) > 0.7
    True
    >>> ranker.predict(data.X[:3]).shape
    (3,)
    """

    @takes_boosting_parameters
    def __init__(
        self,
        C: float = 0.1,
        *,
        loss: Any = "squared_hinge",
        normalisation: str = "query",
        pair_weight: str = "none",
        rescaling: str = "slack",
        exact_logistic: bool = False,
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
        method: str = "svm",
        tolerance: Optional[float] = None,
        stopping: str = "decrement",
        max_iterations: Optional[int] = None,
        max_cg_iterations: int = 1000,
        sampling: str = "query",
        epochs: float = 20,
        learning_rate: float = 0,
        seed: int = 1,
        memory_limit: float = 0,
        time_limit: float = float("inf"),
        threads: int = 0,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        warm_start: bool = False,
        verbose: Union[bool, int] = False,
    ) -> None:
        self.C = C
        self.loss = loss
        self.normalisation = normalisation
        self.pair_weight = pair_weight
        self.rescaling = rescaling
        self.exact_logistic = exact_logistic
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
        self.method = method
        self.tolerance = tolerance
        self.stopping = stopping
        self.max_iterations = max_iterations
        self.max_cg_iterations = max_cg_iterations
        self.sampling = sampling
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.seed = seed
        self.memory_limit = memory_limit
        self.time_limit = time_limit
        self.threads = threads
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verbose = verbose

    def _method(self) -> str:
        if self.method not in ("svm", "sgd"):
            raise ValueError(f"method = {self.method!r} is none of svm, sgd")
        return self.method
