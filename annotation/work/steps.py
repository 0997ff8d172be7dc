"""The way through a batch: one step per question, in the order they are asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from annotation.models import Assignment, AssignmentUnit, Block, Draft, Question
from annotation.queries.batches import (
    QuestionRow,
    draft_in,
    question_in,
    questions_in_full,
    questions_of,
)


@dataclass(eq=False)
class Step:
    """A question of a batch: of the unit at `position`, in its `part` of `parts` blocks."""

    steps: "Steps"
    row: QuestionRow
    index: int
    part: int
    parts: int
    # The step of the same unit that has to be answered first.
    before: "Step | None"

    @property
    def assignment(self) -> Assignment:
        return self.steps.assignment

    @property
    def position(self) -> int:
        return self.row.position

    @property
    def problem(self) -> str:
        """What the worker says is wrong with the unit."""
        return self.row.problem

    @property
    def shown(self) -> bool:
        """Whether its page was ever opened."""
        return self.row.draft is not None

    @property
    def complete(self) -> bool:
        return bool(self.row.complete)

    @property
    def frozen(self) -> bool:
        return self.row.frozen_at is not None

    @property
    def question_id(self) -> int:
        return self.row.question

    @cached_property
    def question(self) -> Question:
        return question_in(self.row, self.assignment)

    @property
    def draft(self) -> Draft | None:
        """What had been typed when the steps were read; None where it was never shown."""
        return draft_in(self.row, self.assignment)

    @property
    def block(self) -> Block:
        return self.question.block

    @cached_property
    def batch_unit(self) -> AssignmentUnit:
        return self.assignment.assignment_units.get(position=self.position)

    @property
    def opens(self) -> bool:
        """Whether every earlier block of the unit has its answer."""
        return self.before is None or (self.before.complete and self.before.opens)

    @property
    def concealed(self) -> "list[Step]":
        """Earlier steps of the unit whose answer this one's page gives away."""
        if self.before is None or self.block.task_type.conceals:
            return []
        return [step for step in self.earlier if step.hides]

    @property
    def hides(self) -> bool:
        """Whether its page keeps back part of the unit."""
        return self.block.task_type.hides(self.block.typed_options)

    @property
    def earlier(self) -> "list[Step]":
        return [] if self.before is None else [self.before, *self.before.earlier]

    @property
    def url(self) -> str:
        return reverse("annotation:question", args=self.place)

    @property
    def place(self) -> tuple[str, int, int]:
        """What its addresses are made of."""
        return self.assignment.public_id, self.position, self.part


class Steps:
    """The steps of an assignment, read in one query whatever their number, `in_full` with the
    texts of all of them; or those of `rows`, which were read with the assignment."""

    def __init__(
        self,
        assignment: Assignment,
        rows: Iterable[QuestionRow] | None = None,
        *,
        in_full: bool = False,
    ) -> None:
        self.assignment = assignment
        if rows is None:
            rows = (questions_in_full if in_full else questions_of)(assignment.public_id)
        self.all = list(self._steps(rows))

    def _steps(self, rows: Iterable[QuestionRow]) -> Iterable[Step]:
        by_unit: dict[int, list[QuestionRow]] = {}
        for row in rows:
            by_unit.setdefault(row.position, []).append(row)
        index = 0
        for unit in by_unit.values():
            before = None
            for part, row in enumerate(unit, start=1):
                before = Step(self, row, index, part, len(unit), before)
                index += 1
                yield before

    def at(self, position: int, part: int) -> Step | None:
        """The step at that place, or None."""
        here = [step for step in self.all if (step.position, step.part) == (position, part)]
        return here[0] if here else None

    def after(self, step: Step) -> Step | None:
        """The next step, or None after the last."""
        return self.all[step.index + 1] if step.index + 1 < len(self.all) else None

    def previous(self, step: Step) -> Step | None:
        """The step before this one, or None before the first."""
        return self.all[step.index - 1] if step.index else None

    def gives_away(self, step: Step) -> bool:
        """Whether a later page gives this step's answer away, so that it cannot be changed."""
        later = self.all[step.index + 1 : step.index + step.parts]
        return any(step in other.concealed for other in later if other.position == step.position)

    @cached_property
    def unanswered(self) -> list[Step]:
        return [step for step in self.all if not step.complete]

    @property
    def first_open(self) -> Step | None:
        """Where to go on: the first step without an answer."""
        return self.unanswered[0] if self.unanswered else None

    @cached_property
    def n_units(self) -> int:
        return len({step.position for step in self.all})

    @property
    def n_done(self) -> int:
        """Units with all their answers."""
        return self.n_units - len({step.position for step in self.unanswered})
