"""The rows of the labelled dataset: one per item or element and facet that somebody answered."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np

from annotation.answers.moments import moment_of
from annotation.models import Annotation, Item, Study
from annotation.models.answers import AnnotationQuerySet, Moment
from estimates.data.database import load_table
from estimates.data.facts.gold import load_gold
from estimates.data.facts.references import References
from estimates.data.options import Options
from estimates.data.parties import divide
from estimates.data.table import Material, Table
from exports.choice import WHOLE, WITH, ExportChoice
from exports.dataset.labels import FacetLabels, Plain, judges_of, label_facet, plain
from exports.dataset.texts import UnitTexts, source_cells
from exports.tables.columns import Column, Kind

# Units whose texts are in memory at once.
CHUNK = 500
JUDGE = "judge_"


class RowPlace(NamedTuple):
    """A row: a facet's labels, and which of its places."""

    labels: FacetLabels
    at: int


class Dataset:
    """The labelled dataset of a study as of a moment; None: that in which it is made.

    Answers are those behind estimates, as far as the choice names no others. Labels are held as
    arrays; texts are read a few hundred units at a time.
    """

    def __init__(
        self, study: Study, choice: ExportChoice = WHOLE, moment: Moment | None = None
    ) -> None:
        self.study = study
        self.choice = choice
        self.moment = moment or moment_of(study)
        self.options = Options(consensus=choice.consensus or None)
        self._round = choice.round_of(study)

    @cached_property
    def _table(self) -> Table:
        excluded = self.choice.excluded == WITH
        return load_table(
            self.study,
            facet=self.choice.facet,
            excluded=excluded,
            round_=self._round,
            moment=self.moment,
        )

    @property
    def _answers(self) -> AnnotationQuerySet:
        """The answers that the table holds ratings of."""
        answers = Annotation.objects.filter(study=self.study)
        if self._round is not None:
            return answers.of_round(self._round, self.moment)
        return answers.counted(excluded=self.choice.excluded == WITH, moment=self.moment)

    @cached_property
    def labels(self) -> Sequence[FacetLabels]:
        """The labels of every facet, in the order of blocks."""
        parties = divide(self._table.raters)
        facets = [facet for block in self.study.blocks.all() for facet in block.facets]
        subset = self._table.material.subsets.get(self.choice.subset)
        return [
            label_facet(
                self._table, facet.name, parties, self.options.consensus_for(facet.kind), subset
            )
            for facet in facets
            if self.choice.facet in ("", facet.name)
        ]

    @cached_property
    def judges(self) -> Sequence[str]:
        """The judges with a column, by the names of reports."""
        return judges_of(self.labels)

    @cached_property
    def columns(self) -> Sequence[Column]:
        """The columns of `rows`, in their order."""
        kind = self.value_kind
        return (
            *ABOUT,
            Column("label", kind, "the consensus of the people who answered"),
            *AGREED,
            Column("reference", kind, "the right answer that came with the material"),
            Column("gold", kind, "what an adjudicator decided to be right"),
            *TIMED,
            *(
                Column(JUDGE + name, kind, f"the answer of the judge {name}")
                for name in self.judges
            ),
        )

    @cached_property
    def _gold(self) -> References:
        return load_gold(self.study, self._table.material.names_of)

    def _decided(self, place: RowPlace) -> Plain | None:
        """The gold answer at a place, None where nobody has decided."""
        labels, at = place
        values = self._gold.get(labels.facet.name)
        value = values.get((int(labels.question[at]), labels.element[at]))
        return None if value is None else plain(value)

    @property
    def value_kind(self) -> Kind:
        """How labels are typed: numbers, texts, lists (sets), or texts where facets differ."""
        kinds = {labels.facet.kind for labels in self.labels if len(labels)}
        typed: dict[frozenset[str], Kind] = {
            frozenset({"number"}): "number",
            frozenset({"set"}): "texts",
        }
        return typed.get(frozenset(kinds), "text")

    def __len__(self) -> int:
        return sum(map(len, self.labels))

    def rows(self) -> Iterator[tuple[object, ...]]:
        """By unit, facet and element. A set is a list; what is not known is None, a text that is
        not known empty."""
        blocks = {facet.name: b.key for b in self.study.blocks.all() for facet in b.facets}
        material, by_unit = self._table.material, self._by_unit()
        while chunk := list(islice(by_unit, CHUNK)):
            places = [place for of_unit in chunk for place in of_unit]
            texts = UnitTexts(
                {material.unit_ids[place.labels.unit[place.at]] for place in places},
                {int(place.labels.question[place.at]) for place in places},
                self._answers,
            )
            for place in places:
                block = blocks[place.labels.facet.name]
                about = _about(place, block, texts, material)
                yield (*about, *self._labelled(place, texts))

    def _by_unit(self) -> Iterator[list[RowPlace]]:
        """The rows of each unit, by facet and element."""
        units = [labels.unit for labels in self.labels]
        sizes = [len(of_facet) for of_facet in units]
        facet = np.repeat(np.arange(len(sizes)), sizes)
        at = np.concatenate([np.arange(size) for size in sizes] or [facet])
        unit = np.concatenate(units or [facet])
        order = np.lexsort((at, facet, unit))
        rows = zip(unit[order].tolist(), facet[order].tolist(), at[order].tolist(), strict=True)
        for _, of_unit in groupby(rows, key=lambda row: row[0]):
            ordered = sorted(of_unit, key=lambda row: (row[1], self._element_order(*row[1:])))
            yield [RowPlace(self.labels[code], place) for _, code, place in ordered]

    def _element_order(self, facet: int, at: int) -> tuple[bool, int, int]:
        """Numbers by their size, names as they came."""
        element = self.labels[facet].element[at]
        return (False, int(element), at) if element.isdecimal() else (bool(element), 0, at)

    def _labelled(self, place: RowPlace, texts: UnitTexts) -> Sequence[object]:
        labels, at = place
        judges = (labels.judges.get(name) for name in self.judges)
        label = labels.label.at(at)
        return (
            *(label, int(labels.n[at])),
            *(_known(labels.agreement[at]), _known(labels.sd[at])),
            labels.rule,
            labels.right(at),
            self._decided(place),
            texts.seconds.get(int(labels.question[at])),
            *(None if values is None else values.at(at) for values in judges),
        )


