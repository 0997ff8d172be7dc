"""Cards of a bundle, held against the numbers that the bundle's own data give."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agreement.sequences.spending import confidence_of_look
from estimates.data.bundles import layout as files
from estimates.data.bundles.reader import BundleRecords, opened_records
from estimates.data.options import Options
from estimates.data.raters import RaterKind, RaterOrigin
from estimates.data.ratings import ratings_of
from estimates.data.table import build_table
from estimates.report.cache import Report, report_of_bundle
from estimates.report.live import as_shown
from judges.methods.asks import prompt_hash
from workbench.cards.basis import Basis, Labels, Looked
from workbench.cards.card import Card, CardFigure, Part, from_json
from workbench.cards.prices import paid_for
from workbench.cards.writing import FORMS, layout
from workbench.figures import about, compared_facets, measure
from workbench.models import halves_in_words

# Where two machines add up in another order.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
# What may be stated without data behind it.
MAY_BE_STATED = (Part.DRIFT, Part.SEALED)


@dataclass(frozen=True)
class CheckedCard:
    """A card of a bundle. file: its name there. recomputed: its numbers that came out of the data;
    stated: those that cannot. wrong: what is not as the card says, in sentences."""

    file: str
    card: Card
    recomputed: Sequence[CardFigure]
    stated: Sequence[CardFigure]
    wrong: Sequence[str]

    @property
    def shown(self) -> Card:
        """The card with the numbers alone that came out of the data."""
        return replace(self.card, figures=self.recomputed)

    def as_json(self) -> dict[str, Any]:
        """What a report says of it."""
        return {
            "card": self.file,
            "judge": str(self.card.judge),
            "block": self.card.task.block,
            "recomputed": len(self.recomputed),
            "stated": [figure.about for figure in self.stated],
            "wrong": list(self.wrong),
        }


def check_bundle(path: Path) -> list[CheckedCard]:
    """The cards of a bundle with what comes out of its data; none of a bundle without cards.
    BundleError where it is no bundle, or a part of it is not what was exported."""
    return check_cards(path, report_of_bundle(path, Options()))


def check_cards(path: Path, report: Report) -> list[CheckedCard]:
    """The same, where the report was computed already, with the usual options."""
    with opened_records(path) as records:
        names = [name for name in records.bundle.cards if name.endswith(".json")]
        if not names:
            return []
        basis, header = _basis(records, as_shown(report)), records.index.header
        if header.get(files.SPLIT, {}).get(files.OPENED):
            basis = replace(basis, looks=_looks(path))
        report.study.halves = _halves(header)
        return [_checked(records, basis, name, report.study.caution) for name in names]


def _halves(header: Mapping[str, Any]) -> str:
    """Which half figures are of, by the split and the looks themselves."""
    split = header.get(files.SPLIT)
    if split is None:
        return ""
    taken, planned = len(header[files.LOOKS]), int(split["planned_looks"])
    return halves_in_words(taken, planned, opened=bool(split.get(files.OPENED)))


def _checked(records: BundleRecords, basis: Basis, name: str, caution: str) -> CheckedCard:
    bundle, index = records.bundle, records.index
    card = from_json(bundle.text(name))
    judge = index.raters[card.judge.name, card.judge.version]
    if judge.kind != RaterKind.JUDGE or card.task.block not in index.blocks:
        raise bundle.wrong("a card of no judge, or of no block of the study")
    found = basis.figures(card.judge.name, card.judge.version, card.task.block)
    keys = {figure.key for figure in found}
    stated = [f for f in card.figures if f.key not in keys and f.part in MAY_BE_STATED]
    wrong = list(_differences(card, found))
    if card.caution != caution:
        wrong.append(f"it says {card.caution!r} beside its figures, and the data {caution!r}")
    wrong += _texts_of_others(records, name, card)
    return CheckedCard(name, card, [f for f in found if not f.stated], stated, wrong)


def _differences(card: Card, found: Sequence[CardFigure]) -> Iterator[str]:
    said = {figure.key: figure for figure in card.figures}
    again = {figure.key: figure for figure in found}
    if len(said) < len(card.figures):
        yield "a number stands there twice"
    for key in dict.fromkeys([*said, *again]):
        mine, other = said.get(key), again.get(key)
        if mine is None and other is not None:
            yield f"{other.about}: {_text(other.value)} by the data, missing in the card"
        elif mine is not None and other is None:
            if mine.part not in MAY_BE_STATED or not mine.stated:
                yield f"{mine.about}: {_text(mine.value)} in the card, nothing by the data"
        elif mine is not None and other is not None:
            yield from _unequal(mine, other)
    if card.judge.sha256 != prompt_hash(card.judge.prompt):
        yield "the SHA-256 of the prompt is another one"


def _unequal(mine: CardFigure, other: CardFigure) -> Iterator[str]:
    again = other.numbers
    for name, number in mine.numbers.items():
        if not _same(number, again[name]):
            what = mine.about if name == "value" else f"{mine.about}, {name}"
            yield f"{what}: {_text(number)} in the card, {_text(again[name])} by the data"


def _same(mine: float | None, other: float | None) -> bool:
    if mine is None or other is None:
        return mine is other
    return math.isclose(mine, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _text(number: float | None) -> str:
    return "nothing" if number is None else f"{number:.6g}"


def _texts_of_others(records: BundleRecords, name: str, card: Card) -> Iterator[str]:
    """Where the card's other forms say something else, as far as this program would write them."""
    if card.layout != layout():
        return
    for end, form in FORMS.items():
        file = name.removesuffix("json") + end
        if not records.bundle.has(file) or records.bundle.text(file) != form(card):
            yield f"{file} is not what the card says"


