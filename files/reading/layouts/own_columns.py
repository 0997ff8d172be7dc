"""Columns that stay with what they describe."""

from files.columns.names import personal
from files.columns.words import DOCUMENTS, OF_RATERS, REMARKS
from files.reading.evidence.profiles import LONGEST_KEY, Content
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import MATERIAL, Axis, ColumnReading, Holds

_ABOUT = (Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES)
_OF_ONE = 0.95


def put_own(sketch: Sketch) -> None:
    """Decide the free columns, and say of all own columns what they describe."""
    for name in sketch.free:
        profile = sketch.profile(name)
        asked = sketch.questions.get(name, "")
        is_personal = personal(name, [*profile.values][:50]) or personal(asked)
        sketch.put(name, Holds.PERSONAL if is_personal else Holds.KEPT)
    for name in sketch.of(Holds.KEPT):
        reading = sketch.holds[name]
        if _is_reason(sketch, name):
            sketch.put(name, Holds.REASON)
        else:
            sketch.holds[name] = reading.model_copy(update={"of": _described(sketch, name)})


def _is_reason(sketch: Sketch, name: str) -> bool:
    """Whether a remark stands beside the only answers of a row."""
    answers = sketch.of(Holds.ANSWER)
    if not says(name, REMARKS) or len(answers) != 1 or sketch.holds[name].at:
        return False
    if says(name, ("clicks",)) or any(r.holds is Holds.REASON for r in sketch.holds.values()):
        return False
    return sketch.profile(name).content in (Content.TEXTS, Content.CODES, Content.LABELS)


def _described(sketch: Sketch, name: str) -> str:
    if Axis.POSITION in sketch.holds[name].at:
        return "output"
    sample = sketch.sample
    raters = [n for n in sketch.of(Holds.RATER) if not sketch.holds[n].at]
    of_rater = raters and sample.determines(raters, name, share=_OF_ONE)
    if raters and of_rater and (says(name, OF_RATERS) or not sketch.profile(name).is_constant):
        again = sample.comes_again(raters) > 1.5
        if says(name, OF_RATERS) or (again and not _of_unit(sketch, name)):
            return "rater"
    return _of_unit(sketch, name) or "answer"


def _of_unit(sketch: Sketch, name: str) -> str:
    sample = sketch.sample
    source = [n for n in sketch.of(Holds.SOURCE) if not sketch.holds[n].at] or [
        n for n in sketch.of(*_ABOUT) if sketch.profile(n).longest > LONGEST_KEY
    ][:1]
    if source and sample.determines(source, name, share=0.999):
        return "source"
    kinds = (Holds.OUTPUT, Holds.SYSTEM, Holds.TEXT)
    output = [n for n in sketch.of(*kinds) if not sketch.holds[n].at]
    output += [n for n in sketch.of(Holds.SYSTEM, Holds.TEXT) if sketch.pairs and n not in output]
    unit = [*source, *output]
    if not unit or not sample.determines(unit, name, share=0.999):
        return ""
    if sample.comes_again(unit) < 1.1 and not says(name, DOCUMENTS):
        return "unit"
    return "unit" if sketch.pairs else "output"


def columns_of(sketch: Sketch) -> tuple[ColumnReading, ...]:
    """The decided columns in the order of the file."""
    decided = (sketch.holds[name] for name in sketch.sample.names if name in sketch.holds)
    return tuple(
        each.model_copy(update={"tag": sketch.tags[each.column]})
        if each.holds in MATERIAL and each.column in sketch.tags
        else each
        for each in decided
    )
