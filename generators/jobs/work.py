"""The jobs that write texts and propose lists: a page or a program asks, a worker does them."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.urls import reverse

from annotation.access import Role, get_role
from annotation.models import Study, User, log_change
from files.errors import ImportFailure
from generators.conversations import GenerationRefused, Held, Made
from generators.jobs.plans import plan_writing
from generators.jobs.requests import ListsRequest, Share, TextsRequest
from jobs import queue
from jobs.kinds import JobFailed, JobOutcome, Kind
from jobs.models import Job, JobState
from jobs.reports import NoLongerWanted, Report
from judges.backends.contract import Unusable

Requested = TextsRequest | ListsRequest
# Of one share; more kinds of failure are counted together.
MOST_REASONS = 20


class Writing(Kind):
    """Has models write what a request says. What was paid for is kept in the study even where the
    job is cancelled, and never asked for again."""

    least = "editor"
    unreached = "ask for it again later"

    def __init__(self, name: str, title: str, request: type[Requested]) -> None:
        self.name, self.title, self.Request = name, title, request

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Write all shares, one after the other; what came of each."""
        study, by = job.study, job.owner
        assert study is not None  # every job of these is of a study
        request = self.request_of(job)
        _refuse_stranger(study, by)
        tally = _Tally(job, report)
        try:
            request.check(study)
            shares = list(request.shares(study))
        except ValueError as error:
            raise JobFailed(str(error)) from error
        tally.total = sum(len(share.planned) for share in shares)
        report.write(done=0, total=tally.total)
        for share in shares:
            tally.write(share, by, request.max_cost)
        outcome = {"shares": tally.rows, "spent": tally.spent_as_text}
        _log(self, job, outcome)
        if tally.is_cancelled:
            Job.objects.filter(pk=job.pk, state=JobState.CANCELLED).update(outcome=outcome)
            raise NoLongerWanted
        if tally.rows and not any(row["written"] or row["failures"] for row in tally.rows):
            reasons = dict.fromkeys(row["stopped"] for row in tally.rows if row["stopped"])
            if reasons:
                raise JobFailed("; ".join(reasons))
        return outcome

    def request_of(self, job: Job) -> Requested:
        """What was asked for."""
        return self.Request.model_validate(job.parameters)

    def words(self, job: Job) -> str:
        """What is written, by which models as which systems."""
        request = self.request_of(job)
        if isinstance(request, ListsRequest):
            return f"{request.list or request.things}: {request.writer.model}"
        writers = ", ".join(f"{one.system} ({one.model})" for one in request.writers)
        return f"{request.text_kind.title}: {writers}"

    def so_far(self, job: Job) -> str:
        """How many are written or have failed."""
        return f"{job.progress.get('done', 0)} of {job.progress.get('total', 0)}"

    def address(self, job: Job) -> str:
        """The page of the job."""
        assert job.study is not None
        return reverse("desk:writing", args=[job.study.slug, job.pk])


WRITE_TEXTS = Writing("write_texts", "Writing texts", TextsRequest)
PROPOSE_LISTS = Writing("propose_lists", "Proposing lists", ListsRequest)
BY_REQUEST: dict[type[Requested], Writing] = {
    TextsRequest: WRITE_TEXTS,
    ListsRequest: PROPOSE_LISTS,
}


@transaction.atomic
def ask_to_write(*, study: Study, request: Requested, by: User) -> Job:
    """The job that does what a request says, or the same one under way. GenerationRefused, or
    another ValueError of one sentence, where it cannot be done, or where others are being written:
    they would be imported side by side."""
    kind, parameters = BY_REQUEST[type(request)], request.model_dump(mode="json")
    standing = queue.under_way(queue.digest_of(kind, study, kind.name))
    if standing is None:
        plan_writing(study=study, request=request, by=by)
        detail = {"models": [one.model for one in _writers(request)]}
        log_change(study=study, by=by, action=f"{request.things}.asked", detail=detail)
        standing = queue.ask(kind, study=study, by=by, parameters=parameters, about=kind.name)
    if standing.parameters != parameters:
        raise GenerationRefused(
            f"Other {request.things} are being written for this study; wait for them or cancel "
            "that first."
        )
    return standing


