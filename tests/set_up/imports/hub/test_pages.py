"""Datasets of the hub in the browser: an address in place of files, fetched by a worker."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from jobs import queue
from jobs.models import JobState
from jobs.runner import work
from set_up.models import ImportJob
from tests.sessions import as_user
from tests.set_up.imports.hub.datasets import ADDRESS, NAME, OWN, ROWS
from tests.set_up.imports.hub.fake_hub import MAIN, STORAGE, TOKEN, FakeHub, Repository

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def sent(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was sent to the workers."""
    messages: list[int] = []

    def send(_name: str, row_id: int, **_expires: object) -> bool:
        messages.append(row_id)
        return True

    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(queue, "send_task", send)
    return messages


def ask(client: Client, tool: str = "huggingface", **data: Any) -> Any:
    typed = {"title": "Ferries", "skip": "on", "address": ADDRESS, **data}
    return client.post(reverse("desk:new-study-tool", args=[tool]), typed)


def worked(sent: list[int]) -> ImportJob:
    (job_id,) = sent
    work(job_id=job_id)
    return ImportJob.objects.get(pk=job_id)


def test_an_address_makes_a_study_in_the_background(
    hub: FakeHub, owner: User, sent: list[int], settings: Any
) -> None:
    splits = {("default", split): [ROWS] for split in ("train", "test")}
    hub.repositories[NAME] = Repository({MAIN: OWN}, splits)
    client = as_user(owner)
    answer = ask(client, split="test")
    assert not hub.asked, "nobody waits for the hub in front of a page"
    job = worked(sent)
    assert (job.state, job.reason, job.read) == (JobState.DONE, "", job.size)
    assert job.size == 2 * len(ROWS)
    study = Study.objects.get(slug="ferries")
    assert study.members.get().user == owner
    assert study.imported["origin"]["splits"] == ["test"]
    assert str(settings.MEDIA_ROOT) not in str(study.imported)
    assert not list(Path(settings.MEDIA_ROOT).glob("imports/*"))
    assert "was created. Only you can see it." in client.get(answer["Location"]).content.decode()
    set_up = client.get(reverse("desk:set-up", args=[study.slug])).content.decode()
    assert f"<code>{ADDRESS}@{MAIN}</code>" in set_up


def test_what_the_hub_refuses_stands_on_the_page_and_is_typed_once(
    hub: FakeHub, owner: User, sent: list[int]
) -> None:
    client = as_user(owner)
    answer = ask(client, split="test")
    job = worked(sent)
    assert job.reason.startswith(f"{ADDRESS}: dataset: there is none of this name")
    page = client.get(answer["Location"]).content.decode()
    assert "Try again" in page
    again = client.get(f"{reverse('desk:new-study-tool', args=['huggingface'])}?again={job.pk}")
    assert f'value="{ADDRESS}"' in again.content.decode()


def test_the_token_of_the_installation_is_for_superusers(
    hub: FakeHub,
    owner: User,
    sent: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.repositories[NAME] = Repository({MAIN: OWN}, private=True)
    ask(as_user(owner))
    assert worked(sent).state == JobState.FAILED
    assert not any(token for _host, _path, token in hub.asked)
    owner.is_superuser = True
    owner.save()
    sent.clear()
    ask(as_user(owner))
    assert worked(sent).state == JobState.DONE
    assert not any(token for host, _path, token in hub.asked if host == STORAGE)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"address": ""}, "This field is required."),
        ({"address": "ferries"}, "no dataset on the hub: write hf://datasets/OWNER/NAME"),
        ({"file": SimpleUploadedFile("a.jsonl", b"{}")}, "Give files or an address, not both."),
    ],
)
def test_files_or_an_address_are_asked_for(
    owner: User, data: dict[str, Any], reason: str, settings: Any
) -> None:
    answer = ask(as_user(owner), **data)
    assert answer.status_code == 422
    assert reason in answer.content.decode()
    assert not ImportJob.objects.exists()
    assert not list(Path(settings.MEDIA_ROOT).glob("uploads/*"))


def test_only_formats_of_tables_take_an_address(owner: User) -> None:
    client = as_user(owner)
    pages = {
        tool: client.get(reverse("desk:new-study-tool", args=[tool])).content.decode()
        for tool in ("huggingface", "arena", "doccano")
    }
    assert [tool for tool, page in pages.items() if 'name="address"' in page] == [
        "huggingface",
        "arena",
    ]
    assert ask(client, "doccano").status_code == 422
