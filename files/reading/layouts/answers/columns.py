"""Which columns hold answers."""

from collections import Counter
from collections.abc import Iterable, Sequence

from files.columns.cells import MOST_POINTS
from files.columns.names import MACHINE, PERSON, words_of
from files.columns.rater_names import are_accounts
from files.columns.words import (
    IDENTITIES,
    ITEMS,
    RATERS,
)
from files.reading.doubts import Option
from files.reading.evidence.dimensions import Family
from files.reading.evidence.families import families
from files.reading.evidence.likeness import alike, share_scale
from files.reading.evidence.profiles import Content, Profile
from files.reading.layouts.answers.axes import FEW, MANY, Rows, put_family, told_axis
from files.reading.layouts.answers.machines import machines_columns, put_machines
from files.reading.layouts.answers.scales import scale_of
from files.reading.layouts.answers.single_answers import names_criterion, put_single
from files.reading.layouts.keys.key_names import may_answer
from files.reading.layouts.keys.keyed_members import put_keyed
from files.reading.layouts.outputs import Places
from files.reading.layouts.sketch import INPUT, Sketch, numberless, plain_name, says, says_only
from files.reading.model import Axis, Holds

# Rows with the same one of many labels, on average.
_LABELS_AGAIN = 1.5
# So many columns of answers show what others beside them are.
_SEVERAL = 4
# Names of answers, or of what somebody knew beforehand.
_MAY_DESCRIBE = ("category", "class", "type", "response", "verdict", "decision", "kategorie")


def answer_candidates(sketch: Sketch) -> list[str]:
    """Free columns that may hold answers."""
    return [name for name in sketch.free if _may_hold(sketch, name)]