class _Tally:
    """What has come of the shares of a job so far. Tells the job's page how far it is."""

    def __init__(self, job: Job, report: Report) -> None:
        self._job, self._report = job, report
        self.total, self._done, self._failed = 0, 0, 0
        self.rows: list[dict[str, Any]] = []
        self._spent: Decimal | None = None
        self.is_cancelled = False

    @property
    def spent_as_text(self) -> str | None:
        return None if self._spent is None else str(self._spent)

    def write(self, share: Share, by: User | None, max_cost: Decimal | None) -> None:
        """Write a share, and keep what came of it."""
        row = {
            "system": share.writer.system,
            "model": share.writer.model,
            "wanted": len(share.planned),
            "existing": share.existing,
            "left_out": list(share.left_out),
            "notes": list(share.notes),
            "written": 0,
            "failures": [],
            "stopped": "It was cancelled." if self.is_cancelled else "",
            "spent": None,
        }
        self.rows.append(row)
        if self.is_cancelled or not share.planned:
            return
        left = max_cost
        if max_cost is not None:
            left = max(Decimal(0), max_cost - (self._spent or Decimal(0)))
        try:
            made = share.write(
                generator=share.generator,
                planned=share.planned,
                by=by,
                max_cost=left,
                goes_on=self._goes_on,
            )
        except (ValueError, OSError, Unusable, ImportFailure) as error:
            row["stopped"] = str(error)
        else:
            row |= _came_to(made)
            self._failed += sum(made.failures.values())
            self._done += len(share.planned)
            if made.spent is not None:
                self._spent = made.spent + (self._spent or Decimal(0))

    def _goes_on(self, held: Held) -> bool:
        failed, spent = sum(held.failures.values()), self._spent
        if held.spent is not None:
            spent = held.spent + (spent or Decimal(0))
        try:
            self._report(
                done=self._done + held.written + failed,
                failed=self._failed + failed,
                system=self.rows[-1]["system"] or self.rows[-1]["model"],
                spent=None if spent is None else str(spent),
            )
        except NoLongerWanted:
            rows = Job.objects.filter(pk=self._job.pk, attempt=self._job.attempt)
            if not rows.filter(state=JobState.CANCELLED).exists():
                raise  # another worker is at it
            self.is_cancelled = True
        return not self.is_cancelled


def _came_to(made: Made) -> dict[str, Any]:
    reasons = sorted(made.failures.items(), key=lambda reason: -reason[1])
    failures = [
        {
            "reason": reason,
            "n": n,
            "replies": [{"key": f.key, "reply": f.reply} for f in made.examples.get(reason, ())],
        }
        for reason, n in reasons[:MOST_REASONS]
    ]
    if others := sum(n for _, n in reasons[MOST_REASONS:]):
        failures.append({"reason": "other reasons", "n": others, "replies": []})
    return {
        "written": made.number,
        "failures": failures,
        "stopped": made.stopped,
        "spent": None if made.spent is None else str(made.spent),
        "file": made.file.name,
    }


def _refuse_stranger(study: Study, by: User | None) -> None:
    """JobFailed for somebody who was removed while the job waited."""
    role = None if by is None else get_role(by, study)
    if role is None or not role.may(Role.EDITOR):
        raise JobFailed("the account that asked for this is no longer allowed to")


def _log(kind: Writing, job: Job, outcome: JobOutcome) -> None:
    request = kind.request_of(job)
    written = sum(row["written"] for row in outcome["shares"])
    assert job.study is not None
    log_change(
        study=job.study,
        by=job.owner,
        action=f"{request.things}.written",
        subject=str(job.pk),
        detail={"written": written, "usd": outcome["spent"]},
    )


def _writers(request: Requested) -> tuple[Any, ...]:
    return (request.writer,) if isinstance(request, ListsRequest) else request.writers
