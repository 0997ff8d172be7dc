"""What a message to a webhook tells beside its event: which rows, and by which of their fields.

No message holds what somebody answered: whoever may read it reads it by the API. So nothing has to
be called back when an answer is withdrawn.
"""

from collections.abc import Callable, Mapping
from typing import Any

from annotation.models import Annotation, Round
from desk.models import Alert, Delivery
from desk.monitoring.alerts.kinds import title_of
from judges.models import JudgeRun
from results.models import ExportJob

Event = Delivery.Event
Told = dict[str, Any]


def told_of(delivery: Delivery) -> Told:
    """Of the alert, the answers, the round, the run or the export. Empty for a test."""
    if delivery.alert is not None:
        return {"alert": _alert(delivery.alert)}
    told = _BY_EVENT.get(delivery.event)
    return {} if told is None else told(delivery)


def _alert(alert: Alert) -> Told:
    return {
        "kind": alert.kind,
        "title": title_of(alert.kind),
        "message": alert.message,
        "since": alert.since.isoformat(timespec="seconds"),
        "ended_at": alert.ended_at and alert.ended_at.isoformat(timespec="seconds"),
    }


def _answers(delivery: Delivery) -> Told:
    names = {
        "id": "pk",
        "unit": "question__unit__key",
        "block": "question__block__key",
        "rater": "rater__name",
        "kind": "rater__kind",
        "round": "round__name",
    }
    rows = Annotation.objects.filter(pk__in=delivery.content["answers"]).order_by("pk")
    values = rows.values_list(*names.values())
    return {"answers": [dict(zip(names, row, strict=True)) for row in values]}


def _round(delivery: Delivery) -> Told:
    row = Round.objects.filter(pk=delivery.content["round"]).first()
    return {"round": row and {"id": row.pk, "name": row.name, "position": row.position}}


def _run(delivery: Delivery) -> Told:
    run = JudgeRun.objects.select_related("judge").filter(pk=delivery.content["run"]).first()
    if run is None:
        return {"run": None}
    return {
        "run": {"id": run.pk, "judge": str(run.judge), "state": run.state, "reason": run.reason}
    }


def _export(delivery: Delivery) -> Told:
    job = ExportJob.objects.filter(pk=delivery.content["export"]).first()
    return {"export": job and {"id": job.pk, "format": job.format_name}}


_BY_EVENT: Mapping[str, Callable[[Delivery], Told]] = {
    Event.ANSWERS: _answers,
    Event.ROUND: _round,
    Event.RUN: _run,
    Event.EXPORT: _export,
}