def _basis(records: BundleRecords, report: Report) -> Basis:
    bundle, index = records.bundle, records.index
    calls = bundle.lines(files.CALLS) if bundle.has(files.CALLS) else ()
    return Basis(
        rows=report.rows,
        versions=report.versions,
        facets={key: block.facets for key, block in index.blocks.items()},
        labels=_labels(records),
        paid=paid_for(calls),
        is_split=files.SPLIT in index.header,
    )


def _labels(records: BundleRecords) -> dict[str, Labels]:
    """Of each block that people answered."""
    index, blocks = records.index, records.block_of_question()
    people = {rater.pk: rater for rater in index.raters.values() if rater.kind == RaterKind.HUMAN}
    numbered = any(rater.numbered for rater in people.values())
    rows = zip(index.answers.question, index.answers.rater, index.answers.counts, strict=True)
    counted = [(q, people[r]) for q, r, counts in rows if counts and r in people]
    gold = list(records.bundle.lines(files.GOLD)) if records.bundle.has(files.GOLD) else []
    labels = {}
    for key, block in index.blocks.items():
        own = [(question, rater) for question, rater in counted if blocks[question] == block.pk]
        if own:
            here = sum(rater.origin == RaterOrigin.HERE for _question, rater in own)
            labels[key] = Labels(
                here=here,
                imported=len(own) - here,
                people=None if numbered else len({rater.pk for _question, rater in own}),
                units=len({question for question, _rater in own}),
                gold=sum(line["block"] == key and line["current"] is True for line in gold),
            )
    return labels


def _looks(path: Path) -> dict[tuple[str, int], Looked]:
    """The looks of a bundle with published answers, counted again."""
    with opened_records(path, sealed=True) as records:
        return dict(_looked(records))


def _looked(records: BundleRecords) -> Iterator[tuple[tuple[str, int], Looked]]:
    header, units = records.index.header, records.sealed_units()
    table, facets = build_table(records), compared_facets(records.blocks())
    people = {r.pk for r in records.raters() if r.kind == RaterKind.HUMAN}
    planned, error = int(header[files.SPLIT]["planned_looks"]), float(header[files.SPLIT]["error"])
    for look in header[files.LOOKS]:
        name, _, version = str(look["judge"]).rpartition("@")
        rater, number = records.index.raters[name, int(version)], int(look["look"])
        sure = confidence_of_look(number, planned, error, figures=max(1, len(facets)))
        found = [
            measure(about(ratings_of(table, facet.name), units), people, rater.pk, sure)
            for facet in facets
        ]
        figures = [each.figure.as_json() for each in found]
        if look["figures"]:
            yield (name, int(version)), Looked(number, planned, figures)
