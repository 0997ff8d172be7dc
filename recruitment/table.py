"""Both sides of each submission, in words, and what there is to do about it."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    Assignment,
    PanelDecision,
    PanelStudy,
    PanelSubmission,
    Participation,
    SubmissionStatus,
)
from recruitment.publication import PANEL

Code, Status, State = PanelSubmission.Code, SubmissionStatus, Participation.State
Words = str | Promise

# Where people are asked to act; the filter "to do" shows these.
READY, LOOK = "ready", "look"


@dataclass(frozen=True)
class Advice:
    """What there is to do. kind: `ready` to approve, `look` first, or empty for nothing."""

    text: Words
    kind: str = ""


@dataclass(frozen=True)
class TableRow:
    """A submission with the person's work here: batches submitted in that session, and of those
    the excluded ones."""

    submission: PanelSubmission
    submitted: int
    excluded: int
    decision: PanelDecision | None

    @property
    def participation(self) -> Participation | None:
        return self.submission.participation

    @property
    def is_undecided(self) -> bool:
        """Whether it waits for a review there, and no decision is on its way."""
        under_way = (PanelDecision.State.INTENDED, PanelDecision.State.SENT)
        waits = self.submission.status == Status.REVIEW
        return waits and (self.decision is None or self.decision.state not in under_way)

    @property
    def advice(self) -> Advice:
        return advice(self)


def rows_of(made: PanelStudy, statuses: Collection[str] = ()) -> list[TableRow]:
    """The submissions with both sides' states, by what there is to do; four queries."""
    shown = made.submissions.select_related("participation").order_by("pk")
    submissions = list(shown.filter(status__in=statuses) if statuses else shown)
    work = _work([row.participation_id for row in submissions if row.participation_id])
    decisions = {
        decision.submission_id: decision
        for decision in PanelDecision.objects.filter(submission__in=submissions).order_by("pk")
    }
    return [
        TableRow(row, *work.get((row.participation_id, row.visit), (0, 0)), decisions.get(row.pk))
        for row in submissions
    ]


def _work(people: Collection[int]) -> dict[tuple[int | None, int], tuple[int, int]]:
    """Participation and visit -> batches submitted in it (training apart), and excluded ones."""
    submitted = Assignment.objects.filter(
        participation__in=people, state=Assignment.State.SUBMITTED, round__shows_answers=False
    )
    excluded = Count("pk", filter=Q(verdict=Assignment.Verdict.EXCLUDED))
    counts = submitted.values_list("participation", "visit").annotate(n=Count("pk"), out=excluded)
    return {(person, visit): (n, out) for person, visit, n, out in counts.order_by("participation")}


def counts_of(made: PanelStudy) -> list[tuple[str, int]]:
    """How many submissions have each status there, in Prolific's order."""
    counts = Counter(made.submissions.values_list("status", flat=True))
    known = [status.value for status in Status]
    return [(status, counts[status]) for status in [*known, *sorted(set(counts) - set(known))]
            if counts[status]]  # fmt: skip


def missing_there(made: PanelStudy) -> Sequence[Participation]:
    """People from Prolific, in the session of this study, whose submission it does not list."""
    people = Participation.objects.filter(study=made.study, worker__panel=PANEL)
    came = people.filter(panel_session__study=made.external_id)
    return list(came.filter(panel_submissions=None).order_by("number"))


def advice(row: TableRow) -> Advice:
    """What a submission asks of the researcher."""
    status = row.submission.status
    if row.decision is not None and row.decision.state == PanelDecision.State.FAILED:
        return Advice(row.decision.problem, LOOK)
    if status == Status.REVIEW:
        return _to_review(row)
    if status in (Status.RETURNED, Status.TIMED_OUT):
        return _ended_without_pay(row)
    return _decided(row)


def _decided(row: TableRow) -> Advice:
    """One that was decided about there."""
    status, person = row.submission.status, row.participation
    if status == Status.APPROVED and person is None:
        return Advice(_("Approved there; never came here."), LOOK)
    if status == Status.APPROVED and not row.submitted:
        return Advice(_("Approved there, without submitted work here."), LOOK)
    if status == Status.SCREENED_OUT and (person is None or person.state != State.SCREENED_OUT):
        return Advice(_("Screened out there, but not here."), LOOK)
    if status == Status.REJECTED:
        return Advice(_("Rejected: Prolific pays no reward."))
    return Advice("")


def _to_review(row: TableRow) -> Advice:
    """One that waits for a review there."""
    if not row.is_undecided:
        return Advice(_("A decision is on its way."))
    if row.submission.return_asked_at:
        return Advice(_("Was asked to return the submission."))
    odd = _what_is_odd(row)
    if odd is not None:
        return Advice(odd, LOOK)
    if row.submission.code == Code.NONE:
        return Advice(_("The work has arrived; only the code is missing: approve."), READY)
    if row.submission.code != Code.COMPLETED:
        return Advice(_("The work has arrived with another code: approve."), READY)
    return Advice(_("Work and code have arrived: approve."), READY)


def _what_is_odd(row: TableRow) -> Words | None:
    """Why it should not simply be approved; None where it may be."""
    person = row.participation
    if person is None:
        return _("Never came here. Ask them to return it.")
    if person.state == State.SCREENED_OUT:
        return _("Screened out here. Ask them to return it; the pay goes out as a bonus.")
    if not row.submitted:
        return _("Nothing was submitted here. Ask them to return it.")
    if row.excluded == row.submitted:
        return _("All of their work is excluded here. It is paid all the same.")
    return None


def _ended_without_pay(row: TableRow) -> Advice:
    """One that was returned or timed out: Prolific pays nothing for it."""
    if row.submitted:
        return Advice(_("Prolific pays nothing. The work that is here is paid as a bonus."))
    if row.participation is None:
        return Advice("")
    return Advice(_("Nothing was submitted. Their places are free again."))
