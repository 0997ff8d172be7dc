"""What a task type says of answers and items besides their ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tasktypes.pages.choices import Text
from tasktypes.texts.material import Item, Source

# Which values of a figure are better; empty: neither.
Better = Literal["higher", "lower", ""]


class Measure(NamedTuple):
    """What `measures` gives under a name.

    description: in a line, for the documentation. undefined: when an answer has none. better:
    which way is. flag: 1 says that something is wrong with the item, so that items made wrong on
    purpose should have it; of other measures these should have less.
    """

    name: str
    title: Text
    description: str
    undefined: str
    better: Better = "higher"
    flag: bool = False


@dataclass(frozen=True)
class ItemMetric:
    """A yes or no about a whole item, reported as the share of items with yes.

    `facts(source, item, options)` says in whole numbers what of the item's texts the answer
    depends on; None where the question does not arise for the item. `decide(scores, facts,
    options)` gets these and the item's F1 per unit, and returns None where it does not arise
    either. description: in a line, for the documentation.
    """

    name: str
    title: Text
    description: str
    facet: str
    subset: str
    facts: Callable[[Source, Item, Any], tuple[int, ...] | None]
    decide: Callable[[Sequence[float], tuple[int, ...], Any], bool | None]
    better: Better = "higher"
