"""A three-way merge of study files: what two people changed in the same file, joined by keys.

Parts are the keys of mappings, and the entries of lists that have names (rounds, judges, blocks)
or are texts (tips). Anything else, such as the instructions, is one part. A part that only one of
the two changed is taken as they left it; one that both changed differently is a conflict.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Side = Literal["mine", "theirs"]
# What the entries of a list may be known by.
_NAMES = ("name", "key")


class _Absent:
    """In the place of a part that a file does not have."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()
# In the place of a base that nobody knows: it equals nothing.
_UNKNOWN: Final = object()


@dataclass(frozen=True)
class Conflict:
    """A part that both changed. path: its keys from the top; ABSENT where a file has no such
    part, and as `base` where the common beginning is unknown."""

    path: tuple[str, ...]
    base: Any
    mine: Any
    theirs: Any

    @property
    def name(self) -> str:
        """The part in words, such as `rounds.main.pay`."""
        return ".".join(self.path)


@dataclass
class Merge:
    """The outcome of a merge.

    keys: of the merged file. mine, theirs: the names of the parts that only one of the two changed.
    conflicts: what both changed, resolved in `keys` by the choices, else as in mine.
    """

    keys: dict[str, Any] = field(default_factory=dict)
    mine: list[str] = field(default_factory=list)
    theirs: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def merge_keys(
    base: Mapping[str, Any] | None,
    mine: Mapping[str, Any],
    theirs: Mapping[str, Any],
    *,
    choices: Mapping[str, Side] | None = None,
) -> Merge:
    """Join two changes of one study file. base: the file that both began with; None where it is not
    known, and then every difference is a conflict. choices: whose part is taken, by the name of
    the conflict; without a choice mine."""
    merge = Merge()
    begun = _UNKNOWN if base is None else base
    merge.keys = _Merging(merge, choices or {}).mappings((), begun, mine, theirs)
    return merge


def changed_parts(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """The names of the smallest parts in which two files differ."""
    if _same(before, after):
        return
    old, new = _parts(before), _parts(after)
    if old is None or new is None or isinstance(before, Mapping) != isinstance(after, Mapping):
        yield ".".join(path)
        return
    names = [
        part
        for name in _in_order(new, old)
        for part in changed_parts(old.get(name, ABSENT), new.get(name, ABSENT), (*path, name))
    ]
    yield from names or [".".join(path)]  # the same entries in another order


@dataclass
class _Merging:
    """One merge under way."""

    merge: Merge
    choices: Mapping[str, Side]

    def mappings(
        self, path: tuple[str, ...], base: Any, mine: Mapping[str, Any], theirs: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Two mappings, key by key, in the order of mine."""
        merged: dict[str, Any] = {}
        for name in _in_order(mine, theirs):
            begun = _UNKNOWN if base is _UNKNOWN else base.get(name, ABSENT)
            value = self.values(
                (*path, name), begun, mine.get(name, ABSENT), theirs.get(name, ABSENT)
            )
            if value is not ABSENT:
                merged[name] = value
        return merged

    def values(self, path: tuple[str, ...], base: Any, mine: Any, theirs: Any) -> Any:
        """What becomes of one part."""
        if _same(mine, theirs):
            return mine
        if _same(mine, base):
            self.merge.theirs += changed_parts(base, theirs, path)
            return theirs
        if _same(theirs, base):
            self.merge.mine += changed_parts(base, mine, path)
            return mine
        if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
            begun = base if isinstance(base, Mapping) else _UNKNOWN
            return self.mappings(path, begun, mine, theirs)
        joined = self.lists(path, base, mine, theirs)
        return self._chosen(path, base, mine, theirs) if joined is None else joined

    def lists(self, path: tuple[str, ...], base: Any, mine: Any, theirs: Any) -> list[Any] | None:
        """Two lists by the names of their entries; None where that is not possible."""
        begun, left, right = _named(base), _named(mine), _named(theirs)
        if begun is None or left is None or right is None:
            return None
        order = _joined_order(list(begun), list(left), list(right))
        if order is None:
            return None
        merged = self.mappings(path, begun, left, right)
        return [merged[name] for name in order if name in merged]

    def _chosen(self, path: tuple[str, ...], base: Any, mine: Any, theirs: Any) -> Any:
        known = ABSENT if base is _UNKNOWN else base
        conflict = Conflict(path, known, mine, theirs)
        self.merge.conflicts.append(conflict)
        return theirs if self.choices.get(conflict.name) == "theirs" else mine


def _parts(value: Any) -> Mapping[str, Any] | None:
    """The parts of a mapping or of a list whose entries have names; None where there are none."""
    return value if isinstance(value, Mapping) else _named(value)


def _named(value: Any) -> dict[str, Any] | None:
    """The entries of a list by their names; None where they have none, or one occurs twice."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    names = [_name(entry) for entry in value]
    if None in names or len(set(names)) < len(names):
        return None
    return {str(name): entry for name, entry in zip(names, value, strict=True)}


def _name(entry: Any) -> str | None:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, Mapping):
        return None
    return next((str(entry[name]) for name in _NAMES if entry.get(name)), None)


def _joined_order(base: list[str], mine: list[str], theirs: list[str]) -> list[str] | None:
    """The entries of both lists: in the order of whoever changed it, those of the other behind the
    entry that they follow there. None where both changed the order."""
    common = set(base) & set(mine) & set(theirs)
    begun, left, right = (
        [name for name in side if name in common] for side in (base, mine, theirs)
    )
    if begun == left:
        first, second = theirs, mine
    elif right in (begun, left):
        first, second = mine, theirs
    else:
        return None
    order = list(first)
    for position, name in enumerate(second):
        if name not in order:
            before = order.index(second[position - 1]) + 1 if position else 0
            order.insert(before, name)
    return order


def _in_order(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _same(left: Any, right: Any) -> bool:
    """Whether two parts are written alike: True is not 1, and the order of keys says nothing."""
    if ABSENT in (left, right) or _UNKNOWN in (left, right):
        return left is right
    return _written(left) == _written(right)


def _written(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
