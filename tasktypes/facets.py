"""Facets, the comparable quantities of a block, and ratings, the values of answers in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

FacetKind = Literal["number", "label", "set"]
Value = float | str | frozenset[int | str]
FacetName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


@dataclass(frozen=True)
class Facet:
    """A comparable quantity of a block. `distance` names one of `agreement.DISTANCES`.

    labels: what a facet of labels offers, in their order; empty where that is open. ordered:
    that order is one from most to least. ranks: numbers are places among the elements of a
    question, 1 the first. compared_with: other facets of the study that a judge's numbers are
    to be compared with. own_scale: these are numbers of machines, each on a scale of its own, which
    may correlate but cannot agree. ends_observed: low and high are the ends of what occurs, and
    say nothing about the scale.
    """

    name: str
    title: str
    kind: FacetKind
    distance: str
    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    ordered: bool = False
    ranks: bool = False
    compared_with: tuple[str, ...] = ()
    own_scale: bool = False
    ends_observed: bool = False

    @property
    def is_score(self) -> bool:
        """Whether these are numbers on one scale that everybody shares."""
        return self.kind == "number" and not self.ranks and not self.own_scale

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the scale; None where they are not known."""
        if self.low is None or self.high is None or self.ends_observed:
            return None
        return self.low, self.high

    @property
    def names_items(self) -> bool:
        """Whether labels are names of items: then the facet cannot list them."""
        return self.kind == "label" and not self.labels


def label_facet(
    name: str, title: str, labels: tuple[str, ...] = (), *, ordered: bool = False
) -> Facet:
    """A facet of labels, any two of which are equally far apart."""
    return Facet(
        name=name, title=title, kind="label", distance="nominal", labels=labels, ordered=ordered
    )


class ItemName(NamedTuple):
    """What an item is called where results are computed, and nowhere before."""

    key: str
    system: str


def called(items: Sequence[ItemName]) -> list[str]:
    """What labels call the items of a unit: by system, or by key where systems do not tell them
    apart."""
    systems = [item.system for item in items]
    told_apart = all(systems) and len(set(systems)) == len(systems)
    return systems if told_apart else [item.key for item in items]


@dataclass(frozen=True)
class RatingValue:
    """One value that an answer holds; `element` is empty when it is about the whole unit."""

    facet: str
    value: Value
    element: str = ""
    # Where the element, or a label, stands for one of the unit's items: its position. A question
    # holds no item's name, since names give systems away; storing puts the name in (`named`).
    element_item: int | None = None
    value_item: int | None = None

    def named(self, items: Sequence[ItemName]) -> "RatingValue":
        """The rating with items by name: the element by key, a label as they are `called`."""
        named = self
        if self.element_item is not None:
            named = replace(named, element=items[self.element_item].key, element_item=None)
        if self.value_item is not None:
            named = replace(named, value=called(items)[self.value_item], value_item=None)
        return named


def in_words(value: Value | None) -> str:
    """A rating's value as it can be read by itself."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "–"
    if isinstance(value, float | int):
        return f"{value:g}"
    return value or ""


def text_at(texts: Sequence[str], element: str) -> str:
    """The text that a numbered element stands for; empty where the element is a name."""
    return texts[int(element)] if element.isdecimal() and int(element) < len(texts) else ""
