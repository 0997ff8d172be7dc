"""Parts of a study that figures are also given for: by system, subset, verdict, round, and own
columns of its files."""

from collections.abc import Callable, Collection, Iterator, Mapping

import numpy as np

from annotation.queries.group_keys import OF_RATERS
from estimates.data.own_groups import in_order, with_enough_people
from estimates.data.ratings import Ratings
from estimates.data.records import ITEM_NAMES
from estimates.data.rows import Group
from estimates.data.table import BoolArray, IntArray

SETTING, ROUND, LABEL, SYSTEM, EVIDENCE = "setting", "round", "label", "system", "evidence_source"
CONDITION = "condition"
# Of controls: the facet that the answer is right or wrong in, where a block asks about several.
CRITERION = "criterion"
# Of a difference of two judges: the one that is subtracted. More judges make more pairs than
# anybody reads.
OTHER_JUDGE, MOST_JUDGES = "other_judge", 12
# Stands for the own columns of sources, items and units that a study groups its results by.
OWN = "own"
# With `OWN`: also every condition within such a group.
CONDITION_IN_OWN = "condition in own"
GROUP_KEYS = (SETTING, *ITEM_NAMES, LABEL, ROUND)
PAIRED = ((SETTING, SYSTEM), (SYSTEM, EVIDENCE))
# More parts of systems by an own column than anybody reads.
MOST_PAIRED_PARTS = 120


def parts(ratings: Ratings, keys: Collection[str]) -> Iterator[tuple[Group, BoolArray]]:
    """Every group by these keys that some of the ratings belong to, the whole first."""
    yield {}, np.ones(len(ratings), dtype=bool)
    own = tuple(ratings.material.own) if OWN in keys else ()
    wanted = (*(key for key in GROUP_KEYS if key in keys), *own)
    by_key = {key: _groups(ratings, key) for key in wanted}
    for key, groups in by_key.items():
        for name, mask in groups.items():
            yield {key: name}, mask
    in_own = (SYSTEM, CONDITION) if CONDITION_IN_OWN in keys else (SYSTEM,)
    for first, second in (*PAIRED, *((name, key) for name in in_own for key in own)):
        yield from _pairs(first, second, by_key)


def _pairs(
    first: str, second: str, by_key: Mapping[str, Mapping[str, BoolArray]]
) -> Iterator[tuple[Group, BoolArray]]:
    names, others = by_key.get(first, {}), by_key.get(second, {})
    if second not in GROUP_KEYS and len(names) * len(others) > MOST_PAIRED_PARTS:
        return
    for name, mask in names.items():
        for other, other_mask in others.items():
            both = mask & other_mask
            if both.any():
                yield {first: name, second: other}, both


def rater_parts(ratings: Ratings) -> Iterator[tuple[Group, BoolArray]]:
    """Every group of people, by what files tell of them, that is large enough to be shown."""
    for key in ratings.material.of_raters:
        for name, mask in _groups(ratings, key).items():
            yield {key: name}, mask


def belonging(ratings: Ratings, group: Group) -> BoolArray:
    """Which ratings belong to the group."""
    mask = np.ones(len(ratings), dtype=bool)
    for key, name in group.items():
        mask &= _member(ratings, key, name)
    return mask


def _groups(ratings: Ratings, key: str) -> dict[str, BoolArray]:
    masks = {name: _member(ratings, key, name) for name in _names(ratings, key)}
    return {name: mask for name, mask in masks.items() if mask.any()}


def _names(ratings: Ratings, key: str) -> list[str]:
    material = ratings.material
    if key.startswith(OF_RATERS):
        return in_order(set(_people(ratings, key).values()))
    if key in material.own:
        return in_order(filter(None, material.own[key].names))
    if key == SETTING:
        return sorted(material.subsets)
    if key == ROUND:
        return list(material.rounds.values())
    column = material.verdict if key == LABEL else material.item_names[key]
    return sorted(name for name in column.names if name)


def _people(ratings: Ratings, key: str) -> Mapping[int, str]:
    """Rater -> group, of those who gave some of the ratings."""
    of = ratings.material.of_raters.get(key, {})
    there = np.unique(ratings.rater).tolist()
    return with_enough_people({rater: of[rater] for rater in there if rater in of})


def _member(ratings: Ratings, key: str, name: str) -> BoolArray:
    material = ratings.material
    if key.startswith(OF_RATERS):
        members = [rater for rater, group in _people(ratings, key).items() if group == name]
        return np.isin(ratings.rater, members)
    if key in material.own:
        return material.own[key].equal(name, _OWNERS[key.partition(".")[0]](ratings))
    if key == SETTING:
        nobody = np.zeros(len(material.unit_ids), dtype=bool)
        return material.subsets.get(name, nobody)[ratings.unit]
    if key == ROUND:
        wanted = [pk for pk, round_name in material.rounds.items() if round_name == name]
        return np.isin(ratings.round, wanted)
    if key == LABEL:
        return material.verdict.equal(name, ratings.source)
    return material.item_names[key].equal(name, ratings.item)


# The row that has the own column, of each rating.
_OWNERS: Mapping[str, Callable[[Ratings], IntArray]] = {
    "source": lambda ratings: ratings.source,
    "item": lambda ratings: ratings.item,
    "unit": lambda ratings: ratings.unit,
}