ABOUT = (
    Column("unit", "text", "the unit's key"),
    Column("subsets", "texts", "the unit's subsets"),
    Column("block", "text", "the question asked"),
    Column("facet", "text", "the quantity that was rated"),
    Column("element", "text", "the part that the row is about; empty: the whole unit"),
    Column("element_text", "text", "that part's text, where it has one"),
    Column("source", "text", "the source's key"),
    Column("claim", "text", "the claim"),
    Column("query", "text", "the query"),
    Column("document", "text", "the document"),
    Column("verdict", "text", "the label of the claim's verdict"),
    Column("passages", "texts", "the evidence"),
    Column("passage_numbers", "wholes", "the numbers of the passages"),
    Column("item", "text", "the item's key; empty where the row is about several"),
    Column("item_text", "text", "the item's text"),
    Column("system", "text", "the system that made it"),
    Column("system_family", "text", "that system's family"),
    Column("evidence_source", "text", "where its evidence is from"),
    Column("condition", "text", "the condition under which it was made"),
    Column("candidates", "texts", "where the row is about several items, their texts"),
    Column("candidate_names", "texts", "and what labels call them"),
)
AGREED = (
    Column("n", "whole", "how many people answered"),
    Column("agreement", "number", "of these, from 0 to 1; empty for fewer than two"),
    Column("sd", "number", "standard deviation of their numbers (divisor n - 1)"),
    Column("consensus", "text", "the rule that made the label"),
)
TIMED = (Column("median_seconds", "number", "people's median active seconds at the question"),)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _about(place: RowPlace, block: str, texts: UnitTexts, material: Material) -> Sequence[object]:
    """The cells of `ABOUT`."""
    labels, at = place
    facet, element = labels.facet.name, labels.element[at]
    unit = texts.units[material.unit_ids[labels.unit[at]]]
    code = int(labels.item[at])
    item = texts.item(unit.pk, material.item_ids[code]) if code >= 0 else None
    text = texts.element_text(int(labels.question[at]), facet, element) if element else ""
    return (
        *(unit.key, texts.subsets.get(unit.pk, []), block, facet, element),
        text,
        *(unit.source.key, *source_cells(unit.source)),
        *_item_cells(texts, unit.pk, item),
    )


def _item_cells(texts: UnitTexts, unit: int, item: Item | None) -> Sequence[object]:
    if item is None:
        return ("",) * 6 + texts.candidates(unit)
    grouped = (item.system, item.system_family, item.evidence_source, item.condition)
    return (item.key, item.text, *grouped, [], [])
