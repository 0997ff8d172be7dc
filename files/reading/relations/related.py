"""Which tables of different columns are read, and in which order."""

from collections.abc import Sequence

from files.reading.doubts import Doubts, Option
from files.reading.layouts.answers.forms import criteria_of
from files.reading.layouts.file_names import share_names
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds
from files.reading.relations.joined_answers import release_answers
from files.reading.relations.joined_tables import BY_ROWS, Related
from files.reading.relations.named_columns import BY_COLUMNS, column_of_items
from files.reading.sentence import listed

# What answers may be about.
_JUDGED = (
    *(Holds.SOURCE, Holds.OUTPUT, Holds.SYSTEM, Holds.TEXT, Holds.PART),
    *(Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY),
)
# Of the statements in the shorter one of two samples so many are in both.
_LISTED = 0.8


def related(sketches: Sequence[Sketch]) -> Related:
    """How the tables belong together; those that belong to no other are read by themselves."""
    found = Related()
    if any(s.of(Holds.ANSWER) and not s.is_doubtful for s in sketches):
        _release_doubtful([s for s in sketches if s.is_doubtful])
    for sketch in sketches:
        if any(column_of_items(other, sketch) for other in sketches if other is not sketch):
            _release(sketch)
    mains = [s for s in sketches if s.of(Holds.ANSWER)] or [*sketches]
    ordered = sorted(mains, key=_weight, reverse=True)
    found.sketches.append(ordered[0])
    rest = ordered[1:] + [s for s in sketches if s not in mains]
    waiting: list[Sketch] = []
    for sketch in rest:
        if not _place(found, sketch):
            waiting.append(sketch)
    for sketch in waiting:
        if _place(found, sketch):
            continue
        if sketch.of(Holds.ANSWER):
            found.sketches.append(sketch)
        elif any(s.of(Holds.ANSWER) for s in found.sketches):
            found.left.append((sketch, "nothing in it belongs to the answers"))
        else:
            found.sketches.append(sketch)
    return found


def _release(sketch: Sketch) -> None:
    """Keep what may be answers beside those of another table."""
    if names := sketch.of(Holds.ANSWER):
        told = f"{sketch.files}: {listed(names)} may be answers, and are kept beside the others."
        sketch.remarks.append(("released", told))
    release_answers(sketch)


def _release_doubtful(sketches: Sequence[Sketch]) -> None:
    """Take back what may be answers, beside tables that hold some without a doubt."""
    for sketch in sketches:
        _release(sketch)
        met = sketch.doubts.met
        for key in [key for key in met if key.startswith("own")]:
            met.pop(key)


def _weight(sketch: Sketch) -> tuple[float, ...]:
    texts, answers = len(sketch.of(Holds.TEXT)), len(sketch.of(Holds.ANSWER))
    return (answers > 0 and texts > 0, sketch.pairs, answers, texts, len(sketch.sample))


def _place(found: Related, sketch: Sketch) -> bool:
    """Whether the table belongs to one that is placed, and has its place."""
    for main in [*found.sketches]:
        if id(main) in found.joins:
            continue
        # Rows are joined to those of the first table alone.
        ways = (*BY_COLUMNS, *BY_ROWS) if main is found.sketches[0] else BY_COLUMNS
        if any(way(found, main, sketch) for way in ways):
            return True
    return False


def chosen_designs(found: Related, doubts: Doubts) -> Related:
    """The same with the tables of one design, where several stand beside each other that have no
    source in common: they are several studies, or one."""
    alone = [s for s in found.sketches if s.of(Holds.ANSWER) and id(s) not in found.joins]
    lists = [s for s in alone if _is_list(s, [other for other in alone if other is not s])]
    if len(lists) < len(alone):
        alone = [s for s in alone if s not in lists]
        found.sketches = [s for s in found.sketches if s not in lists]
        found.left += [(sketch, "it is a list, and nobody's answers") for sketch in lists]
    if len(alone) < 2:
        return found
    share_names(alone)
    options = [
        Option(f"only-{number}", f"{sketch.files} alone")
        for number, sketch in enumerate(alone[:3], 1)
    ]
    together = [Option("all", "all of them as one study")] if _are_apart(alone) else []
    taken = doubts.decide(
        "files",
        f"The files hold answers of {len(alone)} designs. Which should be read?",
        *together,
        *options,
    )
    if taken == "all":
        return found
    kept = alone[int(taken.removeprefix("only-")) - 1]
    dropped = [s for s in alone if s is not kept]
    found.left += [(sketch, "it is of another design") for sketch in dropped]
    # A table that is joined to one that is dropped goes with it.
    keeps = True
    remaining = []
    for sketch in found.sketches:
        if id(sketch) not in found.joins:
            keeps = sketch not in dropped
        if keeps:
            remaining.append(sketch)
        elif sketch not in dropped:
            found.left.append((sketch, "what it belongs to is left out"))
    found.sketches = remaining
    return found


def _is_list(sketch: Sketch, others: Sequence[Sketch]) -> bool:
    """Whether a table names nobody who answered, and either nothing that was judged or the very
    statements that people judged in another one."""
    if not sketch.numbered_raters:
        return False
    if not sketch.of(*_JUDGED):
        return True
    listed = {value for name in sketch.of(Holds.TEXT) for value in sketch.profile(name).values}
    asked = {
        value
        for other in others
        for name in other.of(Holds.PART)
        for value in other.profile(name).values
    }
    fewer = min(len(asked), len(listed))
    return bool(fewer) and len(asked & listed) >= _LISTED * fewer


def _are_apart(sketches: Sequence[Sketch]) -> bool:
    """Whether tables can be read as one study: answers of different forms to a criterion of one
    name become two criteria, unless cells name it. Units of one text and of pairs are of two."""
    if len({sketch.pairs for sketch in sketches}) > 1:
        return False
    forms: dict[str, set[str]] = {}
    for sketch in sketches:
        for criterion in criteria_of(sketch):
            forms.setdefault(criterion, set()).add(_form(sketch))
    clashing = [criterion for criterion, met in forms.items() if len(met) > 1]
    if not clashing:
        return True
    for sketch in sketches:
        if _form(sketch) == "scale":
            continue
        if sketch.of(Holds.CRITERION):
            return False
        for name in sketch.of(Holds.ANSWER):
            criterion = sketch.holds[name].at.get(Axis.CRITERION, "")
            if criterion in clashing:
                said = f"{criterion} ({_form(sketch)})" if criterion else _form(sketch)
                sketch.change(name, {Axis.CRITERION: said})
    return True


def _form(sketch: Sketch) -> str:
    return "preference" if sketch.pairs else "accepted" if sketch.set_columns else "scale"
