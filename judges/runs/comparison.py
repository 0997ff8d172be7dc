"""Compare two runs: their definitions and prompts, and their answers."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreement import Estimate, alpha
from annotation.answers.item_names import names_of
from annotation.models import Annotation, Block, Rating
from judges.methods.asks import AnswerKey
from judges.models import JudgeRun
from judges.runs.records.texts import readable
from tasktypes.facets import Facet, called

# How many differing answers are listed.
SHOWN = 50


@dataclass(frozen=True)
class Change:
    """A property in which two runs differ. left, right: empty where a run does not have it."""

    name: str
    left: str
    right: str


@dataclass(frozen=True)
class PromptChange:
    """The lines in which the prompts of a block differ, as `diff` writes them."""

    block: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class FacetAgreement:
    """Krippendorff's alpha of the two runs in one facet, over what both answered."""

    facet: str
    distance: str
    alpha: Estimate


@dataclass(frozen=True)
class Difference:
    """A question to which the two runs gave different answers."""

    unit: str
    block: str
    replicate: int
    left: Mapping[str, Any]
    right: Mapping[str, Any]


@dataclass(frozen=True)
class RunComparison:
    """differing: the first `SHOWN` differences; n_…: counts of all."""

    left: JudgeRun
    right: JudgeRun
    changes: tuple[Change, ...]
    prompts: tuple[PromptChange, ...]
    n_both: int
    n_same: int
    n_left_only: int
    n_right_only: int
    agreement: tuple[FacetAgreement, ...]
    differing: tuple[Difference, ...]

    @property
    def n_different(self) -> int:
        return self.n_both - self.n_same


def compare_runs(left: JudgeRun, right: JudgeRun) -> RunComparison:
    """Compare two runs of one study.

    Answers are compared where both runs answered the same question in the same replicate. An
    answer that an earlier run of the same judge version gave is not an answer of the run.
    """
    answers = [_answers(run) for run in (left, right)]
    both = sorted(answers[0].keys() & answers[1].keys())
    different = [k for k in both if answers[0][k].answer != answers[1][k].answer]
    return RunComparison(
        left=left,
        right=right,
        changes=tuple(_changes(left, right)),
        prompts=tuple(_prompt_changes(left.prompts, right.prompts)),
        n_both=len(both),
        n_same=len(both) - len(different),
        n_left_only=len(answers[0]) - len(both),
        n_right_only=len(answers[1]) - len(both),
        agreement=tuple(_agreement(left, [[side[k].pk for k in both] for side in answers])),
        differing=tuple(_difference(answers[0][k], answers[1][k]) for k in different[:SHOWN]),
    )


def _answers(run: JudgeRun) -> dict[AnswerKey, Annotation]:
    rows = Annotation.objects.filter(calls__run=run, superseded_at=None).unsealed().distinct()
    rows = rows.select_related("question__unit", "question__block").defer("question__payload")
    return {(row.question_id, row.replicate): row for row in rows}


def _changes(left: JudgeRun, right: JudgeRun) -> Iterator[Change]:
    sides = [_described(run) for run in (left, right)]
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        before, after = (side.get(name, "") for side in sides)
        if before != after:
            yield Change(name, before, after)


def _described(run: JudgeRun) -> dict[str, str]:
    judge = run.judge
    properties: dict[str, Any] = {
        "judge": judge,
        "method": f"{judge.method} version {judge.method_version}",
        "backend": judge.backend,
        "model": judge.model,
        "family": judge.family,
        **{f"parameters.{name}": value for name, value in judge.parameters.items()},
        "units": run.subset or "all",
        "blocks": ", ".join(run.blocks) or "all",
        "answers per question": run.replicates,
        "seed": run.seed,
        "code version": run.code_version,
    }
    return {name: readable(value) for name, value in properties.items()}


def _prompt_changes(
    left: Mapping[str, Mapping[str, str]], right: Mapping[str, Mapping[str, str]]
) -> Iterator[PromptChange]:
    for block in dict.fromkeys([*left, *right]):
        before, after = (side.get(block, {}).get("text", "").splitlines() for side in (left, right))
        lines = tuple(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
        if lines:
            yield PromptChange(block, lines)


def _difference(left: Annotation, right: Annotation) -> Difference:
    question = left.question
    return Difference(
        question.unit.key, question.block.key, left.replicate, left.answer, right.answer
    )


def _agreement(run: JudgeRun, ids: list[list[int]]) -> Iterator[FacetAgreement]:
    """Alpha of every facet of every block; alpha leaves out what only one run has rated."""
    for block in run.study.blocks.order_by("position"):
        for facet in block.facets:
            ratings = [list(_ratings(block, facet.name, annotations)) for annotations in ids]
            if any(ratings):
                estimate = alpha(*_columns(facet, ratings), distance=facet.distance)
                yield FacetAgreement(facet.title, facet.distance, estimate)


def _columns(
    facet: Facet, by_run: Sequence[Sequence[Rating]]
) -> tuple[list[tuple[int, int, str]], list[int], list[Any]]:
    """Units, raters and values of alpha.

    Where values name items, a value is the item's index in its unit: names of items that are never
    in one unit are not labels of one scale.
    """
    ratings = [(rater, rating) for rater, own in enumerate(by_run) for rating in own]
    values = [_value(rating, facet.labels if facet.ordered else ()) for _, rating in ratings]
    if facet.names_items:
        units = [rating.annotation.question.unit_id for _, rating in ratings]
        names = {unit: sorted(called(items)) for unit, items in names_of(set(units)).items()}
        values = [
            names[unit].index(value) if value in names[unit] else value
            for unit, value in zip(units, values, strict=True)
        ]
    return [_unit(rating) for _, rating in ratings], [rater for rater, _ in ratings], values


def _ratings(block: Block, facet: str, annotations: Iterable[int]) -> Iterator[Rating]:
    rows = Rating.objects.filter(facet=facet, annotation__question__block=block)
    wanted = set(annotations)
    for rating in (
        rows.filter(study=block.study_id).select_related("annotation__question").order_by("pk")
    ):
        if rating.annotation_id in wanted:
            yield rating


def _unit(rating: Rating) -> tuple[int, int, str]:
    annotation = rating.annotation
    return annotation.question_id, annotation.replicate, rating.element


def _value(rating: Rating, in_order: tuple[str, ...]) -> Any:
    """The value; for a label of an ordered scale, its index."""
    value = rating.value
    return in_order.index(value) if isinstance(value, str) and value in in_order else value
