"""Payment files for a panel's bulk bonus. Only these and lists for invitations show panel ids."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, F, QuerySet, Sum
from django.utils import timezone

from annotation.models import LedgerRow, Participation, Study, User, log_change
from annotation.panels.invitation import PANEL as INVITATION
from annotation.panels.registry import panel_title
from annotation.pay.rewards import Covers, PaidByPanel
from annotation.work.ledger import cents

# A ledger row, and how much of it the panel pays by itself.
PayRow = tuple[LedgerRow, Decimal]

# No id that a spreadsheet would take for a formula, or that would need quoting in CSV.
PLAIN_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@:-]{0,199}", re.ASCII)


class NothingOwed(Exception):
    """There is nothing to put into a file."""


@dataclass(frozen=True)
class Payout:
    """The contents of a file: workers with amounts, and those whom it leaves out.

    unpayable: the id is erased, or has characters that cannot go into such a file. in_debt:
    adjustments outweigh what is owed; that waits for the next file.
    """

    panel: str
    currency: str
    lines: list[tuple[Participation, Decimal]] = field(default_factory=list)
    unpayable: list[tuple[Participation, Decimal]] = field(default_factory=list)
    in_debt: list[tuple[Participation, Decimal]] = field(default_factory=list)

    @property
    def total(self) -> Decimal:
        return sum((amount for _, amount in self.lines), Decimal())

    @property
    def left(self) -> Decimal:
        """All that is still owed, with what no file can hold and less what was overpaid."""
        others = sum((amount for _, amount in [*self.unpayable, *self.in_debt]), Decimal())
        return self.total + others

    @property
    def overpaid(self) -> Decimal:
        return -self.left

    @property
    def panel_title(self) -> str:
        return panel_title(self.panel)


def payouts(study: Study, covers: Covers) -> list[Payout]:
    """What is owed and has been in no file yet, one payout per panel and currency. The number of
    queries is constant, and the database adds up."""
    owed: dict[tuple[int, str], Decimal] = defaultdict(Decimal)
    for participation, currency, amount in _owed(study, covers):
        owed[participation, currency] += amount
    people = Participation.objects.filter(pk__in={participation for participation, _ in owed})
    by_key = people.select_related("worker").in_bulk()
    by_file: dict[tuple[str, str], list[tuple[Participation, Decimal]]] = defaultdict(list)
    for (participation, currency), amount in owed.items():
        person = by_key[participation]
        by_file[person.worker.panel, currency].append((person, amount))
    return [_payout(panel, unit, sums) for (panel, unit), sums in sorted(by_file.items())]


def _owed(study: Study, covers: Covers) -> Iterator[tuple[int, str, Decimal]]:
    """Participation, currency and what a file pays, in one or several amounts."""
    by_panel, unpaid = PaidByPanel(study, covers), _unpaid(study)
    sums = by_panel.left_to_files(unpaid).order_by().values("participation", "currency")
    for sum_ in sums.annotate(total=Sum("amount")):
        yield sum_["participation"], sum_["currency"], cents(sum_["total"])
    for row, panel_part in _rows_of_screened_out(by_panel, unpaid):
        yield row.participation_id, row.currency, row.amount - panel_part


def _unpaid(study: Study) -> QuerySet[LedgerRow]:
    return LedgerRow.objects.filter(participation__study=study, exported_at=None).order_by("pk")


def _pay_rows(study: Study, rows: QuerySet[LedgerRow], covers: Covers) -> list[PayRow]:
    """The rows that a file pays, wholly or except for the panel's part."""
    by_panel = PaidByPanel(study, covers)
    whole = [(row, Decimal()) for row in by_panel.left_to_files(rows)]
    return [*whole, *_rows_of_screened_out(by_panel, rows)]


def _rows_of_screened_out(by_panel: PaidByPanel, rows: QuerySet[LedgerRow]) -> list[PayRow]:
    theirs = rows.filter(participation__in=by_panel.screened_out)
    related = theirs.select_related("participation__worker", "assignment")
    parts = [(row, by_panel.part_of(row)) for row in related]
    return [(row, panel_part) for row, panel_part in parts if panel_part != row.amount]


def _payout(panel: str, currency: str, sums: Iterable[tuple[Participation, Decimal]]) -> Payout:
    payout = Payout(panel, currency)
    for participation, amount in sorted(sums, key=lambda pair: pair[0].number):
        if amount < 0:
            payout.in_debt.append((participation, amount))
        elif amount and not _has_usable_id(participation):
            payout.unpayable.append((participation, amount))
        elif amount:
            payout.lines.append((participation, amount))
    return payout


