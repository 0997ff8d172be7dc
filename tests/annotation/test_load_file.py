"""The workers of the load test, at Django's test client: locust itself is no part of Jurybox."""

import random
import runpy
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from annotation.entry.invitations import invite
from annotation.models import Annotation, Study

FILE = Path(settings.BASE_DIR) / "examples" / "load" / "locustfile.py"
pytestmark = pytest.mark.django_db


class Session:
    """As locust has it: pages are followed to where they lead, and say their address."""

    def __init__(self) -> None:
        self.client = Client()

    def get(self, path: str, *, name: str) -> Any:
        return self._page(self.client.get(path, follow=True))

    def post(self, path: str, *, data: dict[str, Any], **_of_locust: Any) -> Any:
        return nullcontext(self._page(self.client.post(path, data, follow=True)))

    def _page(self, reply: Any) -> Any:
        return SimpleNamespace(
            url=reply.request["PATH_INFO"],
            text=reply.content.decode(),
            status_code=reply.status_code,
            success=lambda: None,
        )


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the file defines."""
    locust = ModuleType("locust")
    vars(locust).update(HttpUser=object, task=lambda function: function)
    monkeypatch.setitem(sys.modules, "locust", locust)
    monkeypatch.setenv("JURYBOX_INVITATION", "")
    return runpy.run_path(str(FILE))


def test_a_worker_of_the_load_test_joins_and_answers_every_question_of_a_batch(
    study: Study, load: dict[str, Any]
) -> None:
    random.seed(1)
    worker = load["Worker"]()
    worker.client = Session()
    worker.on_start.__globals__["TOKEN"] = invite(study=study, created_by=None).token
    worker.on_start()
    for _ in range(60):
        if Annotation.objects.filter(rater__kind="human").exists():
            break
        worker.go_on()
    answered = Annotation.objects.values_list("question__block__key", flat=True)
    assert set(answered) == set(study.blocks.values_list("key", flat=True))


def test_in_the_lists_of_a_ranking_it_takes_different_places(load: dict[str, Any]) -> None:
    options = "".join(f'<option value="{place}">' for place in ("", 1, 2, 3))
    form = "".join(f'<select name="{name}">{options}</select>' for name in "abc")
    assert sorted(load["_filled"](form, doubts=True).values()) == ["1", "2", "3"]
