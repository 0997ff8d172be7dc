"""Several items of one source, side by side under letters that say nothing of who wrote them.

A candidate is an item of the unit: `item` is its position in the unit's stored order, which
answers count by. What a worker sees is the shown order and its letters.
"""

import hashlib
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Annotated, Any

from pydantic import Field

from tasktypes.contract import TaskType
from tasktypes.plans import Focus
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item

Position = Annotated[int, Field(strict=True, ge=0)]
# False in the focus of a unit whose imported answers were given with its items in an order that
# is not known, or not the same for all.
ORDER_KNOWN = "order_known"
# Of the draw of a question whose unit stores no order itself.
Seed = Annotated[int, Field(strict=True, ge=0)]


class Candidate(Schema):
    """An item as it is shown: no key and no system, only its place in the unit."""

    letter: str
    item: Position
    text: str


def candidates(items: Sequence[Item], focus: Focus, *, seed: int) -> tuple[Candidate, ...]:
    """The items in the order to show them: the focus's `order`, else one drawn by seed.

    ValueError('field: reason') where the order is none, or there are more items than letters.
    """
    if len(items) > len(ascii_uppercase):
        raise ValueError(f"items: {len(items)} side by side are too many")
    order = _given(focus["order"], len(items)) if "order" in focus else drawn(items, seed=seed)
    return tuple(
        Candidate(letter=letter, item=position, text=text_of(items[position]))
        for letter, position in zip(ascii_uppercase, order, strict=False)
    )


def drawn(items: Sequence[Item], *, seed: int) -> tuple[int, ...]:
    """An order of the items that depends on nothing but the seed and their keys."""
    keys = [item.key for item in items]
    return tuple(sorted(range(len(items)), key=lambda position: lot(seed, *keys, keys[position])))


def lot(seed: int, *keys: str) -> bytes:
    """A lot to sort by, which depends on nothing but the seed and the keys."""
    return hashlib.sha256("\n".join((str(seed), *keys)).encode()).digest()


def text_of(item: Item) -> str:
    """The whole text of an item, as it was written."""
    return item.text


def shows_candidates(task_type: TaskType[Any, Any, Any]) -> bool:
    """Whether questions of this type may show several items side by side."""
    return "candidates" in task_type.Payload.model_fields


def order_shown(payload: Mapping[str, Any]) -> tuple[int, ...]:
    """The positions of a unit's items in the order in which a stored payload shows them; empty
    where it does not show them side by side."""
    return tuple(candidate["item"] for candidate in payload.get("candidates") or ())


def turns(replicate: int) -> bool:
    """Whether a judge that answers a question several times is shown the candidates of this
    replicate in the opposite order: every second time, so that what hangs on the order shows."""
    return replicate % 2 == 1


def turned(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored payload with its candidates in the opposite order, under the same letters. Answers
    count by item, so they need no turning back; one without candidates is what it was."""
    shown = payload.get("candidates") or ()
    letters = [candidate["letter"] for candidate in shown]
    opposite = [
        {**candidate, "letter": letter}
        for letter, candidate in zip(letters, reversed(shown), strict=True)
    ]
    return {**payload, "candidates": opposite} if shown else payload


def check_candidates(shown: Sequence[Candidate]) -> None:
    """ValueError where the candidates are not one per item, under letters that differ."""
    if sorted(candidate.item for candidate in shown) != list(range(len(shown))):
        raise ValueError("candidates: not every item of the unit exactly once")
    if len({candidate.letter for candidate in shown}) < len(shown):
        raise ValueError("candidates: a letter occurs twice")


def _given(order: object, count: int) -> tuple[int, ...]:
    whole = isinstance(order, list | tuple) and all(type(position) is int for position in order)
    if not whole or sorted(order) != list(range(count)):  # type: ignore[call-overload]
        raise ValueError(f"focus.order: not each of 0 to {count - 1} once")
    return tuple(order)  # type: ignore[arg-type]
