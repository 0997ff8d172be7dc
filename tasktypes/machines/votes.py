"""How the answers of several raters to one question become one answer."""

from collections.abc import Sequence
from typing import Any, TypeVar

from agreement import CONSENSUS, consensus
from agreement.values.coding import Kind

V = TypeVar("V")


class NoConsensus(ValueError):
    """Votes from which no single answer follows; the message says where, in plain words."""


def together(values: Sequence[V], *, kind: Kind, how: str | None, where: str) -> Any:
    """The consensus of some values of one kind, by the rule asked for where it fits that kind.

    where: what the values are about, for the message. NoConsensus where the votes are tied.
    """
    rule = how if how is not None and (kind, how) in CONSENSUS else None
    value = consensus(values, kind=kind, how=rule)
    if value is None:
        raise NoConsensus(f"{where}: no label has more than half of the {len(values)} votes")
    return value


def placed(places: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Ranks of some things by the mean of the ranks given to each, 1 the best.

    places: (raters, things). Things with the same mean share a rank, as in a competition (1 2 2).
    """
    means = [sum(column) / len(column) for column in zip(*places, strict=True)]
    return tuple(1 + sum(other < mean for other in means) for mean in means)