def _may_hold(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if name.startswith(INPUT):
        return False
    if profile.content is Content.LABELS:
        return not (
            says(name, IDENTITIES) and not may_answer(sketch, name) and not _is_numbered(name)
        )
    if profile.content is Content.NUMBERS:
        return not says(name, IDENTITIES - {"nummer", "number"}) or _is_numbered(name)
    if profile.content is Content.CODES:
        return (bool(profile.separator) and may_answer(sketch, name)) or _are_few(sketch, name)
    return False


def _are_few(sketch: Sketch, name: str) -> bool:
    """Whether a column of few rows is one of many with the same few values, and names that differ
    in a number."""
    alike = sketch.numbered.get(numberless(name), ())
    cells = [cell for each in alike for cell in sketch.profile(each).cells]
    pooled = Profile(name, cells, len(cells))
    return len(alike) >= MANY > sketch.profile(name).filled and pooled.is_categorical


def _has_number(name: str) -> bool:
    return any(map(str.isdigit, name))


def _is_numbered(name: str) -> bool:
    return name.strip().isdigit()


def put_answers(
    sketch: Sketch, places: Sequence[Places], chosen: Iterable[str], rows: Rows
) -> None:
    """Decide the columns of answers among the free ones. places: of texts beside each other.
    chosen: columns that choose one of two."""
    chosen, candidates = [*chosen], answer_candidates(sketch)
    machines = machines_columns(sketch, candidates, rows) if not chosen else []
    for name in machines:
        sketch.put(name, Holds.KEPT)
    people = [name for name in candidates if name not in machines]
    names = chosen or _of_one_question(sketch, _answering(sketch, people, rows))
    _put_peoples(sketch, places, names, rows)
    put_machines(sketch, machines)


def _put_peoples(
    sketch: Sketch, places: Sequence[Places], names: Sequence[str], rows: Rows
) -> None:
    names = _with_siblings(sketch, names) or _of_many_labels(sketch, rows)
    if put_keyed(sketch, names):
        return
    if _are_items(sketch, names, rows):
        for name in names:
            sketch.put(name, Holds.ANSWER, {Axis.SOURCE: name})
        return
    found, single = families(names, sketch.paths)
    for family in [f for f in found if _is_by_chance(sketch, f, names, places, rows)]:
        found.remove(family)
        single = [name for name in names if name in (*single, *family.places)]
    for family in found:
        put_family(sketch, family, places, rows)
    if single:
        put_single(sketch, single, places, rows)
    for name in sketch.of(Holds.ANSWER):
        if sketch.profile(name).separator and places and places[0].axis is Axis.POSITION:
            sketch.set_columns = (*sketch.set_columns, name)


def _with_siblings(sketch: Sketch, names: Sequence[str]) -> list[str]:
    """The same with columns whose names differ from theirs in a number, as few cells of these may
    be filled."""
    shapes = {numberless(name) for name in names} - {""}
    kinds = (Content.LABELS, Content.NUMBERS)
    accounts = are_accounts(names)
    said = {value for name in names for value in sketch.profile(name).said}

    def is_one(name: str) -> bool:
        profile = sketch.profile(name)
        told = profile.content in kinds or {*profile.said} <= said
        is_account = accounts and are_accounts((name, name))
        # Of a wide table the cells of a column may be too few to show a scale.
        is_sparse = len(names) >= _SEVERAL and {*profile.said} <= said and bool(profile.said)
        akin = numberless(name) in shapes or is_account or (is_sparse and not_read(profile))
        return name in sketch.free and akin and told

    def not_read(profile: Profile) -> bool:
        return profile.content not in kinds

    return [name for name in sketch.sample.names if name in names or is_one(name)]


def _are_items(sketch: Sketch, names: Sequence[str], rows: Rows) -> bool:
    """Whether each of many columns of a form is an item under its own name: its name is no
    criterion's, and no two parts of names come together again and again."""
    if not rows.is_form or rows.has_unit or len(names) < MANY or any(map(names_criterion, names)):
        return False
    grids = [f for f in families(names, sketch.paths)[0] if len(f.dimensions) > 1]
    return sum(len(family.places) for family in grids) < 0.5 * len(names)


def _of_many_labels(sketch: Sketch, rows: Rows) -> list[str]:
    """Where rows tell the rater: a column that may hold answers, and has more labels than scales
    have."""
    fit = [
        name
        for name in sketch.free
        if sketch.profile(name).content is Content.CODES
        and (may_answer(sketch, name) or says_only(name, _MAY_DESCRIBE))
        and sketch.sample.comes_again([name]) > _LABELS_AGAIN
    ]
    number = len(sketch.profile(fit[0]).said) if fit else 0
    if number <= MOST_POINTS or not rows.has_rater:
        return []
    taken = sketch.doubts.decide(
        "many-labels",
        f"`{fit[0]}` has {number:,} different values, more than the {MOST_POINTS} that answers may "
        "have. What are they?",
        Option("own", "they describe the texts, and are kept beside them"),
        Option("answers", f"answers: put them into {MOST_POINTS} groups or fewer in the file"),
    )
    return fit[:1] if taken == "answers" else []


def _is_by_chance(
    sketch: Sketch,
    family: Family,
    names: Sequence[str],
    places: Sequence[Places],
    rows: Rows,
) -> bool:
    """Whether names have a word in common as `new_info` and `amount_info` have, beside others."""
    if len(family.dimensions) > 1 and len(family.places) == len(names) >= MANY:
        return False
    if rows.is_form and len(names) >= MANY:
        told = [told_axis(sketch, d, places, rows) for d in family.dimensions]
        return Axis.CRITERION not in told and Axis.SOURCE not in told
    if len(family.dimensions) > 1 or len(family.places) == len(names):
        return False
    (dimension,) = family.dimensions
    if dimension.are_numbers or dimension.are_letters:
        return False
    return told_axis(sketch, dimension, places, rows) is None


def _answering(sketch: Sketch, names: Sequence[str], rows: Rows) -> list[str]:
    """Those of the candidates that hold answers: by their names, or since they have the values of
    others that do, or since what they say changes while what the row is about stays the same."""
    told = [name for name in names if may_answer(sketch, name) or _names_somebody(name)]
    if len(told) == 1 and says_only(told[0], _MAY_DESCRIBE, IDENTITIES):
        told = [] if not (rows.has_rater or rows.come_again) else told
    if not rows.has_rater and len(sketch.sample) > FEW:
        # What is the same in all rows tells nothing of any.
        told = [n for n in told if not sketch.profile(n).is_constant]
    rest = [name for name in names if name not in told]
    if not told:
        return _untold(sketch, rest, rows)
    same = [
        name
        for name in rest
        if any(_is_like(sketch.profile(name), sketch.profile(other)) for other in told)
        and not _is_own(sketch, name, rows)
        and (_has_number(name) or not says_only(name, ITEMS, IDENTITIES))
    ]
    return [name for name in names if name in told or name in same]


def _is_like(one: Profile, other: Profile) -> bool:
    if one.is_categorical:
        return alike(one, other)
    return one.content is other.content and share_scale(one, other)


def _of_one_question(sketch: Sketch, names: Sequence[str]) -> list[str]:
    """Where a form has the words of its questions: those that begin as most of them do."""
    asked = {name: " ".join(sketch.questions.get(name, "").split()[:3]) for name in names}
    if not any(asked.values()):
        return [*names]
    most, n = Counter(asked.values()).most_common(1)[0]
    return [name for name in names if asked[name] == most] if n > 2 else [*names]


def _names_somebody(name: str) -> bool:
    return bool(words_of(plain_name(name)) & (PERSON | RATERS | MACHINE))


def _untold(sketch: Sketch, names: Sequence[str], rows: Rows) -> list[str]:
    groups = [[name] for name in names if not _is_own(sketch, name, rows)]
    merged: list[list[str]] = []
    for (name,) in groups:
        home = next((g for g in merged if alike(sketch.profile(g[0]), sketch.profile(name))), None)
        if home is None:
            merged.append([name])
        else:
            home.append(name)
    several = [group for group in merged if len(group) > 1]
    if len(several) == 1:
        return several[0]
    if several:
        return [name for group in several for name in group]
    numbers = [g[0] for g in merged if sketch.profile(g[0]).numeric > 0.9]
    if len(numbers) == 1:
        return numbers
    lone = [group[0] for group in merged]
    if len(lone) < 2 and not (rows.has_rater or rows.come_again):
        return _own_or_answers(sketch, lone)
    if len(lone) < 2:
        return lone
    sketch.is_doubtful = not (rows.has_rater or rows.come_again)
    key = "own-answers" if sketch.is_doubtful else "answers"
    likely = numbers or sorted(lone, key=lambda name: not _is_ordered(sketch.profile(name)))
    options = [Option(name, f"`{name}` holds the answers") for name in likely[:4]]
    return [sketch.doubts.decide(key, "Which column holds the answers?", *options)]


def _is_ordered(profile: Profile) -> bool:
    return scale_of("", profile.said).level != "nominal"


def _own_or_answers(sketch: Sketch, names: list[str]) -> list[str]:
    """A column of few values beside texts may be what somebody answered, or their category."""
    if not names:
        return []
    sketch.is_doubtful = True
    taken = sketch.doubts.decide(
        "own",
        f"Does `{names[0]}` hold answers of somebody who judged the texts?",
        Option("own", "no, it describes the texts"),
        Option("answers", "yes, they are answers"),
    )
    return names if taken == "answers" else []


def _is_own(sketch: Sketch, name: str, rows: Rows) -> bool:
    """Whether a column says the same of all rows about one thing, and is no answer to it."""
    keys = sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.SYSTEM, Holds.TEXT, Holds.DOCUMENT)
    if not keys or (not rows.come_again and not rows.has_rater):
        return False
    sample = sketch.sample
    again = sample.comes_again(keys) > 1.3
    one = next((k for k in (*sketch.of(Holds.SOURCE),) if sample.comes_again([k]) > 1.3), "")
    by_source = bool(one) and sample.determines([one], name, share=0.999)
    return by_source or (again and sample.determines(keys, name, share=0.999))
