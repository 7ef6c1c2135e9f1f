"""The evaluation sets of ``fit``, given in the ways of LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from rankine._inputs import index_qid
from rankine._queries import table_qid


@dataclass(frozen=True)
class EvaluationSet:
    """One data set to measure a ranker on."""

    name: str
    X: Any
    y: Any
    qid: Any
    group: Any


def _each(values: Any, count: int, name: str) -> Sequence[Any]:
    if values is None:
        return [None] * count
    if len(values) != count:
        raise ValueError(f"{name}: {len(values)} for {count} evaluation sets")
    return list(values)


def evaluation_sets(
    X: Any,
    y: Any,
    eval_set: Any,
    eval_X: Any,
    eval_y: Any,
    eval_names: Optional[Sequence[str]],
    eval_qid: Any,
    eval_group: Any,
) -> list[EvaluationSet]:
    """The sets with their names: valid_0, valid_1, ..., and training where a set is X and y themselves.

    A single (X, y) may stand for a list of one, and eval_X, eval_y for eval_set.
    """
    if (eval_X is None) != (eval_y is None):
        raise ValueError("eval_X and eval_y go together")
    if eval_X is not None:
        if eval_set is not None:
            raise ValueError("give the evaluation sets by eval_set or by eval_X and eval_y, not by both")
        several = isinstance(eval_X, tuple)
        eval_set = list(zip(eval_X, eval_y)) if several else [(eval_X, eval_y)]
        if several and len(eval_X) != len(eval_y):
            raise ValueError(f"eval_y: {len(eval_y)} for {len(eval_X)} evaluation sets")
    if eval_set is None:
        if not (eval_names is None and eval_qid is None and eval_group is None):
            raise ValueError("eval_names, eval_qid and eval_group need an eval_set")
        return []
    pairs = [eval_set] if isinstance(eval_set, tuple) else list(eval_set)
    names = _each(eval_names, len(pairs), "eval_names")
    qids = _each(eval_qid, len(pairs), "eval_qid")
    groups = _each(eval_group, len(pairs), "eval_group")
    sets = []
    for index, (features, grades) in enumerate(pairs):
        itself = features is X and grades is y
        name = names[index] or ("training" if itself else f"valid_{index}")
        sets.append(EvaluationSet(name, features, grades, qids[index], groups[index]))
    return sets


def with_queries(one: EvaluationSet, X: Any, y: Any, qid: Any, group: Any, num_queries: int) -> EvaluationSet:
    """The set with its queries; an error where it has none and the training data (X, y) has several."""
    if one.qid is not None or one.group is not None:
        return one
    if one.X is X and one.y is y:
        return replace(one, qid=qid, group=group)
    ids = table_qid(one.X)
    ids = index_qid(one.y) if ids is None else ids
    if ids is None and num_queries > 1:
        raise ValueError(
            f"eval_set: {one.name} has no queries, and the training data has {num_queries}: give eval_qid or "
            "eval_group (eval_group=[[n]] where its n documents are one list)"
        )
    return replace(one, qid=ids)
