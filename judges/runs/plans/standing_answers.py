"""The answers that a judge has given to the questions of a run."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import Annotation
from judges.models import Call, Chunk, JudgeRun, ProbeAnswer

ALREADY = "Answered already."


def answers_of(run: JudgeRun) -> QuerySet[Any]:
    """The standing answers of a run's judge; of a run that asks a probe set, its own alone."""
    if run.is_probe:
        return ProbeAnswer.objects.filter(run=run)
    return Annotation.objects.filter(rater=run.rater_id, superseded_at=None)


def has_answer(run_id: int) -> bool:
    """Whether any call of the run has led to an answer."""
    answered = Call.objects.filter(run=run_id, status=Call.Status.ANSWERED)
    probes = ProbeAnswer.objects.filter(run=run_id)
    return answered.exclude(annotation=None).exists() or probes.exists()


def skip_answered(chunk: Chunk) -> None:
    """Mark the calls of questions that this judge version has answered before as skipped."""
    answered = answers_of(chunk.run).filter(
        question=OuterRef("question"), replicate=OuterRef("replicate")
    )
    chunk.calls.filter(Exists(answered), status=Call.Status.PLANNED).update(
        status=Call.Status.SKIPPED, error=ALREADY, finished_at=timezone.now()
    )
