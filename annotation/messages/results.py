"""What workers are told after a batch: how many known answers were right, and what it paid."""

from dataclasses import dataclass
from decimal import Decimal

from annotation.messages.rules import tells_rules
from annotation.models import Assignment, LedgerRow, Question
from annotation.queries.compiled import Compiled, Param, RowReader
from annotation.rounds.standing import controls_right, least_right, wrong_answers
from tasktypes.schemas import Schema

_paid = Compiled(
    lambda: LedgerRow.objects.filter(assignment=Param("assignment")).order_by("pk"),
    RowReader(LedgerRow),
)


@dataclass(frozen=True)
class Result:
    """How a submitted batch was graded.

    `told`: whether the worker may know how many answers are known. `needed`: how many had to be
    right for the bonus or the pass; None where nothing depends on it. `missed`: questions whose
    right answer the worker missed and may see, with what they answered.
    """

    n_known: int
    n_right: int
    needed: int | None
    told: bool
    missed: tuple[tuple[Question, Schema], ...]

    @property
    def enough(self) -> bool | None:
        """Whether enough were right; None where nothing depends on it."""
        return None if self.needed is None else self.n_right >= self.needed


def result_of(assignment: Assignment) -> Result | None:
    """The result of a submitted batch; None where nothing in it was graded."""
    round_, study = assignment.round, assignment.participation.study
    if not round_.n_graded_per_batch:
        return None
    right = controls_right([assignment.pk], round_)
    if not right:
        return None
    mark = assignment.pass_accuracy
    # A control stays in use: its answer told to one worker may reach the next.
    shown = (study.tell_missed or round_.shows_answers) and not all(right.values())
    return Result(
        n_known=len(right),
        n_right=sum(right.values()),
        needed=least_right(len(right), mark) if mark else None,
        told=tells_rules(study, round_),
        missed=tuple(wrong_answers(assignment, round_)) if shown else (),
    )


@dataclass(frozen=True)
class Earnings:
    """What a batch paid: its rows, their sum, and the bonus that was not reached."""

    rows: tuple[LedgerRow, ...]
    total: Decimal
    missing_bonus: Decimal
    currency: str


def earnings_of(assignment: Assignment) -> Earnings:
    """What a submitted batch paid, as the ledger has it."""
    rows = tuple(_paid.all(assignment=assignment.pk))
    has_bonus = any(row.kind == LedgerRow.Kind.BONUS for row in rows)
    return Earnings(
        rows=rows,
        total=sum((row.amount for row in rows), Decimal()),
        missing_bonus=Decimal() if has_bonus else assignment.bonus_pay,
        currency=assignment.currency,
    )
