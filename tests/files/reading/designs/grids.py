"""What a shape makes of a design before it becomes files: tables, nested records, and what is
right of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.files.reading.designs.design import Design, Judged

SOURCE, SYSTEM, RATER, CRITERION = "source", "system", "rater", "criterion"
EVERY = frozenset({SOURCE, SYSTEM, RATER, CRITERION})


@dataclass
class Grid:
    """One table. below: rows of names under the first one. people: who gave each row, where one
    person did. keep_order: rows mean something by their order."""

    name: str
    header: list[str]
    rows: list[list[str]]
    below: list[list[str]] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    keep_order: bool = False


@dataclass
class Written:
    """Tables or nested records by file name, and what is right.

    known: what the files tell; of raters that are not known every unit has its own. texts: those
    of outputs that the files hold. ticks: whether values are accepted positions. by_place: whether
    systems have no names, but the same places in all records. beside: whether a second file has the
    text of each output. scale: from low to high. open: what
    a person who sees only the files would have to ask, too.
    """

    answers: Sequence[Judged]
    known: frozenset[str]
    grids: list[Grid] = field(default_factory=list)
    records: dict[str, Any] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    sheets: bool = False
    ticks: bool = False
    by_place: bool = False
    beside: bool = False
    scale: tuple[str, ...] = ()
    open: str = ""


Said = Callable[[str, str], str]


@dataclass
class About:
    """The columns that tell which output a row is about."""

    columns: list[tuple[str, Said]]
    known: frozenset[str]
    texts: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [name for name, _ in self.columns]

    def cells(self, source: str, system: str) -> list[str]:
        """What a row about that output says there."""
        return [said(source, system) for _, said in self.columns]


def about(design: Design, *, with_system: bool = True, with_texts: bool | None = None) -> About:
    """Columns of the source, in one or two columns, and the system, with or without the texts; or
    texts without any id; or the id of the output."""
    draw, names = design.rng, design.names
    with_texts = draw.random() < 0.5 if with_texts is None else with_texts
    forms = ["id", "id", "id", "id", "id", "output", "output", "two"]
    form = draw.choice([*forms, *(["texts"] * 2 if with_texts else [])])
    number = {place: str(n) for n, place in enumerate(design.outputs(), 1)}
    columns: list[tuple[str, Said]] = []
    known = {RATER, CRITERION}
    if form == "output" and not design.one_system and with_system:
        columns.append((names.column("output"), lambda s, y: f"out-{number[s, y]}"))
    elif form == "two":
        place = {source: divmod(n, 4) for n, source in enumerate(design.sources)}
        columns.append((names.column("source"), lambda s, _: f"t{place[s][0]}"))
        columns.append((names.column("segment"), lambda s, _: str(place[s][1] + 1)))
    elif form != "texts":
        columns.append((names.column("source"), lambda s, _: s))
        known.add(SOURCE)
    if with_system and not design.one_system:
        columns.append((names.column("system"), lambda _, y: y))
        known.add(SYSTEM)
    if with_texts:
        if form == "texts" or draw.random() < 0.6:
            columns.append((names.column("document"), lambda s, _: design.documents[s]))
            known.add(SOURCE)
        columns.append((names.column("text"), lambda s, y: design.texts[s, y]))
    texts = frozenset(design.texts.values()) if with_texts else frozenset[str]()
    return About(columns, frozenset(known), texts)


def rated(design: Design, raters: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """(source, system, rater) of all that have an answer, of those raters where some are named."""
    found = {(s, y, r): None for s, y, r, _ in design.answers if not raters or r in raters}
    return [(s, y, r) for s, y, r in found if isinstance(y, str)]


def value_of(design: Design, source: str, system: Any, rater: str, criterion: str) -> str:
    """The answer, or nothing."""
    return design.answers.get((source, system, rater, criterion), "")


def judged_of(design: Design, keep: Callable[[Judged], bool] = lambda _: True) -> list[Judged]:
    """The answers of a design that are kept."""
    return [answer for answer in design.judged() if keep(answer)]
