"""What a message to a webhook tells beside its event: which rows, and by which of their fields.

No message holds what somebody answered: whoever may read it reads it by the API. So nothing has to
be called back when an answer is withdrawn.
"""

from collections.abc import Callable, Mapping
from typing import Any

from alerts.kinds import title_of
from alerts.models import Alert, Delivery
from annotation.models import Annotation, Round
from exports.jobs import exports_of
from judges.models import DriftCheck, Judge, JudgeRun
from judges.probes.drift import Drift
from judges.probes.words import verdict

Event = Delivery.Event
Details = dict[str, Any]


def details_of(delivery: Delivery) -> Details:
    """Of the alert, the answers, the round, the run, the export or the drift. Empty for a test."""
    if delivery.alert is not None:
        return {"alert": _alert(delivery.alert)}
    write = _BY_EVENT.get(delivery.event)
    return {} if write is None else write(delivery)


def _alert(alert: Alert) -> Details:
    return {
        "kind": alert.kind,
        "title": title_of(alert.kind),
        "message": alert.message,
        "since": alert.since.isoformat(timespec="seconds"),
        "ended_at": alert.ended_at and alert.ended_at.isoformat(timespec="seconds"),
    }


def _answers(delivery: Delivery) -> Details:
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


def _round(delivery: Delivery) -> Details:
    row = Round.objects.filter(pk=delivery.content["round"]).first()
    return {"round": row and {"id": row.pk, "name": row.name, "position": row.position}}


def _run(delivery: Delivery) -> Details:
    run = JudgeRun.objects.select_related("judge").filter(pk=delivery.content["run"]).first()
    if run is None:
        return {"run": None}
    return {
        "run": {"id": run.pk, "judge": str(run.judge), "state": run.state, "reason": run.reason}
    }


def _export(delivery: Delivery) -> Details:
    assert delivery.study is not None
    job = exports_of(delivery.study).filter(pk=delivery.content["export"]).first()
    return {"export": job and {"id": job.pk, "format": job.parameters["format_name"]}}


def judge_of(delivery: Delivery) -> Judge | None:
    """The judge that a message about drift is about; None for other messages."""
    if delivery.event != Event.DRIFT:
        return None
    return Judge.objects.filter(runs__drift_check=delivery.content["check"]).first()


def _drift(delivery: Delivery) -> Details:
    checks = DriftCheck.objects.select_related("run__judge", "run__probe_set")
    check = checks.filter(pk=delivery.content["check"]).first()
    if check is None:
        return {"drift": None}
    drift = Drift.from_json(check.figures)
    measures = [
        {
            "metric": measure.name,
            "facet": measure.facet,
            "value": measure.estimate.value,
            "low": measure.estimate.low,
            "high": measure.estimate.high,
            "confidence": measure.estimate.confidence,
        }
        for measure in drift.apart
    ]
    return {
        "drift": {
            "judge": str(check.run.judge),
            "run": check.run_id,
            "at": check.ended_at.isoformat(timespec="seconds"),
            "look": check.look,
            "units": drift.units,
            "pairs": drift.questions,
            "estimates": measures,
            "message": verdict(drift),
        }
    }


_BY_EVENT: Mapping[str, Callable[[Delivery], Details]] = {
    Event.ANSWERS: _answers,
    Event.ROUND: _round,
    Event.RUN: _run,
    Event.EXPORT: _export,
    Event.DRIFT: _drift,
}
