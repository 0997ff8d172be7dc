"""Columns that are set aside though others of their family are answers."""

from files.reading.evidence.families import families
from files.reading.evidence.likeness import alike
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import Sketch, numberless
from files.reading.model import Holds

_LABELS = (Content.LABELS, Content.NUMBERS)


def left_columns(sketch: Sketch) -> list[str]:
    """Those whose names differ from that of an answer in a number, or in a part, and whose cells
    are like its cells."""
    answers = sketch.of(Holds.ANSWER)
    numbered = {*map(numberless, answers)} - {""}
    aside = [n for n in sketch.of(Holds.KEPT, Holds.LEFT_OUT) if n not in sketch.mirrored]
    kept = [name for name in aside if sketch.profile(name).filled]
    found = [name for name in kept if numberless(name) in numbered]
    free = [n for n in kept if n not in found and sketch.profile(n).content in _LABELS]
    for family in families([*answers, *free], sketch.paths)[0]:
        read = [name for name in family.places if name in answers]
        if read and (family.dimensions[0].are_numbers or len(read) > 1):
            found += [n for n in family.places if n in free and _is_like(sketch, n, read)]
    return found


def _is_like(sketch: Sketch, name: str, answers: list[str]) -> bool:
    profile = sketch.profile(name)
    return any(alike(profile, sketch.profile(other)) for other in answers[:20])
