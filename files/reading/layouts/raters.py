"""Which column says who answered."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from files.columns.names import MACHINE, PERSON, Role, rater_role, words_of
from files.columns.rater_names import may_name_people, name_people
from files.columns.words import ANSWERS, ASIDE, IDENTITIES, QUALITIES, RATERS, REMARKS
from files.readers.json_tables import KEY
from files.reading.doubts import Doubts, Option
from files.reading.evidence.dimensions import Family, shared
from files.reading.evidence.families import families
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import INPUT, Sketch, plain_name, says
from files.reading.model import Axis, Holds

_SITTINGS = ("responseid", "response_id", "sessionid", "session_id", "submission_id", "timestamp")
_MOST_RATERS = 0.7
_CROWD = frozenset(("worker", "workers", "crowdworker", "turker", "turkers", "crowd"))
_FEWEST_SHORT = 5
SAME = Option("rater", "those of one person each, the same in all rows")
ANYBODY = Option("anybody", "those of anybody: people are numbered within a row")
# Raters or columns that a question names.
MOST_NAMED = 6


def names_rater(sketch: Sketch, name: str) -> bool:
    """Whether a name is one of columns that say who answered, and the cells may be ids; or the
    question of such a column is."""
    words = words_of(sketch.own_name(name))
    told = words & RATERS
    values = [*sketch.profile(name).values][:40]
    if name_people(values) or (name == KEY and may_name_people(values)):
        return True
    if not told or name.startswith(INPUT) or "?" in name:
        return _asks_who(name) or _asks_who(sketch.questions.get(name, ""))
    if words & (ASIDE | REMARKS | QUALITIES) - RATERS:
        return False
    if words & (ANSWERS - RATERS - IDENTITIES - {"response"}):
        return False
    kinds = (Content.LABELS, Content.CODES, Content.NUMBERS)
    profile = sketch.profile(name)
    return profile.content in kinds and profile.longest <= 100


def _asks_who(name: str) -> bool:
    words = words_of(name)
    return (
        "your" in words and bool(words & {"id", "code", "pid"}) and "prolific" not in words
    ) or ("prolific" in words and bool(words & {"id", "pid"}))


def put_rater(sketch: Sketch) -> None:
    """Decide the column of raters, where one is named so; other ids of people are personal."""
    if sketch.of(Holds.RATER):
        return
    named = [name for name in sketch.free if names_rater(sketch, name)]
    named = [name for name in named if not _holds_labels(sketch, name, named)]
    listed = named or [n for n in sketch.of(Holds.PERSONAL) if len(sketch.paths.get(n, ())) > 1]
    paired = [f for f in families(listed, sketch.paths)[0] if len(f.dimensions) == 1]
    if len(listed) > 1 and paired and len(paired[0].places) == len(listed):
        if _has_answers_beside(sketch, paired[0]):
            for name, (place,) in paired[0].places.items():
                sketch.put(name, Holds.RATER, {Axis.POSITION: place})
        return
    named = named or [n for n in sketch.of(Holds.PERSONAL) if _tells_people(sketch, n)][:1]
    if not named:
        return
    best = max(named, key=lambda name: _fit(sketch, name))
    sketch.put(best, Holds.RATER)
    for name in named:
        if name != best:
            sketch.put(name, Holds.PERSONAL)


def _has_answers_beside(sketch: Sketch, raters: Family) -> bool:
    """Whether other columns are numbered in the same way."""
    rest = [n for n in sketch.free if n not in raters.places]
    dimensions = [d for family in families(rest, sketch.paths)[0] for d in family.dimensions]
    return any(shared(raters.dimensions[0], dimension) for dimension in dimensions)


def _tells_people(sketch: Sketch, name: str) -> bool:
    """Whether a column that is called otherwise tells several people apart who come again."""
    profile = sketch.profile(name)
    kinds = (Content.CODES, Content.LABELS)
    again = sketch.sample.comes_again([name]) > 1.3 and len(profile.values) > 1
    return profile.content in kinds and profile.share_filled > _MOST_RATERS and again


def _fit(sketch: Sketch, name: str) -> tuple[float, ...]:
    """Ids come before names; a column that is filled comes before one that is not."""
    profile = sketch.profile(name)
    return (
        round(profile.share_filled, 1),
        not profile.is_constant,
        says(name, ("worker", "annotator", "participant", "rater")),
        says(name, IDENTITIES) or "id" in plain_name(name).lower(),
    )


def _holds_labels(sketch: Sketch, name: str, named: list[str]) -> bool:
    """Whether a column called `annotator1` has labels as its neighbours have, and no names."""
    own = {*sketch.profile(name).said}
    apart = [n for n in sketch.free if n not in named or (says(n, RATERS) and not _is_id(n))]
    others = [n for n in apart if n != name and sketch.profile(n).content is Content.LABELS]
    alike = [n for n in others if _alike(own, {*sketch.profile(n).said})]
    numbered = any(word.isdigit() for word in words_of(sketch.own_name(name))) and len(named) > 1
    if numbered or words_of(name) & MACHINE:
        return bool(alike)
    return (
        bool(alike)
        and len(own) <= 12
        and sketch.profile(name).numeric > 0.9
        and not (says(name, IDENTITIES))
        and any(says(n, RATERS) for n in alike)
    )


def _is_id(name: str) -> bool:
    return bool(words_of(name) & IDENTITIES) or "." in name


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= 0.5 * max(1, min(len(one), len(other)))


def sitting(sketch: Sketch) -> str:
    """The column with an id of each sitting, where no other says who answered."""
    plain = {name: plain_name(name).lower().replace(" ", "_") for name in sketch.sample.names}
    return next(
        (n for each in _SITTINGS for n in plain if plain[n] == each and _tells_sittings(sketch, n)),
        "",
    )


def _tells_sittings(sketch: Sketch, name: str) -> bool:
    """Whether it is there as a rule, and two people did not begin in the same second."""
    profile = sketch.profile(name)
    is_apart = profile.is_unique or profile.content is not Content.DATES
    return profile.share_filled > _MOST_RATERS and is_apart


# --- Raters that numbered columns name -----------------------------------------------------------


def who_in_columns(sketch: Sketch, family: Family, index: int) -> tuple[Option, ...]:
    """Whose answers numbered columns may hold, the likeliest first. index: of the numbers among the
    parts of the names. Cells that are empty between others keep a person's place; where rows are
    filled from the first column on, nobody has one."""
    dimension = family.dimensions[index]
    words = words_of(plain_name(dimension.beside))
    coded = may_name_people([f"{dimension.beside}{value}" for value in dimension.values])
    # Of `human_scores_1` the number is that of a score.
    last = words_of(re.split(r"[\W_]+", dimension.beside)[-1])
    named = (coded or bool(words & (PERSON | RATERS))) and not (words & _CROWD or last & ANSWERS)
    some, apart = _filled(sketch, family, index)
    if not (dimension.are_numbers or dimension.are_letters) or apart > 0.1 * some:
        return (SAME,)
    if named:
        # One of two people who judged a part leaves the same gaps.
        several = some >= _FEWEST_SHORT and len(dimension.values) > 2
        return (SAME, ANYBODY) if several else (SAME,)
    return (ANYBODY,) if some else (ANYBODY, SAME)


def ask_who(sketch: Sketch, family: Family, index: int) -> None:
    """Decide whether numbered columns hold one person's answers each, or anybody's. It is asked
    where they are called people's, as these may be the first, second and third who answered."""
    options = who_in_columns(sketch, family, index)
    named = f"`{family.columns[0]}`–`{family.columns[-1]}`"
    text = f"Whose answers do the columns {named} hold?"
    taken = options[0].key
    if len(options) > 1:
        taken = sketch.doubts.decide("people", text, *options, is_asked=options[0] is SAME)
    sketch.numbered_raters = sketch.numbered_raters or taken == ANYBODY.key