def _has_usable_id(participation: Participation) -> bool:
    worker = participation.worker
    return worker.erased_at is None and PLAIN_ID.fullmatch(worker.external_id) is not None


@transaction.atomic
def make_file(
    *, study: Study, panel: str, currency: str, covers: Covers, by: User | None = None
) -> datetime:
    """Mark what is owed as paid by a file, and return its time: `file_text` has its lines.

    NothingOwed where everything has been in a file before, so that a double click pays once.
    """
    # The second request of a double click waits for these locks, and finds the rows marked; an
    # adjustment waits, too, and goes into the next file.
    lock_unpaid(study)
    payout = next(
        (p for p in payouts(study, covers) if (p.panel, p.currency) == (panel, currency)), None
    )
    if payout is None or not payout.lines:
        raise NothingOwed
    paid = {participation.pk for participation, _ in payout.lines}
    now = timezone.now()
    mark_as_paid(study=study, participations=paid, currency=currency, covers=covers, now=now)
    detail = {"panel": panel, "currency": currency, "workers": len(paid)}
    log_change(study=study, by=by, action="pay.file_made", detail=detail)
    return now


def lock_unpaid(study: Study) -> None:
    """Wait for whoever makes a file or a payment or adjusts somebody's pay, until the end of the
    transaction: participations come before ledger rows, as where pay is adjusted. What is
    submitted meanwhile is paid by new rows, which nothing here holds up."""
    people = Participation.objects.filter(study=study).order_by("pk")
    list(people.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    list(_unpaid(study).select_for_update(of=("self",)).values_list("pk"))


def mark_as_paid(
    *, study: Study, participations: Collection[int], currency: str, covers: Covers, now: datetime
) -> list[LedgerRow]:
    """Mark what these people are owed as paid at this time, except for the panel's part of it; the
    rows. Within the transaction that has locked what is unpaid. A row of a submission that came in
    since then is among them: whoever says an amount adds up these rows."""
    rows = _unpaid(study).filter(participation__in=participations, currency=currency)
    pay_rows = _pay_rows(study, rows.select_related("participation__worker", "assignment"), covers)
    by_left: dict[Decimal, list[int]] = defaultdict(list)
    for row, panel_part in pay_rows:
        by_left[panel_part].append(row.pk)
    for panel_part, keys in by_left.items():
        marked = LedgerRow.objects.filter(pk__in=keys, exported_at=None)
        marked.update(exported_at=now, by_panel=panel_part)
    for row, panel_part in pay_rows:
        row.by_panel = panel_part
    return [row for row, _ in pay_rows]


@dataclass(frozen=True)
class MadeFile:
    """A file made before, known by its time."""

    at: datetime
    panel: str
    currency: str
    workers: int
    total: Decimal

    @property
    def panel_title(self) -> str:
        return panel_title(self.panel)


def files_made(study: Study) -> list[MadeFile]:
    """All files so far, the newest first."""
    rows = LedgerRow.objects.filter(participation__study=study, exported_at__isnull=False)
    rows = rows.filter(paid_through=None)
    panel = "participation__worker__panel"
    grouped = rows.values("exported_at", "currency", panel).annotate(
        workers=Count("participation", distinct=True), total=Sum(F("amount") - F("by_panel"))
    )
    return [
        MadeFile(
            row["exported_at"], row[panel], row["currency"], row["workers"], cents(row["total"])
        )
        for row in grouped.order_by("-exported_at")
    ]


def file_text(study: Study, at: datetime) -> str | None:
    """The lines `external_id,amount` of the file made then, `pseudonym,amount` of people who came
    by an invitation; None where none was.

    Amounts have two decimals and a point. Workers whose id was erased since then are left out.
    """
    rows = LedgerRow.objects.filter(participation__study=study, exported_at=at, paid_through=None)
    owed: dict[Participation, Decimal] = defaultdict(Decimal)
    for row in rows.select_related("participation__worker").order_by("participation__number"):
        owed[row.participation] += row.amount - row.by_panel
    if not owed:
        return None
    return "".join(
        f"{_payee(participation)},{amount:.2f}\n"
        for participation, amount in owed.items()
        if _has_usable_id(participation)
    )


def _payee(participation: Participation) -> str:
    """The worker as whoever pays knows them. The id of somebody who came by an invitation is a
    random one, which stands nowhere else: they are known by the pseudonym."""
    worker = participation.worker
    return participation.pseudonym if worker.panel == INVITATION.slug else worker.external_id
