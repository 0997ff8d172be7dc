"""The progress of a run: its calls, costs and failures, and what it waits for."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, IntegerField, Min, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from jobs.models import JobState
from jobs.workers.health import broker_answers, worker_alive
from judges.backends.factory import find_backend
from judges.models import BatchJob, Call, JudgeRun
from judges.runs.plans.left_out import units_of_examples
from judges.runs.states import calls_by_status, calls_in_words, failures_in_words
from retrieval.page import PageOutcome

# The step of the calls that record retrievals; a line of their reply is `link number: outcome`.
PAGES_STEP = "pages"
# Calls that a model replied to, so that they may have cost something.
REPLIED = (
    *(Call.Status.ANSWERED, Call.Status.PARSE_FAILURE),
    *(Call.Status.TRUNCATED, Call.Status.REFUSAL),
)


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
    def in_words(self) -> str:
        return calls_in_words(self.counts)

    @property
    def failures(self) -> str:
        return failures_in_words(self.counts)

    @property
    def usd(self) -> Decimal | None:
        return usd_spent(self.run)

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100


def run_progress(run: JudgeRun) -> RunProgress:
    """Count a run's calls; one query."""
    return RunProgress(run, calls_by_status(run_id=run.pk))


def waiting_for(run: JudgeRun) -> str:
    """What a running run waits for, as text; empty where it makes progress or has ended."""
    if run.state != JudgeRun.State.RUNNING:
        return ""
    if not worker_alive(timezone.now()):
        return _("Waiting for a background worker. The run goes on when one is available.")
    unfinished, at_provider = run.chunks.unfinished().count(), run.chunks.at_provider().count()
    if 0 < unfinished == at_provider:
        return _("Waiting for the provider, which returns batches within a day.")
    refused = BatchJob.objects.filter(chunk__run=run, state=JobState.QUEUED, tries__gt=0)
    if reason := refused.order_by("-pk").values_list("error", flat=True).first():
        return _("The provider cannot take a batch now; it is sent again later: %(reason)s") % {
            "reason": reason
        }
    if run.chunks.leased().exists() or broker_answers():
        return ""
    return _(
        "The message broker does not answer, so the background worker gets no work. "
        "The run goes on when the broker is available."
    )


@dataclass(frozen=True)
class FailureReason:
    """How many calls failed for the same reason."""

    status: str
    error: str
    n: int


def failures_by_reason(run: JudgeRun, most: int = 20) -> list[FailureReason]:
    """The most frequent reasons of failed calls, the most frequent first."""
    failed = run.calls.filter(status__in=Call.FAILED).order_by()
    rows = failed.values_list("status", "error").annotate(n=Count("pk"))
    return [FailureReason(*row) for row in rows.order_by("-n", "status", "error")[:most]]


def spent(run: JudgeRun) -> dict[str, object]:
    """Tokens and USD of a run so far; None where no call reports any."""
    totals = run.calls.aggregate(
        tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), usd=Sum("cost")
    )
    # This is more than the sum of its calls where a batch ended after the run was cancelled.
    return totals | ({"usd": run.spent} if run.spent else {})


def usd_spent(run: JudgeRun) -> Decimal | None:
    """USD of a run so far; None where its calls were answered at a cost that nobody knows, as no
    price is configured for the model."""
    backend = find_backend(run.judge.backend)
    if run.spent or backend is None or backend.is_free:
        return run.spent
    unpriced = run.calls.filter(status__in=REPLIED, cost=None)
    return None if unpriced.exists() else run.spent


def cut_inputs(run: JudgeRun) -> dict[str, int | None]:
    """How many inputs models on this machine had, and how many of them were cut because they were
    too long; None where no call reports any."""

    def total(name: str) -> Sum:
        return Sum(Cast(KT(f"detail__{name}"), IntegerField()))

    return run.calls.aggregate(inputs=total("inputs"), cut=total("inputs_cut"))


def units_left_out(run: JudgeRun) -> int:
    """How many units of the study were not asked about, as they or others of their sources are
    examples of the judge."""
    examples = run.judge.parameters.get("examples", ())
    keys = {example["unit"] for example in examples if "unit" in example}
    if not keys:
        return 0
    asked = run.calls.order_by().values("question__unit")
    return units_of_examples(run.study, keys).exclude(pk__in=asked).count()


def thin_scores(calls: QuerySet[Call]) -> dict[str, int | None]:
    """How many scores rest on fewer samples than were made, and the fewest that one rests on."""
    thin = calls.filter(detail__has_key="samples_read").order_by()
    fewest = Min(Cast(KT("detail__samples_read"), IntegerField()))
    return thin.aggregate(n=Count("pk"), fewest=fewest)


def pages_by_outcome(run: JudgeRun) -> list[tuple[str, int]]:
    """The number of links with each outcome that occurred, in the order of `PageOutcome`.

    One query that returns few rows: the same replies repeat over the questions.
    """
    rows = run.calls.filter(step=PAGES_STEP).order_by().values_list("reply").annotate(n=Count("pk"))
    counts: Counter[str] = Counter()
    for reply, n in rows:
        for line in reply.splitlines():
            counts[line.partition(": ")[2]] += n
    return [(o.value, counts[o.value]) for o in PageOutcome if counts[o.value]]
