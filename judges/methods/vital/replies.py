"""The schemas of the model's replies in each step, and how they are read.

Names and docstrings of `Ranking`, `Checked` and `Found` are sent to the model and are
part of the key under which a reply is cached: a change makes every cached reply useless.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from tasktypes.importance.schema import (
    LABELS,
    NUGGET_SUPPORT,
    SUPPORT,
    Label,
    NuggetSupport,
    Support,
)
from tasktypes.machines.replies import ReplyError, object_in
from tasktypes.prepared_lists import Number
from tasktypes.schemas import Schema

_JOINTS = re.compile(r"[\s_-]+")


class UnknownLabel(ReplyError):
    """A label that is none of those offered: the model is asked again."""


class _RankedClaim(Schema):
    claim: Number
    importance: Label


class Ranking(Schema):
    """Every claim with its label, the most important first."""

    ranking: tuple[_RankedClaim, ...]


class _CheckedClaim(Schema):
    claim: Number
    support: Support


class Checked(Schema):
    """Every claim, held against the documents."""

    claims: tuple[_CheckedClaim, ...]


class _FoundNugget(Schema):
    nugget: Number
    support: NuggetSupport


class Found(Schema):
    """Every fact, looked for in the response."""

    nuggets: tuple[_FoundNugget, ...]


# The same with any text for a label, to tell an unknown label from a malformed reply.
class _Ranked(Schema):
    claim: Number
    importance: str


class _Ranks(Schema):
    ranking: tuple[_Ranked, ...]


class _Supported(Schema):
    claim: Number
    support: str


class _Supports(Schema):
    claims: tuple[_Supported, ...]


class _Looked(Schema):
    nugget: Number
    support: str


class _Looks(Schema):
    nuggets: tuple[_Looked, ...]


def read_ranking(reply: str, count: int) -> tuple[Mapping[int, Label], Sequence[int]]:
    """Each claim's label, and the claims in order, the most important first."""
    ranking = object_in(reply, _Ranks).ranking
    labels = _labels([(c.claim, c.importance) for c in ranking], range(count), LABELS)
    typed: dict[str, Label] = {label: label for label in LABELS}
    return (
        {number: typed[label] for number, label in labels.items()},
        [claim.claim for claim in ranking],
    )


def read_support(reply: str, numbers: Collection[int]) -> Mapping[int, Support]:
    """Whether the documents support each of the claims of these numbers."""
    claims = object_in(reply, _Supports).claims
    labels = _labels([(c.claim, c.support) for c in claims], numbers, SUPPORT)
    typed: dict[str, Support] = {label: label for label in SUPPORT}
    return {number: typed[label] for number, label in labels.items()}


def read_nuggets(reply: str, count: int) -> Mapping[int, NuggetSupport]:
    """How far the response contains each fact."""
    nuggets = object_in(reply, _Looks).nuggets
    labels = _labels([(n.nugget, n.support) for n in nuggets], range(count), NUGGET_SUPPORT)
    typed: dict[str, NuggetSupport] = {label: label for label in NUGGET_SUPPORT}
    return {number: typed[label] for number, label in labels.items()}


def _labels(
    pairs: Iterable[tuple[int, str]], numbers: Collection[int], offered: Sequence[str]
) -> dict[int, str]:
    """The label of every number, each exactly once.

    Case does not matter, nor whether a hyphen, a space or an underscore joins two words: the paper
    writes "less important".
    """
    labels: dict[int, str] = {}
    for number, label in pairs:
        if number not in numbers:
            raise ReplyError(f"there is no number {number} in this question")
        if number in labels:
            raise ReplyError(f"number {number} is labelled twice")
        labels[number] = _JOINTS.sub("-", label.strip().lower())
    missing = [number for number in numbers if number not in labels]
    if missing:
        raise ReplyError(f"number {missing[0]} is missing")
    for number, label in labels.items():
        if label not in offered:
            raise UnknownLabel(f"number {number}: {label[:40]!r} is none of {', '.join(offered)}")
    return labels
