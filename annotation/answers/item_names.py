"""Item names in ratings.

Workers and judges know items only by their position in the unit, since a name would give the system
away. The names are put in when an answer is stored.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from annotation.models import UnitItem
from tasktypes.facets import ItemName, RatingValue


def name_items(rated: Iterable[tuple[int, Sequence[RatingValue]]]) -> list[list[RatingValue]]:
    """The ratings of (unit id, ratings) pairs with items by name, in the order of the pairs.

    One query for all units together, and none where no rating is about one of several items.
    """
    pairs = list(rated)
    names = names_of({unit for unit, values in pairs if any(map(_is_open, values))})
    return [[value.named(names.get(unit, ())) for value in values] for unit, values in pairs]


def _is_open(value: RatingValue) -> bool:
    return value.element_item is not None or value.value_item is not None


def names_of(units: Collection[int]) -> Mapping[int, Sequence[ItemName]]:
    """The items of units, in the order in which they are shown. One query, or none."""
    names: dict[int, list[ItemName]] = defaultdict(list)
    if units:
        unit_items = UnitItem.objects.filter(unit__in=units).order_by("unit", "position")
        for unit, key, system in unit_items.values_list("unit", "item__key", "item__system"):
            names[unit].append(ItemName(key, system))
    return names
