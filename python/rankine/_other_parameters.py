"""Parameters of other libraries' rankers, which have no meaning here: named in one warning, and ignored."""

from __future__ import annotations

import difflib
import inspect
from functools import wraps
from typing import Any, Callable, TypeVar, cast

from rankine._warnings import warn

#: Of LGBMRanker and XGBRanker, with their aliases.
BOOSTING = frozenset((
    "bagging_fraction", "bagging_freq", "base_score", "booster", "boosting", "boosting_type",
    "categorical_feature", "cat_smooth", "class_weight", "colsample_bylevel", "colsample_bynode",
    "colsample_bytree", "device", "device_type", "early_stopping_round", "early_stopping_rounds",
    "enable_categorical", "eta", "eval_at", "eval_metric", "feature_fraction", "feature_types",
    "force_col_wise", "force_row_wise", "grow_policy", "importance_type", "label_gain", "lambda_l1",
    "lambda_l2", "lambdarank_norm", "lambdarank_num_pair_per_sample", "lambdarank_pair_method",
    "lambdarank_truncation_level", "lambdarank_unbiased", "linear_tree", "max_bin", "max_cat_to_onehot",
    "max_delta_step", "max_depth", "max_leaves", "metric", "min_child_samples", "min_child_weight",
    "min_data_in_leaf", "min_gain_to_split", "min_split_gain", "min_sum_hessian_in_leaf",
    "monotone_constraints", "multi_strategy", "n_estimators", "nthread", "num_boost_round", "num_iterations",
    "num_leaves", "num_parallel_tree", "num_threads", "num_trees", "objective", "reg_alpha", "reg_lambda",
    "sampling_method", "scale_pos_weight", "silent", "subsample", "subsample_for_bin", "subsample_freq",
    "tree_method", "validate_parameters", "verbosity",
))


Init = TypeVar("Init", bound=Callable[..., None])


def takes_boosting_parameters(init: Init) -> Init:
    """An ``__init__`` that takes them, too. Its signature, which scikit-learn reads, stays as it is."""
    known = frozenset(inspect.signature(init).parameters)

    @wraps(init)
    def wrapped(self: Any, *args: Any, **arguments: Any) -> None:
        others = [name for name in arguments if name not in known]
        for name in others:
            if name not in BOOSTING:
                near = difflib.get_close_matches(name, known, 1)
                hint = f" (did you mean {near[0]}?)" if near else ""
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'{hint}")
        init(self, *args, **{name: value for name, value in arguments.items() if name in known})
        if _has_idle_step(self):
            others.append("learning_rate")
        if others:
            warn(f"{type(self).__name__} has no boosted trees: ignored: {', '.join(others)}")

    return cast(Init, wrapped)


def _has_idle_step(ranker: Any) -> bool:
    rate = getattr(ranker, "learning_rate", 0)
    return isinstance(rate, (int, float)) and rate != 0 and ranker.method == "svm"
