"""The answers of one asking beside those of the baseline, question by question."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Block, GoldAnswer, Question, Unit
from judges.models import JudgeRun, ProbeAnswer
from tasktypes.facets import Value, in_words
from tasktypes.schemas import Schema

# Digits of a number that count: models on this machine may differ in the last ones.
DIGITS = 9
# (facet, element).
FacetElement = tuple[str, str]
Answers = Mapping[int, Any]


@dataclass(frozen=True)
class ProbedQuestion:
    """One question with its answers: the two of the baseline, and the newest.

    is_right: of the first and of the newest answer; None where the study has no right answer.
    """

    question: Question
    first: Mapping[FacetElement, Value]
    again: Mapping[FacetElement, Value]
    newest: Mapping[FacetElement, Value]
    is_right: tuple[bool, bool] | None

    @property
    def parts(self) -> list[FacetElement]:
        """Everything that any of the answers rates, in order."""
        return sorted({*self.first, *self.again, *self.newest})

    @property
    def has_changed(self) -> bool:
        """Whether the newest answer differs from the first."""
        return self.first != self.newest

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """What the newest answer rates otherwise: its name, and both values in words."""
        return [
            (
                " ".join(filter(None, part)),
                in_words(self.first.get(part)) or "–",
                in_words(self.newest.get(part)) or "–",
            )
            for part in self.parts
            if self.first.get(part) != self.newest.get(part)
        ]


@dataclass(frozen=True)
class Pairs:
    """The questions with all three answers, and how many lack one.

    unanswered: questions without an answer at one of the askings. retired: units of the set that
    were retired since, or removed; sealed: those that are of the sealed half since.
    """

    asked: Sequence[ProbedQuestion]
    unanswered: int
    retired: int
    sealed: int = 0

    @property
    def n_units(self) -> int:
        return len({pair.question.unit_id for pair in self.asked})

    @property
    def changed(self) -> list[ProbedQuestion]:
        """Those with another answer than at first."""
        return [pair for pair in self.asked if pair.has_changed]


def pairs_of(run: JudgeRun, baseline: JudgeRun, *, changed_alone: bool = False) -> Pairs:
    """The answers of a run beside those of the baseline of its probe set. Few queries.

    changed_alone: leaves out questions with the very same answer as at first, which are many and
    would all have to be read.
    """
    probe_set = run.probe_set
    assert probe_set is not None
    first, again = _answers(baseline, 0), _answers(baseline, 1)
    newest = _answers(run, 0)
    left = Unit.objects.filter(probe_sets=probe_set, retired_at=None)
    left = left.exclude(check_state__in=Unit.UNUSED)
    used = dict(left.values_list("pk", "source__sealed"))
    units = {pk for pk, is_sealed in used.items() if not is_sealed}
    shared = first.keys() & again.keys() & newest.keys()
    if changed_alone:
        shared = {key for key in shared if first[key] != newest[key]}
    questions = Question.objects.filter(pk__in=shared, unit__in=units)
    rows = list(questions.select_related("unit", "block").order_by("unit__key", "block__position"))
    gold = _right_answers(rows)
    asked = [
        _asked(row, first[row.pk], again[row.pk], newest[row.pk], gold.get(row.pk)) for row in rows
    ]
    unanswered = _wanted(run, baseline, units, but=first.keys() & again.keys() & newest.keys())
    sealed, retired = len(used) - len(units), probe_set.size - len(used)
    return Pairs(asked, unanswered=unanswered, retired=retired, sealed=sealed)


def by_block(pairs: Sequence[ProbedQuestion]) -> Iterator[tuple[Block, list[ProbedQuestion]]]:
    """The blocks in their order, each with its questions."""
    blocks = {pair.question.block_id: pair.question.block for pair in pairs}
    for block in sorted(blocks.values(), key=lambda block: block.position):
        yield block, [pair for pair in pairs if pair.question.block_id == block.pk]


def _wanted(run: JudgeRun, baseline: JudgeRun, units: set[int], *, but: Collection[int]) -> int:
    """How many questions about these units either run was to ask, but these."""
    asked = Question.objects.filter(calls__run__in=[run, baseline], unit__in=units)
    return len({*asked.order_by().values_list("pk", flat=True)} - {*but})


def _answers(run: JudgeRun, replicate: int) -> Answers:
    """Question -> answer."""
    rows = ProbeAnswer.objects.filter(run=run, replicate=replicate)
    return dict(rows.values_list("question", "answer"))


def _right_answers(questions: Sequence[Question]) -> Answers:
    """Gold answers of adjudication, else the references."""
    gold = GoldAnswer.objects.current().filter(question__in=questions)
    references = {row.pk: row.reference for row in questions if row.reference is not None}
    return references | dict(gold.values_list("question", "answer"))


def _asked(question: Question, first: Any, again: Any, newest: Any, right: Any) -> ProbedQuestion:
    kind, payload = question.block.task_type, question.typed_payload
    answers = [question.typed_answer(answer) for answer in (first, again, newest)]
    is_right = None
    if right is not None:
        reference = question.typed_answer(right)
        before, now = (kind.is_right(payload, answers[at], reference) for at in (0, -1))
        is_right = (before, now)
    values = (_values(question, payload, answer) for answer in answers)
    at_first, at_once, now_given = values
    return ProbedQuestion(question, at_first, at_once, now_given, is_right)


def _values(question: Question, payload: Schema, answer: Schema) -> dict[FacetElement, Value]:
    values = {}
    for rating in question.block.task_type.ratings(payload, answer):
        # Items by their places: names would give systems away, and are the same at all askings.
        at = rating.element if rating.element_item is None else str(rating.element_item)
        value = rating.value if rating.value_item is None else str(rating.value_item)
        values[rating.facet, at] = _rounded(value)
    return values


def _rounded(value: Value) -> Value:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float | int) else value
