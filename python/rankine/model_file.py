"""Rankers from model files."""

from __future__ import annotations

import errno
import os
from typing import Any

from rankine import _core
from rankine._options import option_types
from rankine.rank_rls import RankRLS
from rankine.rank_svm import RankSVM
from rankine.ranker import Ranker, option_value

_RANKERS: dict[str, type[Ranker]] = {"svm": RankSVM, "sgd": RankSVM, "rls": RankRLS}


def load_model(path: Any) -> Ranker:
    """The fitted ranker of a model file, whoever wrote it: Python, the command line or C++.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Ranker
        With the options the model was trained with as its parameters.
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    model = _core.Model.load(name)
    texts = model.options
    method = texts.get("method", "svm")
    ranker = _RANKERS[method]()
    known = ranker.get_params(deep=False)
    kinds = option_types(method)
    params = {
        option: option_value(text, kinds[option], known[option])
        for option, text in texts.items()
        if option in kinds and option in known
    }
    ranker.set_params(**params, **({"method": method} if "method" in known else {}))
    ranker._set_model(model, model.trained_on["features"], model.feature_names or None)
    return ranker
