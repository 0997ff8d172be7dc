"""The way through a batch: one step per question, in the order they are asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from annotation.models import Assignment, BatchUnit, Draft, Question


@dataclass(frozen=True)
class Step:
    """A question of a batch: of the unit at `position`, in its `part` of `parts` blocks."""

    assignment: Assignment
    batch_unit: BatchUnit
    question: Question
    part: int
    parts: int
    draft: Draft | None
    # The step of the same unit that has to be answered first.
    before: "Step | None"

    @property
    def position(self) -> int:
        return self.batch_unit.position

    @property
    def complete(self) -> bool:
        return self.draft is not None and self.draft.complete

    @property
    def frozen(self) -> bool:
        return self.draft is not None and self.draft.frozen_at is not None

    @property
    def opens(self) -> bool:
        """Whether every earlier block of the unit has its answer."""
        return self.before is None or (self.before.complete and self.before.opens)

    @property
    def concealed(self) -> "list[Step]":
        """Earlier steps of the unit whose answer this one's page gives away."""
        if self.before is None or self.question.block.task_type.conceals:
            return []
        earlier = [self.before, *self.before.earlier]
        return [step for step in earlier if step.hides]

    @property
    def hides(self) -> bool:
        """Whether its page keeps back part of the unit."""
        block = self.question.block
        return block.task_type.hides(block.typed_options)

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
    """The steps of an assignment, read in three queries whatever their number: all of them,
    or with `position` those of one unit alone."""

    def __init__(self, assignment: Assignment, *, position: int | None = None) -> None:
        self.assignment = assignment
        self.all = list(_read(assignment, position))

    def at(self, position: int, part: int) -> Step | None:
        """The step at that place, or None."""
        here = [step for step in self.all if (step.position, step.part) == (position, part)]
        return here[0] if here else None

    def after(self, step: Step) -> Step | None:
        """The next step, or None after the last."""
        rest = self.all[self.all.index(step) + 1 :]
        return rest[0] if rest else None

    def previous(self, step: Step) -> Step | None:
        """The step before this one, or None before the first."""
        index = self.all.index(step)
        return self.all[index - 1] if index else None

    def gives_away(self, step: Step) -> bool:
        """Whether a later page gives this step's answer away, so that it cannot be changed."""
        return any(step in later.concealed for later in self.all)

    @cached_property
    def unanswered(self) -> list[Step]:
        return [step for step in self.all if not step.complete]

    @property
    def first_open(self) -> Step | None:
        """Where to go on: the first step without an answer."""
        return self.unanswered[0] if self.unanswered else None

    @property
    def n_units(self) -> int:
        return len({step.position for step in self.all})

    @property
    def n_done(self) -> int:
        """Units with all their answers."""
        return self.n_units - len({step.position for step in self.unanswered})


def _read(assignment: Assignment, position: int | None) -> Iterable[Step]:
    batch_units = assignment.batch_units.all()
    if position is not None:
        batch_units = batch_units.filter(position=position)
    units = {one.unit_id: one for one in batch_units}
    drafts = {d.question_id: d for d in assignment.drafts.filter(question__unit__in=units)}
    by_unit: dict[int, list[Question]] = {unit_id: [] for unit_id in units}
    # What is shown, and the right answer, are read for the one question that needs them.
    questions = Question.objects.filter(unit__in=units).select_related("block")
    for question in questions.defer("payload", "reference").order_by("block__position"):
        by_unit[question.unit_id].append(question)
    for unit_id, batch_unit in sorted(units.items(), key=lambda pair: pair[1].position):
        before = None
        for part, question in enumerate(by_unit[unit_id], start=1):
            before = Step(
                assignment=assignment,
                batch_unit=batch_unit,
                question=question,
                part=part,
                parts=len(by_unit[unit_id]),
                draft=drafts.get(question.pk),
                before=before,
            )
            yield before
