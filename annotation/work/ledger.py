"""The ledger: pay for submitted work, adjustments, screen-outs, and sums."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from django.db import transaction
from django.db.models import Max, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation.models import Assignment, LedgerRow, Participation, User, log_change
from annotation.panels.visits import submitted_in_visit
from annotation.queries.compiled import CompiledQuery, Param
from annotation.rounds.standing import controls_right, reaches

Kind = LedgerRow.Kind

_by_currency = CompiledQuery(
    lambda: (
        LedgerRow.objects.filter(participation=Param("participation"))
        .values_list("currency")
        .annotate(total=Sum("amount"))
        .order_by("currency")
    )
)


def pay_for(*, assignment: Assignment, passed: bool) -> list[LedgerRow]:
    """Write the base pay of a submitted batch, and its bonus if earned, as promised at the lease.

    Runs within the submission's transaction. A constraint allows each once per assignment.
    """
    amounts = [(Kind.BASE, assignment.base_pay)]
    if assignment.bonus_pay and (assignment.pass_accuracy is None or passed):
        amounts.append((Kind.BONUS, assignment.bonus_pay))
    return LedgerRow.objects.bulk_create(
        LedgerRow(
            participation_id=assignment.participation_id,
            assignment=assignment,
            kind=kind,
            amount=amount,
            currency=assignment.currency,
        )
        for kind, amount in amounts
    )


@transaction.atomic
def pay_missed_bonuses(*, assignments: QuerySet[Assignment]) -> list[LedgerRow]:
    """Write bonuses for submitted batches that reach their mark only now, since a control was
    retired. The caller has locked the batches."""
    missed = assignments.filter(
        state=Assignment.State.SUBMITTED, bonus_pay__gt=0, pass_accuracy__isnull=False
    ).exclude(ledger__kind=Kind.BONUS)
    return LedgerRow.objects.bulk_create(
        LedgerRow(
            participation_id=assignment.participation_id,
            assignment=assignment,
            kind=Kind.BONUS,
            amount=assignment.bonus_pay,
            currency=assignment.currency,
            note="a control was retired",
        )
        for assignment in missed.select_related("round__study").order_by("pk")
        if _reaches_mark(assignment)
    )


def _reaches_mark(assignment: Assignment) -> bool:
    right = controls_right([assignment.pk], assignment.round)
    return reaches(sum(right.values()), len(right), assignment.pass_accuracy or 0)


@dataclass(frozen=True)
class FinishedShare:
    """The finished part of a batch that is closed unfinished: `done` of `of` units."""

    assignment: Assignment
    done: int
    of: int

    @property
    def amount(self) -> Decimal:
        """What it pays: the share of the base pay, rounded up to the cent."""
        share = self.assignment.base_pay * self.done / max(self.of, 1)
        return share.quantize(Decimal("0.01"), rounding=ROUND_UP)

    @property
    def currency(self) -> str:
        return self.assignment.currency


def pay_for_part(part: FinishedShare) -> LedgerRow | None:
    """Write what the finished part pays; no row where that is nothing."""
    if not part.amount:
        return None
    return LedgerRow.objects.create(
        participation_id=part.assignment.participation_id,
        assignment=part.assignment,
        kind=Kind.BASE,
        amount=part.amount,
        currency=part.currency,
        note=f"{part.done} of {part.of} finished",
    )


class AdjustmentRefused(Exception):
    """An adjustment that is not possible; the message says why, in plain words."""


@transaction.atomic
def adjust(
    *, participation: Participation, amount: Decimal, note: str, by: User | None, after: int
) -> LedgerRow:
    """Add an adjustment, positive or negative, to a worker's ledger, with a note that they see.

    `after` is `newest_row` at the time of the decision: Refused if rows were added since, by a
    double click or a colleague. Refused, too, if the total would become negative.
    """
    Participation.objects.select_for_update(no_key=True, of=("self",)).get(pk=participation.pk)
    if newest_row(participation) != after:
        raise AdjustmentRefused(
            _("This worker's pay has changed since the page was loaded. Please look again.")
        )
    if not note.strip():
        raise AdjustmentRefused(_("Enter a note that the worker will understand."))
    currency = _currency(participation)
    if not amount or dict(_sums(participation)).get(currency, Decimal()) + amount < 0:
        raise AdjustmentRefused(
            _("Enter an amount other than 0. The total may not become negative.")
        )
    log_change(
        study=participation.study,
        by=by,
        action="pay.adjusted",
        subject=participation.pseudonym,
        detail={"amount": amount, "currency": currency},
    )
    return LedgerRow.objects.create(
        participation=participation,
        kind=Kind.ADJUSTMENT,
        amount=amount,
        currency=currency,
        note=note.strip()[:200],
        by=by,
    )


def newest_row(participation: Participation) -> int:
    """The key of the worker's last ledger row; 0 without any."""
    return participation.ledger.aggregate(newest=Max("pk"))["newest"] or 0


