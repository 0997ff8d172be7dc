"""Columns whose names differ in one part or in several: `ann1_fluency`, `ann2_fluency`."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from files.columns.names import MOST_WORDS, TURK
from files.reading.evidence.dimensions import Dimension, Family

_TOKEN = re.compile(r"\d+|[A-Z]+(?![a-zß-ÿ])|[A-Z]?[^\W\d_A-Z]+|[^\w\s]|_|\s+")
_SEPARATOR = re.compile(r"[\W_]+")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
# Of the names that a grid of parts could have, so many are there at least.
_COVERED = 0.7

Tokens = tuple[str, ...]


def families(
    names: Sequence[str], paths: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[list[Family], list[str]]:
    """The families among the names, and the names of none."""
    found, left = _families(tuple((name, (paths or {}).get(name, ())) for name in names))
    return [*found], [*left]


@lru_cache(maxsize=64)  # the same columns are looked at for each of many decisions
def _families(
    named: tuple[tuple[str, tuple[str, ...]], ...],
) -> tuple[tuple[Family, ...], tuple[str, ...]]:
    paths, found = dict(named), list[Family]()
    names = list(paths)
    left = [*names]
    nested = [name for name in left if len(paths[name]) > 1]

    def take(groups: Sequence[Family]) -> None:
        found.extend(groups)
        left[:] = [n for n in left if not any(n in family.places for family in groups)]

    if nested:
        take(_of_paths(nested, paths))
    # A grid such as `ann1_fluency` first, then numbers, then words.
    take([f for f in _grid(left) if _may_have_questions(f)])
    take(_grid([name for name in left if not is_question(name)]))
    take(_numbered([name for name in left if is_question(name)]))
    take(_numbered([name for name in left if not is_question(name)]))
    take(_worded([name for name in left if not is_question(name)]))
    order = {name: place for place, name in enumerate(names)}
    found.sort(key=lambda family: min(order[name] for name in family.places))
    return tuple(found), tuple(left)


def _may_have_questions(family: Family) -> bool:
    """Whether names are no sentences that happen to share their parts."""
    numbered = any(each.are_numbers or each.are_ids for each in family.dimensions)
    return numbered or not any(map(is_question, family.places))


def is_question(name: str) -> bool:
    """Whether a name is a question or a sentence, which is no family's."""
    return "?" in name or len(name.split()) > MOST_WORDS


def part(tokens: Iterable[str]) -> str:
    """The text of tokens without separators at its ends."""
    return _EDGE.sub("", "".join(tokens))


def _tokens(name: str) -> Tokens:
    for prefix in TURK:
        if name.startswith(prefix):
            return (prefix, *_TOKEN.findall(name.removeprefix(prefix)))
    return tuple(_TOKEN.findall(name))


def _is_separator(token: str) -> bool:
    return bool(_SEPARATOR.fullmatch(token)) or token in TURK


# --- Nested names --------------------------------------------------------------------------------


def _of_paths(names: Sequence[str], paths: Mapping[str, tuple[str, ...]]) -> list[Family]:
    """Of names that are as deep and have their constant members in common."""
    found = []
    by_shape: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        path = paths[name]
        # Numbers vary within a family; of words the last one tells what the cells are.
        shape = tuple("#" if member.isdigit() else "*" for member in path[:-1])
        by_shape[(*shape, "#" if path[-1].isdigit() else "*")].append(name)
    for group in by_shape.values():
        for family in _split_paths(group, paths):
            if len(family.places) > 1:
                found.append(family)
    return found


def _split_paths(names: Sequence[str], paths: Mapping[str, tuple[str, ...]]) -> list[Family]:
    depth = len(paths[names[0]])
    members = [dict.fromkeys(paths[name][level] for name in names) for level in range(depth)]
    varying = [level for level in range(depth) if len(members[level]) > 1]
    if not varying:
        return []
    size = 1
    for level in varying:
        size *= len(members[level])
    if len(names) < _COVERED * size:
        split = min(varying, key=lambda level: len(members[level]))
        parts = [[n for n in names if paths[n][split] == member] for member in members[split]]
        return [family for each in parts for family in _split_paths(each, paths)]
    constant = [paths[names[0]][level] for level in range(depth) if level not in varying]
    dimensions = tuple(
        Dimension(
            tuple(members[level]),
            paths[names[0]][level - 1] if level - 1 in {*range(depth)} - {*varying} else "",
        )
        for level in varying
    )
    places = {name: tuple(paths[name][level] for level in varying) for name in names}
    return [Family(".".join(constant), dimensions, places)]


# --- Flat names ----------------------------------------------------------------------------------


def _grid(names: Sequence[str]) -> list[Family]:
    """Names of two parts each, every one of which comes with nearly every other."""
    tokens = {name: _tokens(name) for name in names}
    fronts: Counter[Tokens] = Counter()
    backs: Counter[Tokens] = Counter()
    for each in tokens.values():
        for cut in range(1, len(each)):
            fronts[each[:cut]] += 1
            backs[each[cut:]] += 1
    places: dict[str, tuple[Tokens, Tokens]] = {}
    for name, each in tokens.items():
        cuts = [c for c in range(1, len(each)) if fronts[each[:c]] > 1 and backs[each[c:]] > 1]
        cuts = [c for c in cuts if part(each[:c]) and part(each[c:])]
        if cuts:
            best = max(cuts, key=lambda c: _fit(each, c, fronts, backs))
            places[name] = each[:best], each[best:]
    _add_rest(places, tokens)
    return [f for group in _components(places) if (f := _grid_family(group))]


