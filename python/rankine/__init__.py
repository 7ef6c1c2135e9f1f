"""Learning to rank: fast, exact, explainable.

>>> import rankine
>>> data = rankine.datasets.make_ranking(queries=50, features=5)
>>> ranker = rankine.RankSVM().fit(data.X, data.y, qid=data.qid)
>>> scores = ranker.predict(data.X)
"""

from rankine import datasets, metrics, model_selection, plot
from rankine._core import __version__
from rankine._progress import Progress
from rankine._queries import group_sizes
from rankine._warnings import MissingQueriesWarning
from rankine.explanation import Explanation, Reason
from rankine.feature_maps import Nystroem, RandomFourier
from rankine.loss import QueryLoss
from rankine.model_file import load_model
from rankine.rank_rls import RankRLS
from rankine.rank_svm import RankSVM
from rankine.ranker import Ranker
from rankine.report import TrainReport

__all__ = [
    "Explanation",
    "MissingQueriesWarning",
    "Nystroem",
    "Progress",
    "QueryLoss",
    "RandomFourier",
    "RankRLS",
    "RankSVM",
    "Ranker",
    "Reason",
    "TrainReport",
    "__version__",
    "datasets",
    "group_sizes",
    "load_model",
    "metrics",
    "model_selection",
    "plot",
]
