"""How far a run is, and why it does not move where it does not."""

from dataclasses import dataclass

from django.db.models import Count, IntegerField, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from judges.models import BatchJob, Call, Chunk, JudgeRun
from judges.runs.health import broker_answers, worker_alive
from judges.runs.states import calls_by_status, failures_in_words


@dataclass(frozen=True)
class RunProgress:
    """A run with its calls counted by status."""

    run: JudgeRun
    counts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def planned(self) -> int:
        return self.counts.get(Call.Status.PLANNED, 0)

    @property
    def done(self) -> int:
        return self.total - self.planned

    @property
    def answered(self) -> int:
        return self.counts.get(Call.Status.ANSWERED, 0)

    @property
    def skipped(self) -> int:
        return self.counts.get(Call.Status.SKIPPED, 0)

    @property
    def failed(self) -> int:
        return sum(self.counts.get(status, 0) for status in Call.FAILED)

    @property
    def failures(self) -> str:
        return failures_in_words(self.counts)

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100


def run_progress(run: JudgeRun) -> RunProgress:
    """Count a run's calls; one query."""
    return RunProgress(run, calls_by_status(run_id=run.pk))


def waiting_for(run: JudgeRun) -> str:
    """In plain words what a running run waits for; empty where it moves or has ended."""
    if run.state != JudgeRun.State.RUNNING:
        return ""
    if not worker_alive(timezone.now()):
        return _("Waiting for a background worker. The run will go on when one is back.")
    states = set(run.chunks.unfinished().order_by().values_list("state", flat=True).distinct())
    if states == {Chunk.State.BATCHED}:
        return _("Waiting for the provider: batches are back within a day.")
    away = BatchJob.objects.filter(chunk__run=run, state=BatchJob.State.SENDING, tries__gt=0)
    if said := away.order_by("-pk").values_list("error", flat=True).first():
        return _("The provider cannot take a batch now, and is asked again: %(why)s") % {
            "why": said
        }
    if Chunk.State.LEASED in states or broker_answers():
        return ""
    return _(
        "The message broker does not answer, so no work reaches the background worker. "
        "The run will go on when it is back."
    )


@dataclass(frozen=True)
class FailureReason:
    """How many calls failed for the same reason."""

    status: str
    error: str
    n: int


def failures_by_reason(run: JudgeRun, most: int = 20) -> list[FailureReason]:
    """The commonest reasons of failed calls, the commonest first."""
    failed = run.calls.filter(status__in=Call.FAILED).order_by()
    rows = failed.values_list("status", "error").annotate(n=Count("pk"))
    return [FailureReason(*row) for row in rows.order_by("-n", "status", "error")[:most]]


def spent(run: JudgeRun) -> dict[str, object]:
    """Tokens and dollars of a run so far; None where no call told any."""
    told = run.calls.aggregate(
        tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), usd=Sum("cost")
    )
    # More than its calls have cost, where a batch came back to a run that was cancelled.
    return told | ({"usd": run.spent} if run.spent else {})


def cut_inputs(run: JudgeRun) -> dict[str, int | None]:
    """How many inputs of models on this machine there were, and how many were longer than the
    model takes and so lost the end of their document; None where no call told any."""

    def total(name: str) -> Sum:
        return Sum(Cast(KT(f"detail__{name}"), IntegerField()))

    return run.calls.aggregate(inputs=total("inputs"), cut=total("inputs_cut"))
