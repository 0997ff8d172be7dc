"""What speaks against the columns that tell who answered, or that nobody is told."""

from itertools import chain, combinations

from files.columns.names import words_of
from files.columns.words import ANSWERS, ASIDE, CHOICES, QUALITIES, RATERS, SYSTEMS
from files.reading.evidence.profiles import Content
from files.reading.finding import Finding
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds
from files.reading.sentence import listed

MOST_IN_COLUMNS = 20
# Of rows so many may be the only ones about something where several people judged it; and so often
# what names a person stands there.
_MOST_ONCE, _FEWEST_AGAIN, _MOST_TRIED = 0.83, 1.5, 6
_UNIT = (
    *(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY),
    *(Holds.SYSTEM, Holds.CRITERION, Holds.PART),
)


def raters(found: Finding) -> str:
    """Where what names raters may not, or too many judge nothing in common."""
    counts = found.counts
    inside = found.places(Axis.RATER)
    if len(inside) > MOST_IN_COLUMNS:
        return f"{len(inside)} raters were found in columns: {listed([*inside])}."
    for sketch, name, _profile in found.columns(Holds.RATER):
        others = [n for n in sketch.of(Holds.RATER) if n != name and not sketch.holds[n].at]
        if others and not sketch.holds[name].at:
            return f"`{name}` and {listed(others)} name the rater together."
        if not says(name, RATERS) and says(name, SYSTEMS):
            return f"`{name}` may not name raters."
    one_each = counts.answers_per_unit[1] == 1 and found.tally.units_of_raters == 1
    if one_each and not found.numbered and counts.units > 2:
        return f"Each of {counts.raters:,} raters judged a single text that nobody else judged."
    return ""


def unread_raters(found: Finding) -> str:
    """A column tells apart what nameless raters said of one thing."""
    for sketch in found.answering:
        at = [sketch.holds[n].at for n in sketch.of(Holds.ANSWER)]
        unit = [n for n in sketch.of(*_UNIT) if not sketch.holds[n].at]
        if not sketch.numbered_raters or found.is_stated or any(Axis.RATER in a for a in at):
            continue
        if not unit or sketch.sample.is_key(unit, share=_MOST_ONCE):
            continue
        own = [n for n in sketch.of(Holds.KEPT) if _may_tell(sketch, n)][:_MOST_TRIED]
        for told in chain(combinations(own, 1), combinations(own, 2)):
            if sketch.sample.is_key([*unit, *told], share=0.99):
                said = f"{listed(told)} may say who answered"
                return f"{said}, as no two rows about one text are the same there."
    return ""


def _may_tell(sketch: Sketch, name: str) -> bool:
    """Whether cells may be what people are called by: some come again."""
    profile = sketch.profile(name)
    if profile.content not in (Content.LABELS, Content.CODES) or sketch.holds[name].at:
        return False
    comes_again = sketch.sample.comes_again([name]) > _FEWEST_AGAIN
    return comes_again and not profile.is_constant and not says(name, ASIDE)


def people_as_criteria(found: Finding) -> str:
    """Columns that nothing calls criteria where nobody else is said to have answered."""
    criteria = [each.criterion for each in found.reading.answers]
    alone = found.numbered and found.counts.answers_per_unit[1] == 1 and len(criteria) > 1
    told = [n for n in criteria if words_of(n) & (QUALITIES | ANSWERS | CHOICES) or "?" in n]
    if alone and found.is_of_pairs and not told:
        return f"{listed(criteria)} may be people rather than criteria."
    return ""
