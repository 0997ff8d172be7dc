"""Ways to the workers' pages, for a real browser."""

from collections.abc import Callable

from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.entry.invitations import invite
from annotation.models import Assignment, Study
from tests.annotation.workers import lease, newcomer

NewPage = Callable[..., Page]
CONTINUE = 'button[value="next"]'


def invitation_link(study: Study) -> str:
    return reverse("annotation:join", args=[invite(study=study, created_by=None).token])


def open_batch(page: Page, study: Study) -> Assignment:
    """A batch of somebody new, whom this browser belongs to."""
    batch = lease(newcomer(study))
    page.goto(reverse("annotation:return", args=[batch.participation.worker.return_token]))
    return batch


def address(batch: Assignment, position: int = 1, part: int = 1) -> str:
    return reverse("annotation:question", args=[batch.public_id, position, part])


def saved(page: Page) -> None:
    expect(page.locator("#saved:not(.save-state--saving)")).to_contain_text("Saved")
