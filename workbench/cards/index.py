"""A page that anybody can host: judges by tasks, from a folder of bundles.

It holds no number that did not come out of a bundle's own data, and asks nobody for anything.
"""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.template.loader import render_to_string

from estimates.data.bundles.files import BundleError
from workbench.cards.card import Card, CardFigure, Part
from workbench.cards.recount import check_bundle
from workbench.cards.sentences import complaint_about
from workbench.cards.writing import FORMS, as_html, interval_text, named, styles

CARDS, BUNDLES = "cards", "bundles"
WRONG, CARDLESS, UNREADABLE = (
    "a number of its cards does not come out of its data",
    "it has no cards",
    "it is no bundle, or not as it was exported",
)


class NoIndex(ValueError):
    """There is nothing to make an index of, or no place for it; the message says so."""


@dataclass(frozen=True)
class LeftOut:
    """A bundle that is not in the index. reason: in words that the page may show; detail: all that
    is known."""

    bundle: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Task:
    """A column: a block of the study of a bundle. sha256: of the bundle; caution: what is to be
    said beside its figures."""

    bundle: str
    block: str
    title: str
    sha256: str
    caution: str


@dataclass(frozen=True)
class Row:
    """A judge by its definition: the same one has the same fingerprint in every study."""

    name: str
    model: str
    fingerprint: str


@dataclass(frozen=True)
class ShownNumber:
    """A number in a cell, with what people reach among themselves."""

    title: str
    value: str
    interval: str
    people: str
    of: str


@dataclass(frozen=True)
class Cell:
    """A card in the index: where it lies, and its main numbers. stated: how many figures of the
    card are not shown, as no bundle recomputes them."""

    href: str
    version: int
    numbers: Sequence[ShownNumber]
    n: str
    is_stated: bool


@dataclass(frozen=True)
class Built:
    """What an index came to."""

    cards: int
    judges: int
    tasks: int
    left_out: Sequence[LeftOut]


@dataclass(frozen=True)
class _Entry:
    task: Task
    card: Card
    is_stated: bool

    @property
    def row(self) -> Row:
        judge = self.card.judge
        told = judge.fingerprint or f"imported as version {judge.version}"
        return Row(judge.name, judge.model, told)


def build_index(folder: Path, out: Path, *, with_bundles: bool = True) -> Built:
    """Write the index of the bundles in a folder into a new one. NoIndex where there is no card in
    them, or the new folder holds something already; then nothing is written."""
    if not folder.is_dir() or not (paths := sorted(folder.glob("*.zip"))):
        raise NoIndex(f"{folder}: no folder with bundles (FILE.zip)")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise NoIndex(f"{out}: holds something already; name a new folder")
    entries, left_out = _read(paths)
    if not entries:
        why = "; ".join(f"{each.bundle}: {each.detail}" for each in left_out)
        raise NoIndex(f"{folder}: no bundle has a card to show: {why}")
    files = dict(zip(named([entry.card for entry in entries]), entries, strict=True))
    _write_cards(out / CARDS, files)
    if with_bundles:
        (out / BUNDLES).mkdir()
        for bundle in {entry.task.bundle for entry in entries}:
            shutil.copyfile(folder / bundle, out / BUNDLES / bundle)
    grid = _grid(files)
    context = {
        "rows": grid.rows,
        "tasks": grid.tasks,
        "left_out": left_out,
        "bundles": BUNDLES if with_bundles else "",
        "style": styles(),
    }
    page = render_to_string("workbench/card_index.html", context)
    (out / "index.html").write_text(page, encoding="utf-8")
    return Built(len(entries), len(grid.rows), len(grid.tasks), left_out)


def _read(paths: Sequence[Path]) -> tuple[list[_Entry], list[LeftOut]]:
    entries, left_out = list[_Entry](), list[LeftOut]()
    for path in paths:
        try:
            cards = check_bundle(path)
        except BundleError as error:
            left_out.append(LeftOut(path.name, UNREADABLE, str(error)))
            continue
        complaint = complaint_about(cards)
        if complaint or not cards:
            reason = WRONG if complaint else CARDLESS
            left_out.append(LeftOut(path.name, reason, complaint or reason))
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        for checked in cards:
            said = checked.card.task
            task = Task(path.name, said.block, said.title, digest, checked.card.caution)
            entries.append(_Entry(task, checked.shown, bool(checked.stated)))
    return entries, left_out


def _write_cards(folder: Path, files: dict[str, _Entry]) -> None:
    folder.mkdir(parents=True)
    for name, entry in files.items():
        for end, form in FORMS.items():
            is_page = end == "html"
            text = as_html(entry.card, back="../index.html") if is_page else form(entry.card)
            (folder / f"{name}.{end}").write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class _Grid:
    """The table of the page: judges with their cells, a list of cards for each task."""

    tasks: Sequence[Task]
    rows: Sequence[tuple[Row, Sequence[Sequence[Cell]]]]


def _grid(files: dict[str, _Entry]) -> _Grid:
    tasks = list(dict.fromkeys(entry.task for entry in files.values()))
    rows = sorted({entry.row for entry in files.values()}, key=lambda r: (r.name, r.fingerprint))
    return _Grid(tasks, [(row, [list(_cells(files, row, task)) for task in tasks]) for row in rows])


def _cells(files: dict[str, _Entry], row: Row, task: Task) -> Iterator[Cell]:
    for name, entry in files.items():
        if entry.row == row and entry.task == task:
            numbers = list(_main(entry.card))
            n = next((f"n = {f.n}" for f in numbers if f.n is not None), "")
            shown = [_shown(figure, named=len(entry.card.task.facets) > 1) for figure in numbers]
            version = entry.card.judge.version
            yield Cell(f"{CARDS}/{name}.html", version, shown, n, entry.is_stated)


def _main(card: Card) -> Iterator[CardFigure]:
    """Of each facet the first number of agreement that is defined, and that of a look."""
    for part in (Part.AGREEMENT, Part.SEALED):
        seen = set[str]()
        for figure in card.figures:
            if figure.part is part and figure.value is not None and figure.facet not in seen:
                seen.add(figure.facet)
                yield figure


def _shown(figure: CardFigure, *, named: bool) -> ShownNumber:
    return ShownNumber(
        title=f"{figure.facet}: {figure.about}" if named else figure.about,
        value=f"{figure.value:.3f}",
        interval=interval_text(figure),
        people="" if figure.people is None else f"{figure.people:.3f}",
        of=", ".join(filter(None, [figure.half.value, figure.look])),
    )