def _add_rest(places: dict[str, tuple[Tokens, Tokens]], tokens: Mapping[str, Tokens]) -> None:
    """Names one of whose parts comes once alone, beside parts that come often."""
    often = Counter(part for each in places.values() for part in each)
    for name, each in tokens.items():
        if name not in places:
            for cut in range(1, len(each)):
                front, back = each[:cut], each[cut:]
                is_met = part(front) and part(back) and max(often[front], often[back]) > 2
                if is_met and _line_like(front, back, often):
                    places[name] = front, back
                    break


def _line_like(front: Tokens, back: Tokens, often: Counter[Tokens]) -> bool:
    """Whether the part that comes once differs from others in a number alone."""
    once = front if often[back] > 2 else back
    shape = _shape(once)
    return any(_shape(each) == shape for each in often if each not in (front, back))


def _shape(tokens: Tokens) -> Tokens:
    return tuple("#" if token.isdigit() else token for token in tokens)


def _fit(
    each: Tokens, cut: int, fronts: Counter[Tokens], backs: Counter[Tokens]
) -> tuple[int, ...]:
    at_separator = _is_separator(each[cut]) or _is_separator(each[cut - 1])
    front, back = fronts[each[:cut]], backs[each[cut:]]
    return front * back, int(at_separator), min(front, back)


def _components(
    places: Mapping[str, tuple[Tokens, Tokens]],
) -> list[dict[str, tuple[Tokens, Tokens]]]:
    """Names that hang together by a part that they share."""
    groups: list[dict[str, tuple[Tokens, Tokens]]] = []
    for name, (front, back) in places.items():
        linked = [g for g in groups if any(f == front or b == back for f, b in g.values())]
        joined = {name: (front, back)}
        for group in linked:
            groups.remove(group)
            joined = {**group, **joined}
        groups.append(joined)
    return groups


def _grid_family(group: Mapping[str, tuple[Tokens, Tokens]]) -> Family | None:
    fronts = dict.fromkeys(front for front, _ in group.values())
    backs = dict.fromkeys(back for _, back in group.values())
    if len(fronts) < 2 or len(backs) < 2 or len(group) < _COVERED * len(fronts) * len(backs):
        return None
    sides = (_dimensions([*fronts]), _dimensions([*backs]))
    dimensions = [dimension for side in sides for dimension in side[0]]
    places = {name: (*sides[0][1][f], *sides[1][1][b]) for name, (f, b) in group.items()}
    stem = " ".join(filter(None, (side[2] for side in sides)))
    return Family(stem, tuple(dimensions), places)


def _dimensions(
    tokens: Sequence[Tokens],
) -> tuple[list[Dimension], dict[Tokens, tuple[str, ...]], str]:
    """The dimensions of one part of names, mostly a single one; the place of each; the stem."""
    inner = _grid([*{"".join(each): each for each in tokens}]) if len(tokens) > 3 else []
    if len(inner) == 1 and len(inner[0].places) == len(tokens):
        family = inner[0]
        return [*family.dimensions], {e: family.places["".join(e)] for e in tokens}, family.stem
    family = _line({"".join(each): each for each in tokens})
    return (
        [*family.dimensions],
        {each: family.places["".join(each)] for each in tokens},
        family.stem,
    )


def _numbered(names: Sequence[str]) -> list[Family]:
    """Names that differ in a number or a single letter."""
    groups: dict[Tokens, dict[str, Tokens]] = defaultdict(dict)
    for name in names:
        each = _tokens(name)
        numbers = [place for place, token in enumerate(each) if token.isdigit()]
        if numbers:
            last = numbers[-1]
            groups[(*each[:last], "#", *each[last + 1 :])][name] = each
        elif each and len(each[-1]) == 1 and each[-1].isalpha():
            groups[(*each[:-1], "@")][name] = each
        elif each and len(each[0]) == 1 and each[0].isalpha():
            groups[("@", *each[1:])][name] = each
    return [_line(group) for group in groups.values() if len(group) > 1]


def _worded(names: Sequence[str]) -> list[Family]:
    """Names that begin or end with the same words."""
    found = []
    left = {name: _tokens(name) for name in names}
    for from_end in (False, True):
        groups: dict[Tokens, dict[str, Tokens]] = defaultdict(dict)
        for name, each in left.items():
            cuts = [
                c for c in range(1, len(each)) if _is_separator(each[c]) or each[c][:1].isupper()
            ]
            if cuts and from_end:
                groups[each[cuts[-1] :]][name] = each
            elif cuts:
                groups[each[: cuts[0]]][name] = each
        for stem, group in groups.items():
            if len(group) > 1 and part(stem) and stem[0] not in TURK:
                found.append(_line(group))
                left = {name: each for name, each in left.items() if name not in group}
    return found


def _line(group: Mapping[str, Tokens]) -> Family:
    """A family of one dimension: what names do not have in common at their ends."""
    tokens = [*group.values()]
    shortest = min(map(len, tokens))
    front = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    most = shortest - front
    back = next((i for i in range(most) if len({t[-1 - i] for t in tokens}) > 1), most)
    values = {name: part(each[front : len(each) - back]) for name, each in group.items()}
    before, after = part(tokens[0][:front]), part(tokens[0][len(tokens[0]) - back :])
    stem = " ".join(filter(None, (before, after)))
    places = {name: (value or "1",) for name, value in values.items()}
    beside = before or after
    return Family(
        stem, (Dimension(tuple(dict.fromkeys(p[0] for p in places.values())), beside),), places
    )
