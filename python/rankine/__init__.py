"""Learning to rank: fast, exact, explainable.

>>> import rankine
>>> data = rankine.datasets.make_ranking(queries=50, features=5)
>>> ranker = rankine.RankSVM().fit(data.X, data.y, qid=data.qid)
>>> scores = ranker.predict(data.X)
"""

from rankine import datasets, metrics, model_selection, plot
from rankine._core import __version__
from rankine._progress import Progress
from rankine.explanation import Explanation, Reason
from rankine.feature_maps import Nystroem, RandomFourier
from rankine.model_file import load_model
from rankine.rank_rls import RankRLS
from rankine.rank_svm import RankSVM
from rankine.ranker import Ranker
from rankine.report import TrainReport

__all__ = [
    "Explanation",
    "Nystroem",
    "Progress",
    "RandomFourier",
    "RankRLS",
    "RankSVM",
    "Ranker",
    "Reason",
    "TrainReport",
    "__version__",
    "datasets",
    "load_model",
    "metrics",
    "model_selection",
    "plot",
]
