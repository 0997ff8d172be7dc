"""Tables that say what the columns of another one are: systems, or items that were judged."""

from files.columns.words import ASIDE
from files.reading.evidence.families import families
from files.reading.evidence.profiles import Content
from files.reading.layouts.keys.key_names import names_key
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds
from files.reading.relations.joined_answers import release_answers
from files.reading.relations.joined_tables import Related

# Of the names of columns so many stand in the other table.
_MET = 0.5


def names_systems(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """Texts of the first table stand here under the names of systems, row by row."""
    ours = [n for n in main.of(Holds.TEXT) if main.holds[n].at]
    theirs = [n for n in sketch.sample.names if sketch.profile(n).content is Content.TEXTS]
    if len(ours) < 2 or len(theirs) < len(ours):
        return False
    by_cells = {tuple(main.sample.cells(n)[:50]): n for n in ours}
    equal = {n: by_cells.get(tuple(sketch.sample.cells(n)[:50])) for n in theirs}
    named = {n: own for n, own in equal.items() if own}
    if len(named) < len(ours):
        return False
    found_families = [f for f in families([*named], sketch.paths)[0] if len(f.places) == len(named)]
    if not found_families or len(found_families[0].dimensions) != 1:
        return False
    systems = {own: found_families[0].places[name][0] for name, own in named.items()}
    place_of = {own: main.holds[own].at for own in systems}
    for name, reading in [*main.holds.items()]:
        for own, at in place_of.items():
            same = all(reading.at.get(axis) == place for axis, place in at.items())
            if same and reading.at:
                rest = {a: v for a, v in reading.at.items() if a not in (Axis.SYSTEM, Axis.OUTPUT)}
                main.holds[name] = reading.model_copy(
                    update={"at": {**rest, Axis.SYSTEM: systems[own]}}
                )
                break
    main.doubts.met.pop("places", None)
    reason = "the systems' names are taken from it, since it has the same texts in the same order"
    found.left.append((sketch, reason))
    return True


def describes_items(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """The columns of the first table are called by keys that stand in a column here."""
    key = column_of_items(main, sketch)
    if not key:
        return False
    for name, reading in [*main.holds.items()]:
        if Axis.SOURCE in reading.at:
            rest = {axis: value for axis, value in reading.at.items() if axis is not Axis.SOURCE}
            at = {**rest, Axis.OUTPUT: reading.at[Axis.SOURCE]}
            main.holds[name] = reading.model_copy(update={"at": at})
    for name in main.of(Holds.KEPT):
        # Few cells of an item may be filled.
        if name in sketch.profile(key).values and main.profile(name).filled:
            main.put(name, Holds.ANSWER, {Axis.OUTPUT: name})
    _key_outputs(sketch, key)
    if found.joins:
        found.sketches.append(sketch)
    else:
        found.before(main, sketch)
    return True


def column_of_items(main: Sketch, sketch: Sketch) -> str:
    """The column here whose cells are names of columns of the first table; empty where none is."""
    items = {r.at[Axis.SOURCE] for r in main.holds.values() if Axis.SOURCE in r.at}
    if len(items) < 2:
        return ""
    told = {n: len(items & {*sketch.profile(n).values}) for n in sketch.sample.names}
    return next((n for n, met in told.items() if met >= _MET * len(items)), "")


def _key_outputs(sketch: Sketch, key: str) -> None:
    for name in sketch.of(Holds.SOURCE, Holds.OUTPUT):
        sketch.put(name, Holds.KEPT, of="output")
    sketch.put(key, Holds.OUTPUT)
    release_answers(sketch)
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    again = [
        n
        for n in sketch.of(Holds.KEPT, Holds.LEFT_OUT)
        if sketch.profile(n).may_be_key and n != key and not says(n, ASIDE)
    ]
    again = [n for n in again if sketch.sample.comes_again([n]) > 1.2]
    told = [n for n in again if names_key(n)] or [
        n for n in again if systems and sketch.sample.is_key([n, *systems], share=1)
    ]
    if told:
        sketch.put(told[0], Holds.SOURCE)


# In which order they are tried.
BY_COLUMNS = (names_systems, describes_items)
