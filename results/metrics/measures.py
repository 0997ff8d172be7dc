"""What a task type measures of whole answers: means, what is undefined, and faults found."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement.rounding import even
from annotation.models import Annotation, Block, Item, Study
from results.data.options import Options
from results.data.parties import Parties, Party
from results.data.ratings import COLUMNS, Ratings
from results.data.table import CHUNK, FloatArray, IntArray, Material
from results.metrics.averages import EVERY, POPULATION, WHOLE, average_rows
from results.metrics.rows import Row
from tasktypes.contract import Facet, Measure

NO_PAIR = "no item made wrong on purpose beside its original"


@dataclass(frozen=True, eq=False)
class Measured:
    """The measures of a block's answers. `answers` has one entry per answer; its numbers are
    none. `values`: per measure one number per answer, NaN where undefined."""

    answers: Ratings
    values: Mapping[str, FloatArray]

    def by(self, party: Party) -> "Measured":
        """What one party's answers measure."""
        chosen = np.isin(self.answers.rater, list(party.raters))
        values = {name: numbers[chosen] for name, numbers in self.values.items()}
        return Measured(self.answers.take(chosen), values)


def measure_rows(
    study: Study, block: Block, material: Material, parties: Parties, options: Options
) -> Iterator[Row]:
    """Every measure of a block's task type, by party, as a whole and by group."""
    measures = block.task_type.measured
    if not measures:
        return
    measured = _measure(study, block, material, excluded=options.excluded)
    originals = _originals(study, material)
    for party in parties.groups:
        theirs = measured.by(party)
        yield from _averages(theirs, measures, party, options)
        yield from _detections(theirs, measures, party, originals, options)
    for party in parties.singles:
        yield from _averages(measured.by(party), measures, party, options, keys=WHOLE)


def _averages(
    theirs: Measured,
    measures: tuple[Measure, ...],
    party: Party,
    options: Options,
    *,
    keys: Collection[str] = EVERY,
) -> Iterator[Row]:
    """Means over items, and the share of answers that have none, where there are such."""
    about: dict[str, Any] = {"ddof": POPULATION, "keys": keys}
    for measure in measures:
        values = theirs.values[measure.name]
        yield from average_rows(
            theirs.answers,
            {measure.name: values},
            party,
            options,
            reason=f"undefined for every answer ({measure.undefined})",
            **about,
        )
        undefined = np.isnan(values)
        if undefined.any():
            share = {f"{measure.name}_undefined": undefined.astype(np.float64)}
            yield from average_rows(theirs.answers, share, party, options, **about)


def _detections(
    theirs: Measured,
    measures: tuple[Measure, ...],
    party: Party,
    originals: Mapping[int, int],
    options: Options,
) -> Iterator[Row]:
    """Of the items that were made wrong on purpose, the share that a flag finds, or that has less
    of a measure than its original; ties apart."""
    if not originals or not len(theirs.answers):
        return
    items, first = np.unique(theirs.answers.item, return_index=True)
    about = theirs.answers.take(first)
    original = np.array([originals.get(item, -1) for item in items.tolist()], dtype=np.int64)
    changed = original >= 0
    for measure in measures:
        means = _item_means(theirs.answers.item, theirs.values[measure.name], items)
        found = _found(measure, means, _at(means, items, original))
        rows = average_rows(
            about.take(changed),
            {name: values[changed] for name, values in found.items()},
            party,
            options,
            ddof=POPULATION,
            reason=NO_PAIR,
            of_raters=False,  # means of all who answered
        )
        for row in rows:
            yield replace(row, estimate=replace(row.estimate, n_raters=None, n_ratings=None))


def _found(measure: Measure, means: FloatArray, before: FloatArray) -> dict[str, FloatArray]:
    """Per item 1 where the measure finds fault with it, NaN where that is undefined."""
    if measure.flag:
        return {f"detection_{measure.name}": means}
    unknown = np.isnan(means) | np.isnan(before)
    means, before = even(np.stack([means, before]))
    return {
        f"detection_{measure.name}": np.where(unknown, np.nan, means < before),
        f"detection_{measure.name}_tied": np.where(unknown, np.nan, means == before),
    }


def _item_means(item: IntArray, values: FloatArray, items: IntArray) -> FloatArray:
    """Mean of each item over the answers that have the measure; NaN without one."""
    known = ~np.isnan(values)
    place = np.searchsorted(items, item[known])
    sums = np.bincount(place, weights=values[known], minlength=len(items))
    sizes = np.bincount(place, minlength=len(items))
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


def _at(means: FloatArray, items: IntArray, wanted: IntArray) -> FloatArray:
    """The means of the wanted items; NaN for one that nobody answered."""
    place = np.minimum(np.searchsorted(items, wanted), len(items) - 1)
    return np.where(items[place] == wanted, means[place], np.nan)


def _originals(study: Study, material: Material) -> Mapping[int, int]:
    """Code of each item made of another one -> code of that one."""
    code_of = {pk: code for code, pk in enumerate(material.item_ids)}
    pairs = Item.objects.filter(study=study, perturbed_from__isnull=False)
    return {
        code_of[pk]: code_of[original]
        for pk, original in pairs.values_list("pk", "perturbed_from_id")
        if pk in code_of and original in code_of
    }


def _measure(study: Study, block: Block, material: Material, *, excluded: bool) -> Measured:
    """One streamed query; a question's texts are read once for all of its answers."""
    columns: dict[str, list[int]] = {name: [] for name in ("unit", "rater", "replicate", "round")}
    values: dict[str, list[float]] = {one.name: [] for one in block.task_type.measured}
    options, seen, shown = block.typed_options, None, None
    answers = (
        Annotation.objects.filter(study=study, question__block=block)
        .counted(excluded=excluded)
        .select_related("question__unit__source")
        .order_by("question_id", "pk")
    )
    for one in answers.iterator(CHUNK):
        question = one.question
        if question.pk != seen:
            seen, question.block = question.pk, block
            shown = (question.unit.source.material, question.typed_payload)
        assert shown is not None
        answer = block.task_type.Answer.model_validate(one.answer)
        found = block.task_type.measures(*shown, answer, options)
        entry = (material.questions[question.pk], one.rater_id, one.replicate, one.round_id or 0)
        for column, code in zip(columns.values(), entry, strict=True):
            column.append(code)
        for name, numbers in values.items():
            number = found[name]
            numbers.append(np.nan if number is None else number)
    codes = {name: np.array(column, dtype=np.int64) for name, column in columns.items()}
    numbers_of = {name: np.array(numbers, dtype=np.float64) for name, numbers in values.items()}
    return Measured(_as_ratings(block, material, codes), numbers_of)


def _as_ratings(block: Block, material: Material, codes: Mapping[str, IntArray]) -> Ratings:
    """Answers as ratings of the block's first facet, which the rows carry."""
    first = block.facets[0]
    nothing = np.full(len(codes["unit"]), -1, dtype=np.int64)
    items = [material.item_of(unit, "") for unit in codes["unit"].tolist()]
    columns: dict[str, Any] = {
        **dict.fromkeys(COLUMNS, nothing),
        **codes,
        "place": codes["unit"],
        "item": np.array(items, dtype=np.int64),
        "number": np.full(len(nothing), np.nan),
    }
    return Ratings(
        facet=Facet(name=first.name, title=first.title, kind="number", distance="interval"),
        material=material,
        domain=(),
        **columns,
    )
