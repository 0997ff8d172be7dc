"""The right answers, taken apart like any other: what sets are scored against."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from estimates.data.records import BlockRecord, Records
from tasktypes.contract import TaskType
from tasktypes.facets import ItemName, RatingValue, Value


@dataclass(frozen=True, eq=False)
class References:
    """(question id, element) -> the right value, per facet."""

    of_facet: Mapping[str, Mapping[tuple[int, str], Value]]

    def get(self, facet: str) -> Mapping[tuple[int, str], Value]:
        return self.of_facet.get(facet, {})


def gather_references(
    records: Records,
    blocks: Sequence[BlockRecord],
    names_of: Callable[[int], Sequence[ItemName] | None],
) -> References:
    """The references of a study's normal questions.

    names_of: what the items of a question (by id) are called; None for one that came meanwhile.
    """
    by_id = {block.pk: block for block in blocks}
    of_facet: dict[str, dict[tuple[int, str], Value]] = {
        facet.name: {} for block in blocks for facet in block.facets
    }
    for stored in records.references():
        names = names_of(stored.question)
        if names is None:
            continue
        for rating in take_apart(by_id[stored.block].task_type, stored.payload, stored.reference):
            named = rating.named(names)
            of_facet[named.facet][stored.question, named.element] = named.value
    return References(of_facet)


def take_apart(
    task_type: TaskType[Any, Any, Any], payload: object, reference: object
) -> Sequence[RatingValue]:
    """The ratings that a stored answer to a stored question would have; empty without one."""
    if reference is None:
        return ()
    ratings: Sequence[RatingValue] = task_type.ratings(
        task_type.Payload.model_validate(payload), task_type.Answer.model_validate(reference)
    )
    return ratings
