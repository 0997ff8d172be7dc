"""A worker's statement: pay by batch, shown to the worker and to researchers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from annotation.models import Assignment, LedgerRow, Participation


@dataclass(frozen=True)
class StatementLine:
    """A batch with its pay, or one amount that belongs to no batch."""

    assignment: Assignment | None
    rows: Sequence[LedgerRow]
    at: datetime
    total: Decimal
    currency: str


@dataclass(frozen=True)
class Statement:
    """All that is owed to one worker, and its sums by currency."""

    lines: Sequence[StatementLine]
    sums: Sequence[tuple[Decimal, str]]

    @property
    def has_amounts(self) -> bool:
        """Whether any line of it is not zero."""
        return any(row.amount for line in self.lines for row in line.rows)

    @property
    def newest_row(self) -> int:
        """The key of the last ledger row; 0 without any."""
        return max((row.pk for line in self.lines for row in line.rows), default=0)


def statement(participation: Participation) -> Statement:
    """In the order in which it was earned; one query."""
    ledger = participation.ledger.select_related("assignment__round").order_by("pk")
    groups: dict[tuple[str, int], list[LedgerRow]] = defaultdict(list)
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in ledger:
        group = ("row", row.pk) if row.assignment_id is None else ("batch", row.assignment_id)
        groups[group].append(row)
        sums[row.currency] += row.amount
    lines = [_line(rows) for rows in groups.values()]
    return Statement(lines, [(total, currency) for currency, total in sorted(sums.items())])


def _line(rows: Sequence[LedgerRow]) -> StatementLine:
    first = rows[0]
    assignment = first.assignment
    submitted = assignment.submitted_at if assignment is not None else None
    total = sum((row.amount for row in rows), Decimal())
    return StatementLine(assignment, rows, submitted or first.created_at, total, first.currency)
