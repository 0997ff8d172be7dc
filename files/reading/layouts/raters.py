"""Which column says who answered."""

from files.columns.names import MACHINE, words_of
from files.columns.rater_names import may_name_people, name_people
from files.columns.words import ANSWERS, ASIDE, IDENTITIES, QUALITIES, RATERS, REMARKS
from files.readers.json_tables import KEY
from files.reading.evidence.families import Family, families, shared
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import INPUT, Sketch, plain_name, says
from files.reading.model import Axis, Holds

_SITTINGS = ("responseid", "response_id", "sessionid", "session_id", "submission_id", "timestamp")
_MOST_RATERS = 0.7


def names_rater(sketch: Sketch, name: str) -> bool:
    """Whether a name is one of columns that say who answered, and the cells may be ids."""
    words = words_of(sketch.own_name(name))
    told = words & RATERS
    values = [*sketch.profile(name).values][:40]
    if name_people(values) or (name == KEY and may_name_people(values)):
        return True
    if not told or name.startswith(INPUT) or "?" in name:
        return _asks_who(name)
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
    paired = [f for f in families(named, sketch.paths)[0] if len(f.dimensions) == 1]
    if len(named) > 1 and paired and len(paired[0].places) == len(named):
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
    numbered = any(word.isdigit() for word in words_of(name)) and len(named) > 1
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
