"""What could be paid through Prolific now: what is owed, and the submission to pay it on."""

from collections.abc import Collection
from dataclasses import dataclass, field

from annotation.models import PanelStudy, PanelSubmission, Participation
from annotation.models import SubmissionStatus as Status
from annotation.models.tombstones import PREFIX
from annotation.panels.prolific_api.money import minor_units
from annotation.pay.payouts import payouts
from annotation.pay.rewards import Covers
from recruitment.publication import PANEL

# A bonus goes to a submission that has ended; while one waits for a review, its reward comes first.
PAYABLE = (
    Status.APPROVED,
    Status.PARTIALLY_APPROVED,
    Status.SCREENED_OUT,
    Status.RETURNED,
    Status.TIMED_OUT,
    Status.REJECTED,
)
# So many bonuses go out in one payment; the rest goes into the next.
MOST_LINES = 200


@dataclass(frozen=True)
class OfferedLine:
    """What a worker is owed beyond what Prolific pays by itself, and where to pay it."""

    participation: Participation
    submission: PanelSubmission
    minor: int


@dataclass(frozen=True)
class Offer:
    """What could be paid now. waiting: owed to people of whose submissions none can be paid on."""

    currency: str
    lines: list[OfferedLine] = field(default_factory=list)
    waiting: list[Participation] = field(default_factory=list)

    @property
    def total_minor(self) -> int:
        return sum(line.minor for line in self.lines)


def offer(made: PanelStudy) -> Offer:
    """What is owed to the people of this study at Prolific, in its currency."""
    owed = [
        payout
        for payout in payouts(made.study, Covers.BEYOND_SESSION)
        if payout.panel == PANEL and payout.currency == made.currency
    ]
    offered = Offer(made.currency)
    lines = [line for payout in owed for line in [*payout.lines, *payout.unpayable]]
    newest = _newest_submissions(made, [person.pk for person, _ in lines])
    for person, amount in lines:
        submission = newest.get(person.pk)
        if submission is None or len(offered.lines) >= MOST_LINES:
            offered.waiting.append(person)
        else:
            minor = minor_units(amount, made.currency)
            offered.lines.append(OfferedLine(person, submission, minor))
    return offered


def _newest_submissions(made: PanelStudy, people: Collection[int]) -> dict[int, PanelSubmission]:
    rows = made.submissions.filter(participation__in=people, status__in=PAYABLE)
    rows = rows.exclude(external_id__startswith=PREFIX)
    return {row.participation_id: row for row in rows.order_by("pk") if row.participation_id}
