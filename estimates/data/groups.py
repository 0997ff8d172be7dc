"""Parts of a study that figures are also given for: by system, subset, verdict, round."""

from collections.abc import Collection, Iterator

import numpy as np

from estimates.data.ratings import Ratings
from estimates.data.records import ITEM_NAMES
from estimates.data.rows import Group
from estimates.data.table import BoolArray

SETTING, ROUND, LABEL, SYSTEM, EVIDENCE = "setting", "round", "label", "system", "evidence_source"
CONDITION = "condition"
# Of controls: the facet that the answer is right or wrong in, where a block asks about several.
CRITERION = "criterion"
# Of a difference of two judges: the one that is subtracted. More judges make more pairs than
# anybody reads.
OTHER_JUDGE, MOST_JUDGES = "other_judge", 12
GROUP_KEYS = (SETTING, *ITEM_NAMES, LABEL, ROUND)
PAIRED = ((SETTING, SYSTEM), (SYSTEM, EVIDENCE))


def parts(
    ratings: Ratings, keys: Collection[str] = GROUP_KEYS
) -> Iterator[tuple[Group, BoolArray]]:
    """Every group by these keys that some of the ratings belong to, the whole first."""
    yield {}, np.ones(len(ratings), dtype=bool)
    by_key = {key: _groups(ratings, key) for key in GROUP_KEYS if key in keys}
    for key, groups in by_key.items():
        for name, mask in groups.items():
            yield {key: name}, mask
    for first, second in PAIRED:
        for name, mask in by_key.get(first, {}).items():
            for other, other_mask in by_key.get(second, {}).items():
                both = mask & other_mask
                if both.any():
                    yield {first: name, second: other}, both


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
    if key == SETTING:
        return sorted(material.subsets)
    if key == ROUND:
        return list(material.rounds.values())
    column = material.verdict if key == LABEL else material.item_names[key]
    return sorted(name for name in column.names if name)


def _member(ratings: Ratings, key: str, name: str) -> BoolArray:
    material = ratings.material
    if key == SETTING:
        nobody = np.zeros(len(material.unit_ids), dtype=bool)
        return material.subsets.get(name, nobody)[ratings.unit]
    if key == ROUND:
        wanted = [pk for pk, round_name in material.rounds.items() if round_name == name]
        return np.isin(ratings.round, wanted)
    if key == LABEL:
        return material.verdict.equal(name, ratings.source)
    return material.item_names[key].equal(name, ratings.item)
