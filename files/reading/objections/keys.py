"""What speaks against the columns that tell sources and outputs from each other."""

from collections import Counter
from collections.abc import Sequence

from files.columns.words import ASIDE
from files.reading.evidence.profiles import LONGEST_KEY, Content
from files.reading.finding import Finding
from files.reading.layouts.keys.key_names import names_key
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds
from files.reading.sentence import listed

# Outputs without a system that one source may have.
MOST_NAMELESS = 8
_TELLING = (
    *(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY),
    *(Holds.PASSAGES, Holds.PART),
)


def outputs(found: Finding) -> str:
    """Where systems do not fit to sources and outputs."""
    counts = found.counts
    if counts.systems < 2 or found.is_of_pairs:
        return ""
    inside = found.places(Axis.SYSTEM)
    texts = [s.holds[name].at for s in found.sketches for name in s.of(Holds.TEXT)]
    numbered = all(name[-1:].isdigit() and name[:-1].isalpha() for name in inside)
    if inside and numbered and not any(Axis.SYSTEM in at for at in texts):
        return f"The systems {listed([*inside])} are numbered columns."
    keys = max((len(s.of(Holds.SOURCE, Holds.OUTPUT)) for s in found.answering), default=0)
    alone = counts.outputs == counts.sources > 1 and not found.is_stated
    if alone and (keys != 1 or _has_other_key(found)):
        return f"Each of {counts.sources:,} sources has one output, of one of several systems."
    if counts.outputs > 1.5 * counts.sources * counts.systems:
        return "One system has several outputs for the same source."
    if counts.systems > 2 and counts.systems >= counts.outputs:
        return "There are as many systems as outputs."
    return ""


def _has_other_key(found: Finding) -> bool:
    """Whether a table beside the answers has ids that come again, by their name, or since none
    comes again with the same system."""
    beside = [sketch for sketch in found.sketches if sketch not in found.answering]
    return any(
        sketch.sample.comes_again([name]) > 1.3
        and (names_key(name) or _crosses(sketch, name, sketch.of(Holds.SYSTEM)))
        for sketch in beside
        for name in sketch.of(Holds.KEPT)
    )


def _crosses(sketch: Sketch, name: str, systems: Sequence[str]) -> bool:
    profile = sketch.profile(name)
    return profile.may_be_key and bool(systems) and sketch.sample.is_key([name, *systems], share=1)


def sources(found: Finding) -> str:
    """Where columns of keys hold what keys are not."""
    counts = found.counts
    for sketch, name, profile in found.columns(Holds.SOURCE, Holds.OUTPUT, Holds.RATER):
        if profile.longest > LONGEST_KEY:
            return f"`{name}` holds long texts, which are no names."
        is_date = profile.content is Content.DATES and name not in sketch.of(Holds.RATER)
        if is_date and not names_key(name) and not found.is_stated:
            return f"`{name}` holds dates, which may not say what was judged."
    if counts.systems < 2 and counts.outputs > MOST_NAMELESS * max(1, counts.sources):
        return f"Each source has about {counts.outputs // max(1, counts.sources)} outputs."
    return ""


def order(found: Finding) -> str:
    """Where rows of several files are told by their places alone, and differ in their system, or in
    what tells the rows of a file apart."""
    for sketch in found.answering:
        sample = sketch.sample
        if len(sample.tables) < 2 or sketch.of(*_TELLING):
            continue
        systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
        told = sketch.of(Holds.RATER, Holds.CRITERION)
        given = [n for n in told if not sketch.holds[n].at]
        own = [n for n in sketch.of(Holds.KEPT) if not says(n, ASIDE)]
        own = [n for n in own if sample.is_key([*given, n])]
        for names in filter(None, (systems, own[:1])):
            if row := _differs(sketch, names):
                place = f"row {row} of each of the files"
                return f"Nothing says what was judged but {place}, which differ in {listed(names)}."
    return ""


def _differs(sketch: Sketch, names: Sequence[str]) -> int:
    """The first number of a row at which files say different things; 0 where none does."""
    first: dict[int, tuple[str, ...]] = {}
    rows = Counter[int]()
    for number, said in zip(sketch.sample.files, sketch.sample.keys(names), strict=True):
        rows[number] += 1
        if first.setdefault(rows[number], said) != said:
            return rows[number]
    return 0
