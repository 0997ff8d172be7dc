"""What a task type proposes to ask of some material: units, and controls made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal

from tasktypes.schemas import A, P
from tasktypes.texts.material import Item

# What within the material a unit is about, as plain JSON: {"passage": 3}.
Focus = Mapping[str, Any]


@dataclass(frozen=True)
class UnitPlan:
    """One unit that a type proposes: which of a source's items it shows, in order.

    `suffix` ends the unit's key, after a slash and the key of the item, or that of the source
    where several items are shown; empty: that key alone. `payload` and `reference` get `focus`.
    """

    items: tuple[Item, ...]
    suffix: str
    subsets: tuple[str, ...]
    focus: Focus = field(default_factory=dict)


# Where controls may come from: units whose selected evidence is one passage, or any unit whose
# right answer names one part of it.
ControlPool = Literal["one_passage", "one_part"]


@dataclass(frozen=True)
class ControlPlan(Generic[P, A]):
    """A question with a right answer beyond doubt, made of a normal one.

    `focus` replaces that of the normal unit.
    """

    kind: Literal["positive", "negative"]
    focus: Focus
    payload: P
    reference: A
