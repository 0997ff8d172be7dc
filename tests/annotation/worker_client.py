"""A worker at Django's test client: the pages of a batch without a real browser."""

from typing import TYPE_CHECKING, Any

from django.test import Client
from django.urls import reverse

from annotation.middleware.frames import framed_lobby
from annotation.models import Assignment, Participation, Study
from tests.annotation.workers import lease, newcomer

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

HTMX = {"HX-Request": "true"}


def framed_prefix(participation: Participation) -> str:
    """The beginning of every address of the worker's own visit inside a frame."""
    participation.visit_key = participation.own_key
    return framed_lobby(participation).partition("/work/")[0]


class Person:
    """A worker with a browser and an open batch."""

    def __init__(self, study: Study, batch: Assignment | None = None) -> None:
        self.client = Client()
        self.batch = batch or lease(newcomer(study))
        self.sign_in()

    def sign_in(self) -> None:
        token = self.batch.participation.token
        self.client.get(reverse("annotation:return", args=[token]))

    def address(self, position: int = 1, part: int = 1, name: str = "question") -> str:
        return reverse(f"annotation:{name}", args=[self.batch.public_id, position, part])

    def of_batch(self, name: str) -> str:
        return reverse(f"annotation:{name}", args=[self.batch.public_id])

    def get(self, position: int = 1, part: int = 1) -> str:
        page = self.client.get(self.address(position, part))
        assert page.status_code == 200, page
        return page.content.decode()

    def post(self, data: dict[str, Any], position: int = 1, part: int = 1) -> "Response":
        return self.client.post(self.address(position, part), data)

    def autosave(self, data: dict[str, Any], position: int = 1, part: int = 1) -> "Response":
        return self.client.post(self.address(position, part, "draft"), data, headers=HTMX)

    def submit(self) -> "Response":
        return self.client.post(self.of_batch("submit"))
