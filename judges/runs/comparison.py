"""Two runs side by side: what was changed between them, and what that changed in the answers."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreement import Estimate, alpha
from annotation.answers.item_names import names_of
from annotation.models import Annotation, Block, Rating
from judges.models import JudgeRun
from tasktypes.contract import Facet, called

SHOWN = 50
Place = tuple[int, int]


@dataclass(frozen=True)
class Change:
    """One thing in which two runs differ; empty: not there."""

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
    """How far the two agree on one quantity: Krippendorff's alpha over what both answered."""

    facet: str
    distance: str
    alpha: Estimate


@dataclass(frozen=True)
class Difference:
    """A question to which the two gave different answers."""

    unit: str
    block: str
    replicate: int
    left: Mapping[str, Any]
    right: Mapping[str, Any]


@dataclass(frozen=True)
class RunComparison:
    """`differing` holds the first few; the counts are of all."""

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
    """Put two runs of one study side by side.

    Compared are questions that both answered, replicate by replicate. What another run of the
    same judge version had answered before is not an answer of the run.
    """
    answers = [_answers(run) for run in (left, right)]
    both = sorted(answers[0].keys() & answers[1].keys())
    apart = [p for p in both if answers[0][p].answer != answers[1][p].answer]
    return RunComparison(
        left=left,
        right=right,
        changes=tuple(_changes(left, right)),
        prompts=tuple(_prompt_changes(left.prompts, right.prompts)),
        n_both=len(both),
        n_same=len(both) - len(apart),
        n_left_only=len(answers[0]) - len(both),
        n_right_only=len(answers[1]) - len(both),
        agreement=tuple(_agreement(left, [[one[p].pk for p in both] for one in answers])),
        differing=tuple(_difference(answers[0][p], answers[1][p]) for p in apart[:SHOWN]),
    )


def _answers(run: JudgeRun) -> dict[Place, Annotation]:
    given = Annotation.objects.filter(calls__run=run, superseded_at=None).distinct()
    rows = given.select_related("question__unit", "question__block").defer("question__payload")
    return {(one.question_id, one.replicate): one for one in rows}


def _changes(left: JudgeRun, right: JudgeRun) -> Iterator[Change]:
    sides = [_described(run) for run in (left, right)]
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        before, after = (side.get(name, "") for side in sides)
        if before != after:
            yield Change(name, before, after)


def _described(run: JudgeRun) -> dict[str, str]:
    judge = run.judge
    told: dict[str, Any] = {
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
    return {name: str(value) for name, value in told.items()}


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
    """Each facet of each block; what one rating alone stands for is no pair and does not count."""
    for block in run.study.blocks.order_by("position"):
        for facet in block.facets:
            given = [list(_ratings(block, facet.name, annotations)) for annotations in ids]
            if any(given):
                found = alpha(*_columns(facet, given), distance=facet.distance)
                yield FacetAgreement(facet.title, facet.distance, found)


def _columns(
    facet: Facet, given: Sequence[Sequence[Rating]]
) -> tuple[list[tuple[int, int, str]], list[int], list[Any]]:
    """Places, raters and values. Names of items that never meet in one unit must not be taken
    for labels that they chose from: there a value is which of the unit's items it is."""
    ratings = [(rater, rating) for rater, of in enumerate(given) for rating in of]
    values = [_value(rating, facet.labels if facet.ordered else ()) for _, rating in ratings]
    if facet.names_items:
        units = [rating.annotation.question.unit_id for _, rating in ratings]
        names = {unit: sorted(called(items)) for unit, items in names_of(set(units)).items()}
        values = [
            names[unit].index(value) if value in names[unit] else value
            for unit, value in zip(units, values, strict=True)
        ]
    return [_place(rating) for _, rating in ratings], [rater for rater, _ in ratings], values


def _ratings(block: Block, facet: str, annotations: Iterable[int]) -> Iterator[Rating]:
    rows = Rating.objects.filter(facet=facet, annotation__question__block=block)
    wanted = set(annotations)
    for rating in (
        rows.filter(study=block.study_id).select_related("annotation__question").order_by("pk")
    ):
        if rating.annotation_id in wanted:
            yield rating


def _place(rating: Rating) -> tuple[int, int, str]:
    given = rating.annotation
    return given.question_id, given.replicate, rating.element


def _value(rating: Rating, in_order: tuple[str, ...]) -> Any:
    """A label of an ordered scale by its place."""
    if rating.members is not None:
        return frozenset(rating.members)
    if rating.label is None:
        return rating.number
    return in_order.index(rating.label) if rating.label in in_order else rating.label
