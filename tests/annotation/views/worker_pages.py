"""Ways to the workers' pages, for a real browser."""

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.entry.invitations import invite
from annotation.models import Assignment, Question, Study
from tasktypes.contract import TaskType
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study

NewPage = Callable[..., Page]
CONTINUE = 'button[value="next"]'


def invitation_link(study: Study) -> str:
    return reverse("annotation:join", args=[invite(study=study, created_by=None).token])


def open_batch(page: Page, study: Study) -> Assignment:
    """A batch of somebody new, whom this browser belongs to."""
    batch = lease(newcomer(study))
    page.goto(reverse("annotation:return", args=[batch.participation.token]))
    return batch


def address(batch: Assignment, position: int = 1, part: int = 1) -> str:
    return reverse("annotation:question", args=[batch.public_id, position, part])


def saved(page: Page) -> None:
    expect(page.locator("#saved:not(.save-state--saving)")).to_contain_text("Saved")


def study_asking(
    kind: TaskType[Any, Any, Any], payload: Any, options: Mapping[str, Any], **fields: Any
) -> Study:
    """A study whose questions are all this one."""
    study = make_study(sources=2, per_batch=1, blocks=[("citation_recovery", {})], **fields)
    study.blocks.update(task_type_slug=kind.slug, options=dict(options))
    Question.objects.filter(study=study).update(
        payload=payload.model_dump(mode="json"), reference=None
    )
    return study


def study_of(kind: TaskType[Any, Any, Any]) -> Study:
    """A study whose questions are the worked example of the kind."""
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    return study_asking(kind, payload, example.options)
