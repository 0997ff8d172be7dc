"""Every operation of the API, from its schema, with an address and a body that fit a study in which
each collection has a row (`seeding`)."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from alerts.models import Delivery, Webhook
from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    Change,
    ExclusionRule,
    Study,
)
from annotation.pay.payouts import files_made
from judges.models import Call, Judge
from set_up.models import ImportJob, NewStudy

JSON = "application/json"


@dataclass(frozen=True)
class Operation:
    """One operation. path: with the names of its parameters."""

    name: str
    method: str
    path: str
    scope: str
    role: str
    example: Any

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    def address(self, slug: str, row: int) -> str:
        return self.path.replace("{slug}", slug).replace("{id}", str(row))

    def ask(self, client: Client, study: Study, row: int = 1) -> Any:
        body = b"" if self.example is None else json.dumps(_with_rows_of(study, self.example))
        headers = {"If-Match": "*"} if self.writes else {}
        address = self.address(study.slug, row)
        return client.generic(self.method, address, body, content_type=JSON, headers=headers)


def schema_of(client: Client) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(client.get(reverse("api:schema")).content)
    return schema


@cache
def every_operation() -> tuple[Operation, ...]:
    """All of them."""
    paths = schema_of(Client())["paths"]
    return tuple(
        Operation(
            of["operationId"], method.upper(), path, of["x-scope"], of["x-role"], _example(of)
        )
        for path, methods in paths.items()
        for method, of in methods.items()
    )


def _example(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get(JSON, {}).get("example")


def _with_rows_of(study: Study, example: Any) -> Any:
    """The example with rows of the study: which numbers and keys they have differs between runs."""
    if not isinstance(example, dict):
        return example
    if "batches" in example:
        batch = Assignment.objects.filter(participation__study=study).earliest("pk")
        return {**example, "batches": [batch.pk]}
    if "picks" in example:
        unit = study.units.filter(role="normal", retired_at=None).latest("pk")
        return {**example, "picks": [{**example["picks"][0], "unit": unit.key}]}
    return {"slug": study.slug} if set(example) == {"slug"} else example


def row_of(study: Study, operation: Operation) -> int:
    """The number of a row of the study that the operation is about; 0 for those about none."""
    if "{id}" not in operation.path:
        return 0
    if "{slug}" not in operation.path:
        of_account: dict[str, QuerySet[Any]] = {
            "readings": NewStudy.objects.all(),
            "imports": ImportJob.objects.all(),
            "webhooks": Webhook.objects.filter(study=study),
            "account": Delivery.objects.filter(owner__isnull=False),
        }
        return int(of_account[operation.path.split("/")[3]].earliest("pk").pk)
    collection = operation.path.split("{slug}/")[1].split("/{id}")[0]
    if collection == "pay/files":
        (made,) = files_made(study)
        return round(made.at.timestamp() * 1_000_000)
    rows: dict[str, QuerySet[Any]] = {
        "alerts": study.alerts.all(),
        "answers": Annotation.objects.filter(study=study),
        "cases": study.adjudication_cases.all(),
        "colleagues": study.colleague_invitations.all(),
        "controls": study.units.filter(role="positive"),
        "exclusions": ExclusionRule.objects.filter(study=study),
        "gold": study.gold_answers.all(),
        "jobs": study.jobs.all(),
        "lists": study.preparations.all(),
        "looks": study.looks.all(),
        "versions": study.raters.filter(kind="judge"),
        "members": study.members.exclude(role="owner"),
        "registrations": study.registrations.all(),
        "results-links": study.results_links.all(),
        "team": study.participations.all(),
        "unit-actions": study.unit_actions.all(),
        "unit-views": study.saved_views.all(),
        "webhook/deliveries": study.deliveries.all(),
        "workers": study.participations.all(),
        "writings": study.jobs.filter(kind="write_texts"),
        "calls": Call.objects.filter(run__study=study),
        "events": Change.objects.filter(study=study),
        "exports": study.jobs.all(),
        "invitations": study.invitations.all(),
        "items": study.items.all(),
        "judges": Judge.objects.filter(runs__study=study),
        "pay/workers": study.participations.all(),
        "problems": AssignmentUnit.objects.filter(unit__study=study).exclude(problem=""),
        "questions": study.questions.all(),
        "raters": study.raters.all(),
        "reviews": Assignment.objects.filter(participation__study=study),
        "rounds": study.rounds.all(),
        "runs": study.judge_runs.all(),
        "sources": study.sources.all(),
        "units": study.units.all(),
    }
    first = rows[collection].order_by("pk").first()
    assert first is not None, collection
    number = {"pay/workers": "number", "workers": "number", "members": "user_id"}
    return int(getattr(first, number.get(collection, "pk")))
