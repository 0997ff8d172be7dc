"""How several answers to one question become one."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from statistics import fmean, median
from typing import Any

from ..values.coding import Kind

OTHER = "other"
NONE = "none"

# What `report` uses unless told otherwise.
DEFAULT_CONSENSUS: dict[Kind, str] = {"set": "union", "label": "majority", "number": "mean"}


def union(sets: Sequence[Collection[Hashable]]) -> frozenset[Hashable]:
    """Every element that anybody chose."""
    return frozenset().union(*_at_least_one(sets))


def majority_of_sets(sets: Sequence[Collection[Hashable]]) -> frozenset[Hashable]:
    """Every element that more than half chose; empty when there is none."""
    votes = Counter(member for members in _at_least_one(sets) for member in set(members))
    return frozenset(member for member, count in votes.items() if 2 * count > len(sets))


def majority(labels: Sequence[Hashable]) -> Hashable | None:
    """The label that more than half chose; None when there is none (a tie is no majority)."""
    label, count = Counter(_at_least_one(labels)).most_common(1)[0]
    return label if 2 * count > len(labels) else None


CONSENSUS: dict[tuple[Kind, str], Callable[[Sequence[Any]], Any]] = {
    ("set", "union"): union,
    ("set", "majority"): majority_of_sets,
    ("label", "majority"): majority,
    ("number", "mean"): fmean,
    ("number", "median"): median,
}


def consensus(values: Sequence[Any], *, kind: Kind, how: str | None = None) -> Any:
    """One value for the n >= 1 answers of several people to one question.

    values: (n,) answers of one kind, none missing. kind: set, label or number. how: union,
    majority, mean or median; left out, `DEFAULT_CONSENSUS` of the kind.

    Returns a value of the same kind; None only for labels without a majority, which leaves the
    question without a consensus. Raises ValueError for no answers or a rule that does not fit
    the kind. No interval: a consensus is an answer, not a statistic.

    Source: Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact
    Checking Explanations", for the union; Wang, Cho and Lewis (2020), "Asking and Answering
    Questions to Evaluate the Factual Consistency of Summaries", for the majority.
    """
    rule = how or DEFAULT_CONSENSUS.get(kind)
    if rule is None:
        raise ValueError(f"no consensus of whole {kind}: take it candidate by candidate")
    if (kind, rule) not in CONSENSUS:
        rules = [name for of_kind, name in CONSENSUS if of_kind == kind]
        raise ValueError(f"no consensus {rule!r} for a {kind}: one of {', '.join(rules)}")
    return CONSENSUS[kind, rule](_at_least_one(values))


def fold_outside(
    answer: Collection[Hashable],
    reference: Collection[Hashable],
    *,
    none_apart: bool = False,
) -> frozenset[Hashable]:
    """An answer as it enters the published comparison of a judge with people.

    answer, reference: sets of labels. Every label outside the reference becomes one label
    *other*, and so does the empty answer ("none"); with `none_apart` the empty answer becomes
    a label *none* of its own. Fold every person's answer first, then take the union, then
    compare with the judge's folded answer by `alpha` of two raters: {7, 9} and {5, 9} against
    {9} are both {other, 9}.

    Never undefined and without an interval. A missing answer must be left out by the caller.

    Source: Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact
    Checking Explanations".
    """
    if not answer:
        return frozenset({NONE if none_apart else OTHER})
    # The label *none* of answers folded before stays what it is, such as in their union.
    kept = {*reference, NONE} if none_apart else reference
    return frozenset(label if label in kept else OTHER for label in answer)


def _at_least_one(values: Sequence[Any]) -> Sequence[Any]:
    if not len(values):
        raise ValueError("no answers, no consensus")
    return values
