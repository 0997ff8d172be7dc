"""The way through a batch: one step per question, in the order they are asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.urls import reverse

from annotation.models import Assignment, AssignmentUnit, Block, Question
from annotation.queries.compiled import Given, Prepared


class _Row(NamedTuple):
    """A question of the batch, and how far its answer is. A page needs no more of most."""

    position: int
    problem: str
    question_id: int
    block_id: int
    draft_id: int | None
    complete: bool | None
    frozen_at: datetime | None


def _rows() -> "QuerySet[AssignmentUnit, tuple[Any, ...]]":
    questions = "unit__questions"
    own = Q(**{f"{questions}__drafts__assignment": F("assignment")})
    rows = AssignmentUnit.objects.filter(
        assignment=Given("assignment"), unit__questions__isnull=False
    )
    rows = rows.annotate(own=FilteredRelation(f"{questions}__drafts", condition=own))
    return rows.order_by("position", f"{questions}__block__position").values_list(
        "position",
        "problem",
        questions,
        f"{questions}__block",
        "own__pk",
        "own__complete",
        "own__frozen_at",
    )


_of_batch = Prepared(_rows)
_of_unit = Prepared(lambda: _rows().filter(position=Given("position")))
_blocks = Prepared(lambda: Block.objects.filter(study=Given("study")).order_by("position"))
# What is shown, and the right answer, are read for the one question that needs them.
_question = Prepared(
    lambda: Question.objects.with_text().select_related("block").filter(pk=Given("question"))
)


@dataclass(frozen=True, eq=False)
class Step:
    """A question of a batch: of the unit at `position`, in its `part` of `parts` blocks."""

    steps: "Steps"
    row: _Row
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
        return self.row.draft_id is not None

    @property
    def complete(self) -> bool:
        return bool(self.row.complete)

    @property
    def frozen(self) -> bool:
        return self.row.frozen_at is not None

    @property
    def question_id(self) -> int:
        return self.row.question_id

    @cached_property
    def question(self) -> Question:
        found = _question.first(question=self.question_id)
        if found is None:
            raise Question.DoesNotExist
        return found

    @property
    def block(self) -> Block:
        """Comes with the question, where that is read; for the others all are read at once."""
        known = "question" in vars(self)
        return self.question.block if known else self.steps.blocks[self.row.block_id]

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
        return self._address("annotation:question")

    @property
    def draft_url(self) -> str:
        return self._address("annotation:draft")

    @property
    def place(self) -> tuple[str, int, int]:
        """What its addresses are made of."""
        return self.assignment.public_id, self.position, self.part

    def _address(self, name: str) -> str:
        return reverse(name, args=self.place)


class Steps:
    """The steps of an assignment, read in one query whatever their number: all of them, or
    with `position` those of one unit alone."""

    def __init__(self, assignment: Assignment, *, position: int | None = None) -> None:
        self.assignment = assignment
        if position is None:
            rows = _of_batch.all(assignment=assignment.pk)
        else:
            rows = _of_unit.all(assignment=assignment.pk, position=position)
        self.all = list(self._steps(map(_Row._make, rows)))

    def _steps(self, rows: Iterable[_Row]) -> Iterable[Step]:
        by_unit: dict[int, list[_Row]] = {}
        for row in rows:
            by_unit.setdefault(row.position, []).append(row)
        index = 0
        for unit in by_unit.values():
            before = None
            for part, row in enumerate(unit, start=1):
                before = Step(self, row, index, part, len(unit), before)
                index += 1
                yield before

    @cached_property
    def blocks(self) -> dict[int, Block]:
        """The study's blocks by key."""
        study = self.assignment.participation.study_id
        return {block.pk: block for block in _blocks.all(study=study)}

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
        return any(step in one.concealed for one in later if one.position == step.position)

    @property
    def states(self) -> tuple[tuple[object, ...], ...]:
        """All that a list of the steps shows of them."""
        return tuple(
            (one.position, one.part, one.parts, one.complete, one.frozen, one.opens)
            for one in self.all
        )

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
