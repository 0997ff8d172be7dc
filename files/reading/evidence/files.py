"""Which tables belong together, and in which part the names of files differ."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from files.columns.names import may_be_unit
from files.readers.raw_tables import RawTable

_ALIKE = 0.75
_EXTENSION = re.compile(r"(\.[A-Za-z]{1,8}){1,2}$")
_TOKEN = re.compile(r"[^\W_]+|[\W_]+")

Where = Literal["file", "folder", "sheet"]
_END: dict[str, str] = {"file": r"(?:\.[A-Za-z]{1,8}){0,2}$", "folder": "$", "sheet": "$"}


@dataclass(frozen=True)
class NameParts:
    """How the names of files, folders or sheets differ. values: of each table; pattern: its only
    group is that part."""

    of: Where
    pattern: str
    values: tuple[str, ...]


def groups_of(tables: Sequence[RawTable]) -> list[list[RawTable]]:
    """Tables with the same columns, or nearly so."""
    groups: list[list[RawTable]] = []
    for table in tables:
        home = next((g for g in groups if any(_alike(t, table) for t in g[:12])), None)
        if home is None:
            groups.append([table])
        else:
            home.append(table)
    return groups


def _alike(one: RawTable, other: RawTable) -> bool:
    first, second = {*one.names}, {*other.names}
    if all(any(map(may_be_unit, own)) for own in (first - second, second - first)):
        return False  # Each has ids of its own: they ask the same about other things.
    both = len(first & second)
    # Some may have columns of their own.
    most = both >= 3 and both >= _ALIKE * min(len(first), len(second))
    return both >= _ALIKE * len(first | second) or (most and both >= 0.4 * len(first | second))


def name_parts(tables: Sequence[RawTable]) -> list[NameParts]:
    """The parts in which names of several tables differ, of sheets, files and folders."""
    found = []
    sheets = [table.sheet for table in tables]
    files = [file_name(table) for table in tables]
    folders = [table.folder for table in tables]
    for of, names in (("sheet", sheets), ("file", files), ("folder", folders)):
        if len({*names}) > 1 and all(names):
            found += _parts(of, names)  # type: ignore[arg-type]
    return found


def file_name(table: RawTable) -> str:
    """The name of a table's file, without its folder and its sheet."""
    name = table.name
    if table.sheet:
        name = name.removesuffix(f"#{table.sheet}")
    return name.rsplit("/", 1)[-1]


def _parts(of: Where, names: Sequence[str]) -> list[NameParts]:
    ends = [_EXTENSION.search(name) for name in names] if of == "file" else [None] * len(names)
    stems = [name[: end.start()] if end else name for name, end in zip(names, ends, strict=True)]
    tokens = [_TOKEN.findall(stem) for stem in stems]
    if len({len(each) for each in tokens}) == 1 and len(tokens[0]) < 40:
        varying = [i for i in range(len(tokens[0])) if len({each[i] for each in tokens}) > 1]
        if varying and all(tokens[0][i].strip(" _-.") for i in varying):
            return _of_tokens(of, tokens, varying)
    shortest = min(map(len, tokens))
    front = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    most = shortest - front
    back = next((i for i in range(most) if len({t[-1 - i] for t in tokens}) > 1), most)
    values = tuple("".join(t[front : len(t) - back]) for t in tokens)
    if not all(values):
        return [NameParts(of, rf"^(.+?){_END[of]}", tuple(stems))]
    before = re.escape("".join(tokens[0][:front]))
    after = re.escape("".join(tokens[0][len(tokens[0]) - back :]))
    return [NameParts(of, f"^{before}(.+?){after}{_END[of]}", values)]


def _of_tokens(
    of: Where, tokens: Sequence[Sequence[str]], varying: Sequence[int]
) -> list[NameParts]:
    """A part for each token that varies; of those that vary together the one with letters."""
    by_partition: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for i in varying:
        order = list(dict.fromkeys(each[i] for each in tokens))
        by_partition[tuple(order.index(each[i]) for each in tokens)].append(i)
    found = []
    for together in by_partition.values():
        best = next((i for i in reversed(together) if not tokens[0][i].isdigit()), together[-1])
        first, last = best, best
        if len(together) > 1 and together[-1] - together[0] == 2 * (len(together) - 1):
            between = tokens[0][together[0] + 1 : together[-1] : 2]
            if all(t in "_-" for t in between) and not any(
                tokens[0][i].isdigit() for i in together
            ):
                first, last = together[0], together[-1]
        pieces = []
        for i, token in enumerate(tokens[0]):
            if i == first:
                pieces.append("(" + r"[\W_]".join([r"[^\W_]+"] * ((last - first) // 2 + 1)) + ")")
            elif first < i <= last:
                continue
            elif i in varying:
                pieces.append(r"[^\W_]+")
            else:
                pieces.append(re.escape(token))
        values = tuple("".join(each[first : last + 1]) for each in tokens)
        found.append(NameParts(of, f"^{''.join(pieces)}{_END[of]}", values))
    return found
