"""Members of an object of objects, which nothing but their keys tells."""

from collections.abc import Sequence

from files.columns.names import MACHINE, PERSON, words_of
from files.columns.rater_names import may_name_people
from files.columns.words import ANSWERS, QUALITIES, RATERS
from files.readers.json_tables import KEY
from files.reading.evidence.system_names import are_systems
from files.reading.layouts.answers.axes import UNIT_KEYS, decided, is_one_scale
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds

_TELLING = MACHINE | PERSON | RATERS | QUALITIES | ANSWERS


def put_keyed(sketch: Sketch, names: Sequence[str]) -> bool:
    """Decide the members of an object of objects where nothing but keys tells what they are about
    and who answered: either may be those of the outer ones. Whether it is one."""
    flat = all(len(sketch.paths.get(name, ())) < 2 for name in names)
    told = sketch.of(Holds.RATER, Holds.SYSTEM)
    if sketch.of(*UNIT_KEYS) != [KEY] or told or not flat or len(names) < 2:
        return False
    if are_systems(names) or may_name_people(names) or any(words_of(n) & _TELLING for n in names):
        return False
    if not is_one_scale(sketch, [[name] for name in names]):
        return False
    axes = [Axis.RATER, Axis.CRITERION, Axis.SYSTEM]
    numbered = all(any(map(str.isdigit, name)) for name in names)
    axis = decided(sketch, names, [Axis.SOURCE, *axes] if numbered else [*axes, Axis.SOURCE])
    if axis is Axis.SOURCE:
        sketch.put(KEY, Holds.RATER)
    for name in names:
        sketch.put(name, Holds.ANSWER, {axis: name})
    return True