def _currency(participation: Participation) -> str:
    """The currency of the worker's last row, else that of the study's first round."""
    row = participation.ledger.order_by("-pk").first()
    round_ = participation.study.rounds.first()
    if row is not None:
        return row.currency
    return round_.currency if round_ is not None else "USD"


def pay_screenout(*, participation: Participation) -> LedgerRow | None:
    """Raise what a screened-out worker earned in this visit to the study's fixed pay for that.

    Written once, however often it is called. No row where nothing is missing.
    """
    study = participation.study
    round_ = study.rounds.first()
    if not study.screenout_pay or round_ is None:
        return None
    # Stored, since this is what the panel's code pays, even if the study file changes later.
    people = Participation.objects.filter(pk=participation.pk)
    people.update(screenout_pay=study.screenout_pay)
    missing = study.screenout_pay - _base_in_visit(participation)
    if missing <= 0:
        return None
    row, _created = LedgerRow.objects.get_or_create(
        participation=participation,
        assignment=None,
        kind=Kind.BASE,
        defaults={"amount": missing, "currency": round_.currency, "note": "screened out"},
    )
    return row


def _base_in_visit(participation: Participation) -> Decimal:
    rows = LedgerRow.objects.filter(
        kind=Kind.BASE, assignment__in=submitted_in_visit(participation)
    )
    return cents(rows.aggregate(total=Sum("amount"))["total"])


def earned(
    participation: Participation, part: FinishedShare | None = None
) -> list[tuple[Decimal, str]]:
    """What a worker has earned so far: one sum per currency in which it is something. With what
    closing the open batch would pay, where that `part` is given."""
    sums = dict(_sums(participation))
    if part is not None:
        sums[part.currency] = sums.get(part.currency, Decimal()) + part.amount
    return [(total, currency) for currency, total in sorted(sums.items()) if total]


def _sums(participation: Participation) -> list[tuple[str, Decimal]]:
    sums = _by_currency.all(participation=participation.pk)
    return [(currency, cents(Decimal(str(total)))) for currency, total in sums]


def earned_each(participations: Collection[int]) -> dict[int, list[tuple[Decimal, str]]]:
    """What each of these has earned so far; one query."""
    rows = LedgerRow.objects.filter(participation__in=participations)
    sums = rows.values("participation", "currency").annotate(total=Sum("amount"))
    earned_by: dict[int, list[tuple[Decimal, str]]] = {}
    for row in sums.order_by("participation", "currency"):
        pair = (cents(row["total"]), row["currency"])
        earned_by.setdefault(row["participation"], []).append(pair)
    return earned_by


def cents(total: Decimal | None) -> Decimal:
    """A sum from the database in whole cents: on SQLite 1.00 and 0.50 are 1.5."""
    return (total or Decimal()).quantize(Decimal("0.01"))
