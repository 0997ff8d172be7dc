"""Rows of tests and unfinished sittings, and answers of nobody, which may be left out."""

from files.columns.names import words_of
from files.reading.doubts import Option
from files.reading.layouts.sketch import Sketch, plain_name
from files.reading.model import Holds

_TESTS = frozenset(
    [
        "test",
        "tester",
        "testing",
        "tests",
        "tryout",
        "probe",
        "preview",
        "dummy",
        "asdf",
        "testperson",
    ]
)
_FINISHED = frozenset(
    ["finished", "complete", "completed", "submitted", "abgeschlossen", "beendet"]
)
# Of all answers so many may lack the rater, and are listed.
_MOST_NAMELESS = 0.05
_UNFINISHED = ("0", "false", "no", "nein", "incomplete", "unfinished")


def put_nameless(sketch: Sketch) -> None:
    """Decide what becomes of answers beside which the column of raters is empty."""
    raters = [name for name in sketch.of(Holds.RATER) if not sketch.holds[name].at]
    if len(raters) != 1 or not sketch.of(Holds.ANSWER):
        return
    answers = sketch.sample.keys(sketch.of(Holds.ANSWER))
    rows = zip(sketch.sample.cells(raters[0]), answers, strict=True)
    named = [bool(rater) for rater, said in rows if any(said)]
    missing = named.count(False)
    if missing <= _MOST_NAMELESS * len(named):
        return
    of = "" if sketch.sample.whole else "first "
    taken = sketch.doubts.decide(
        "nameless",
        f"`{raters[0]}` is empty beside {missing:,} of the {of}{len(named):,} answers. What "
        "becomes of them?",
        Option("left-out", "they are left out, since nobody knows who gave them"),
        Option("numbered", "all answers to a unit are numbered, and no rater has a name"),
    )
    if taken == "left-out":
        sketch.left_out[raters[0]] = ("",)
    else:
        sketch.put(raters[0], Holds.KEPT, of="answer")


def put_left_out(sketch: Sketch) -> None:
    """Decide which rows are no data: those of raters called `test`, and of sittings that were
    not finished."""
    if not sketch.of(Holds.ANSWER):
        return
    found: dict[str, tuple[str, ...]] = {}
    for name in sketch.sample.names:
        profile = sketch.profile(name)
        holds = sketch.holds[name].holds
        if holds is Holds.RATER:
            tests = tuple(value for value in profile.values if _is_test(value))
            if tests and len(tests) < 0.5 * len(profile.values):
                found[name] = tests
        elif words_of(plain_name(name)) & _FINISHED and holds is Holds.KEPT:
            values = tuple(v for v in profile.values if v.casefold() in _UNFINISHED)
            if values and len(values) < len(profile.values) <= 3:
                found[name] = values
    if not found:
        return
    rows = sum(
        any(sketch.sample.cells(name)[row] in values for name, values in found.items())
        for row in range(len(sketch.sample))
    )
    shown = ", ".join(f"`{name}` {'/'.join(values[:3])}" for name, values in found.items())
    taken = sketch.doubts.decide(
        "rows",
        f"{rows} rows look like tests or unfinished sittings ({shown}). Leave them out?",
        Option("left-out", "Yes, leave them out"),
        Option("kept", "No, read them like the others"),
    )
    if taken == "left-out":
        sketch.left_out.update(found)


def _is_test(value: str) -> bool:
    words = words_of(value)
    return bool(words & _TESTS) and not words & {"set"}
