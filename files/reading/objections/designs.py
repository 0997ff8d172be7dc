"""Whether a reading is likely: what speaks against it is asked, never passed over."""

import re
from collections.abc import Callable, Sequence

from files.columns.cells import is_number
from files.columns.names import MACHINE, words_of
from files.columns.words import (
    ANSWERS,
    ASIDE,
    BASELINES,
    CHOICES,
    CRITERIA,
    IDENTITIES,
    OF_RATERS,
    QUALITIES,
    RATERS,
    SUMMARIES,
    SYSTEMS,
)
from files.reading.evidence.likeness import alike
from files.reading.evidence.odd_values import chooses, is_beyond, is_in_step, name_criteria
from files.reading.evidence.profiles import Content
from files.reading.evidence.system_names import system_words
from files.reading.finding import Finding
from files.reading.layouts.answers.means import are_means
from files.reading.layouts.asides import left_columns
from files.reading.layouts.keys.further_keys import task_column
from files.reading.layouts.sketch import Sketch, plain_name, says, says_only
from files.reading.model import Axis, Holds
from files.reading.objections.keys import order, outputs, sources
from files.reading.objections.raters import people_as_criteria, raters, unread_raters
from files.reading.sentence import listed

_OF_SYSTEMS = MACHINE | BASELINES
_SCALES = (Content.LABELS, Content.NUMBERS)
_ID = re.compile(r"\d{3}|[0-9a-f]{12}")
_TURN = re.compile(r"[a-z]\d{1,4}")
# They say whether something holds, and name nothing.
_TRUTHS = frozenset(("true", "false", "yes", "no", "ja", "nein"))
# Fewer answers show too little of a design.
FEWEST = 8
# Of all answers so many may be given again.
MOST_AGAIN = 0.05
MOST_SYSTEMS, MOST_CRITERIA = 20, 12
# Of several columns of means a few may look like answers.
_MOST_MEANS = 0.75


def objection(found: Finding) -> str:
    """What speaks against a reading, in a sentence; nothing where it is likely."""
    if not found.reading.answers:
        return _unread(found)
    if found.counts.answers < FEWEST:
        return ""
    return next(filter(None, (check(found) for check in _CHECKS)), "")


def _unread(found: Finding) -> str:
    """Nothing is an answer, though columns name raters, criteria or judgements."""
    if found.reading.are_sources:
        return ""
    for sketch in found.sketches:
        raters = sketch.of(Holds.RATER)
        named = [
            name
            for name in sketch.of(Holds.KEPT)
            if says(name, ANSWERS | CHOICES | QUALITIES)
            and sketch.profile(name).content in (Content.LABELS, Content.NUMBERS, Content.CODES)
        ]
        if raters or (named and not found.is_stated):
            return f"No answers were found, though {listed([*raters, *named])} may belong to some."
    return ""


def again(found: Finding) -> str:
    """A rater answers many questions more than once."""
    number, every = found.tally.again, found.counts.answers
    if number < 3 or number <= MOST_AGAIN * every or found.says_repeated:
        return ""
    return f"In {number:,} of {every:,} answers a rater answers the same question again."


def _systems(found: Finding) -> str:
    if found.counts.systems > MOST_SYSTEMS:
        return f"{found.counts.systems} systems were found."
    for sketch, name, profile in found.columns(Holds.SYSTEM):
        names = [*profile.values]
        if sketch.holds[name].at:
            continue
        if names and {value.casefold() for value in names} <= _TRUTHS:
            return f"`{name}` says {listed(names)}, which do not look like systems."
        if len(names) > 2 and sum(map(is_number, names)) > 0.5 * len(names):
            return f"Most names of systems in `{name}` are numbers."
        if len(names) > 1 and all(map(_TURN.fullmatch, names)) and not says(name, SYSTEMS):
            return f"The systems in `{name}` have numbers, as {listed(names)}."
        if len(names) > 3 and sum(n == 1 for n in profile.values.values()) > 0.5 * len(names):
            return f"Most names of systems in `{name}` occur in one row only."
    return ""


def _criteria(found: Finding) -> str:
    criteria = [each.criterion for each in found.reading.answers]
    if len(criteria) > MOST_CRITERIA:
        return f"{len(criteria)} criteria were found: {listed(criteria)}."
    if ids := [name for name in criteria if _ID.search(name) and "?" not in name]:
        return f"The criteria {listed(ids)} look like ids."
    if people := [name for name in criteria if says_only(name, RATERS, IDENTITIES)]:
        return f"{listed(people)} may say who answered."
    places = found.places(Axis.SYSTEM) | found.places(Axis.RATER)
    inside = [c for c in criteria if any(len(p) > 2 and p in c != p for p in places)]
    by_system = [c for c in criteria if words_of(c) & QUALITIES and system_words(c) & _OF_SYSTEMS]
    inside += by_system if len(by_system) > 1 else []
    if inside:
        return f"The criteria {listed(inside)} have names of systems or raters in them."
    untold = [each.criterion for each in found.reading.answers if not each.title]
    if len(untold) > 1 and all(name.replace(".", "").isdigit() for name in untold):
        return f"The criteria {listed(criteria)} have numbers as names."
    return _odd_criterion(found, criteria)