def _filled(sketch: Sketch, family: Family, index: int) -> tuple[int, int]:
    """In how many rows some of the columns are filled; in how many of these one is empty before
    another one that is not."""
    columns: dict[tuple[str, ...], dict[str, str]] = {}
    for name, place in family.places.items():
        columns.setdefault((*place[:index], *place[index + 1 :]), {})[place[index]] = name
    some = apart = 0
    for each in columns.values():
        ordered = [each[value] for value in sorted(each, key=lambda v: (len(v), v))]
        for cells in sketch.sample.keys(ordered):
            filled = [bool(cell) for cell in cells]
            if any(filled) and not all(filled):
                some += 1
                apart += filled != sorted(filled, reverse=True)
    return some, apart


# --- Raters that rows name -----------------------------------------------------------------------


@dataclass(frozen=True)
class People:
    """Those who were stated: columns or raters that are people or judges, all of that kind."""

    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()

    def __contains__(self, name: str) -> bool:
        return name in self.humans or name in self.judges


@dataclass(frozen=True)
class Raters:
    """Raters that rows name: judges, and those who are left out as neither."""

    judges: tuple[str, ...]
    left_out: tuple[str, ...]


def told_raters(
    names: Collection[str], column: str, stated: People, doubts: Doubts | None = None
) -> Raters:
    """Of a kind that is not stated are those whose names say so, and people also those whose names
    say nothing, as the column says who answered."""
    roles = {name: rater_role(name) for name in names if name not in stated}
    judges = [name for name, role in roles.items() if role is Role.JUDGE and not stated.judges]
    of_judges = rater_role(column) is Role.JUDGE and not stated.judges
    asked = (Role.EITHER, Role.UNTOLD) if of_judges else (Role.EITHER,)
    open_ = [name for name, role in roles.items() if role in asked and not stated.humans]
    if not words_of(column) & MACHINE and may_name_people(names):
        open_ = [name for name in open_ if roles[name] is Role.EITHER]
    if open_ and not stated.judges and doubts is not None:
        shown = ", ".join(f"`{name}`" for name in open_[:MOST_NAMED])
        options = (Option("people", "people"), Option("judges", "judges"))
        if doubts.decide("raters", f"Who are the raters {shown}?", *options) == "judges":
            judges += open_
    of_people = (Role.UNTOLD, Role.PERSON, Role.NEITHER)
    if stated.humans:
        left = [name for name in roles if name not in judges]
    elif stated.judges:
        left = [name for name, role in roles.items() if role not in of_people]
    else:
        left = []
    judges = [*(name for name in stated.judges if name in names), *judges]
    return Raters(tuple(judges), tuple(left))


def rater_column(sketch: Sketch) -> str:
    """The column whose cells name raters, where no other says what they are."""
    columns = [name for name in sketch.of(Holds.RATER) if not sketch.holds[name].at]
    return columns[0] if len(columns) == 1 and not sketch.of(Holds.KIND) else ""