def _odd_criterion(found: Finding, criteria: Sequence[str]) -> str:
    """A column of answers on a scale of its own, whose name says no criterion."""
    columns = [
        (sketch, name, profile)
        for sketch, name, profile in found.columns(Holds.ANSWER)
        if Axis.CRITERION in sketch.holds[name].at
    ]
    told = [p for _, name, p in columns if says(name, QUALITIES | ANSWERS | CHOICES)]
    for _, name, profile in columns:
        named = says(name, QUALITIES | ANSWERS | CHOICES) or "?" in name
        if told and not named and not any(alike(profile, other) for other in told):
            return f"`{name}` has a different scale from the criteria and may not be an answer."
    for _, name, profile in found.columns(Holds.CRITERION):
        known = says(name, CRITERIA | ANSWERS) or any(
            words_of(value) & QUALITIES for value in profile.values
        )
        if not known:
            return f"`{name}` may not be a criterion."
    return ""


def _untold_place(found: Finding) -> str:
    """Outputs stand beside each other, and nothing says about which of them an answer is."""
    for sketch in found.answering:
        places = {sketch.holds[n].at.get(Axis.POSITION) for n in sketch.of(Holds.TEXT)} - {None}
        answers = [n for n in sketch.of(Holds.ANSWER) if Axis.POSITION not in sketch.holds[n].at]
        if len(places) > 1 and answers and not found.is_of_pairs:
            return (
                f"It is unclear which of the {len(places)} texts in a row `{answers[0]}` is about."
            )
    return ""


def _answers(found: Finding) -> str:
    """Whether columns of answers hold those of one kind."""
    forms = {each.criterion: each.form for each in found.reading.answers}
    for sketch, name, profile in found.columns(Holds.ANSWER):
        at = sketch.holds[name].at
        form = forms.get(at.get(Axis.CRITERION, ""), "")
        if profile.separator and form not in ("set", ""):
            several = next(value for value in profile.values if profile.separator in value)
            return f"Cells of `{name}` hold several values, as `{several}`."
        others = [p for s, n, p in found.columns(Holds.ANSWER) if n != name and s is sketch][:20]
        is_named = Axis.RATER in at and profile.numeric < 0.9 and form != "choice"
        if is_named and others and not any(alike(profile, other) for other in others):
            return f"`{name}` holds different values from the columns of other raters."
        if form == "scale" and chooses(profile):
            return f"`{name}` says {listed(sorted(profile.said))}, but no pairs were found."
    return ""


def _values(found: Finding) -> str:
    """Whether columns of answers hold answers at all."""
    for _, name, profile in found.columns(Holds.ANSWER):
        if name_criteria(profile):
            return f"The values of `{name}` are names of criteria."
        if is_beyond(profile):
            return f"The values of `{name}` do not fit a scale."
        if not profile.numeric > 0.9 and len(profile.said) > 0.6 * profile.filled > 12:
            return f"Most values of `{name}` occur only once."
    return ""


def _left(found: Finding) -> str:
    if found.is_stated:
        return ""
    left = [name for sketch in found.answering for name in left_columns(sketch)]
    if not left:
        return ""
    verb = "is" if len(left) == 1 else "are"
    return f"{listed(left, 12)} {verb} called like columns with answers, and not read as such."


def _beside(found: Finding) -> str:
    """Columns that may tell texts apart where each row is one of its own."""
    counts = found.counts
    alone = counts.answers_per_unit[1] == 1 and not counts.judges
    if not alone and (counts.systems > 1 or not counts.sources == counts.units > 1):
        return ""
    for sketch in found.sketches:
        for name in sketch.of(Holds.KEPT):
            profile = sketch.profile(name)
            told = sketch.holds[name].of == "rater" or len(profile.values) >= counts.units
            if is_in_step(profile) and not told:
                times = profile.filled // len(profile.values)
                return f"Each row is one text's, though each value of `{name}` comes {times} times."
    return ""


def _finer(found: Finding) -> str:
    """Whether a platform counts more tasks than there are units."""
    for sketch in found.answering:
        task = task_column(sketch)
        number = len(sketch.profile(task).values) if task else 0
        if number > 1.1 * found.counts.units and found.numbered and not found.counts.sampled:
            return f"`{task}` has {number:,} tasks, though there are {found.counts.units:,} units."
    return ""


def _set_aside(found: Finding) -> str:
    """Several columns of few values whose names say that somebody judged."""
    for sketch in found.answering:
        named = [n for n in sketch.of(Holds.KEPT, Holds.REASON) if _may_be_judged(sketch, n)]
        if len(named) > 1 and not found.is_stated:
            return f"{listed(named)} may hold answers, and are not read as such."
    return ""


def _may_be_judged(sketch: Sketch, name: str) -> bool:
    words = words_of(plain_name(name))
    told = words & (ANSWERS | QUALITIES) and not words & (SUMMARIES | ASIDE | OF_RATERS)
    return bool(told) and sketch.profile(name).content in _SCALES


def _means(found: Finding) -> str:
    columns = [(name, profile) for _, name, profile in found.columns(Holds.ANSWER)]
    alone = found.numbered and found.counts.answers_per_unit[1] == 1
    means = sum(are_means(name, profile) for name, profile in columns)
    if alone and columns and means >= _MOST_MEANS * len(columns):
        return f"{listed([name for name, _ in columns])} may be means, which nobody answered."
    return ""


_CHECKS: tuple[Callable[[Finding], str], ...] = (
    *(again, _systems, outputs, sources, order, _criteria, raters, unread_raters),
    *(people_as_criteria, _untold_place, _answers, _values, _left, _finer, _set_aside, _means),
    _beside,
)
