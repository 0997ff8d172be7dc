"""Nobody meets a panel's id outside the files for the panel: every other one is looked through."""

import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.invitations import invite_qualified
from annotation.models import Assignment, Member, Participation, Round, Study, User, Worker
from annotation.work.submission import submit
from exports.formats import FORMATS
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study

pytestmark = pytest.mark.django_db
both_databases = pytest.mark.both_databases

PANEL = "prolific"
PANEL_ID = "5f1c0ffee5f1c0ffee5f1c0f"
# The two files that the ids are for, which owners alone get, and what ends the session.
NOT_LOOKED_AT = re.compile(r"/pay/files/|/qualified/#/ids.csv|/sign-out/")


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    """With a worker from a panel who has submitted one batch, reported a problem, and was invited
    to the next round."""
    study = make_study(positive=1, negative=1, per_batch=1)
    Study.objects.update(recruitment=study.recruitment | {"panel": PANEL, "invite_qualified": True})
    study.refresh_from_db()
    Round.objects.update(pass_accuracy=0.1)
    later = Round.objects.create(study=study, position=1, name="later")
    join(study, owner, Member.Role.OWNER)
    join(study, colleague, Member.Role.EDITOR)
    person = newcomer(study)
    Worker.objects.update(panel=PANEL, external_id=PANEL_ID)
    batch = answer_all(lease(person))
    batch.assignment_units.update(problem="It is unclear.")
    submit(assignment=batch, now=timezone.now())
    Assignment.objects.update(comment="Thank you.")
    assert invite_qualified(round_=later, created_by=owner) == [person]
    return study


def secrets() -> list[str]:
    return [PANEL_ID, Participation.objects.get(worker__panel=PANEL).token]


def readable(body: bytes) -> str:
    """A page as it is, an archive unpacked."""
    if not body.startswith(b"PK"):
        return body.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(
            archive.read(name).decode("utf-8", "replace") for name in archive.namelist()
        )


def every_page(client: Client, study: Study) -> Iterator[tuple[str, str]]:
    """Every page and file that links lead to from the study's page.

    One of each kind is enough, of units, of batches, of workers: each address is looked at with
    each value of each of its parameters, but not with all combinations of them.
    """
    waiting = [study.get_absolute_url()]
    known: set[tuple[str, str]] = set()
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        body = response.getvalue()
        yield address, readable(body)
        if not response.headers["Content-Type"].startswith("text/html"):
            continue
        for link in re.findall(r'(?:href|src|hx-get)="(/[^"#]*)', unescape(body.decode())):
            kind, _, query = re.sub(r"\d+", "#", link).partition("?")
            new = {(kind, value) for value in query.split("&")} - known
            wanted = f"/{study.slug}/" in kind or kind.startswith("/join/")
            if new and wanted and not NOT_LOOKED_AT.search(kind):
                known |= new
                waiting.append(link)


# Who may see the most meets every page on both databases.
@pytest.mark.parametrize("name", [pytest.param("owner", marks=both_databases), "colleague"])
def test_no_page_of_the_researchers_shows_a_panels_id_or_a_return_link(
    client: Client, study: Study, name: str
) -> None:
    client.force_login(User.objects.get(username=name))
    looked_at = set()
    for address, text in every_page(client, study):
        looked_at.add(address.split("?")[0])
        for secret in secrets():
            assert secret not in text, address
    rest = {address.removeprefix(study.get_absolute_url()) for address in looked_at}
    assert {"", "results/", "results/export/", "workers/", "pay/"} <= rest
    assert {"recruitment/", "qualified/"} <= rest
    assert ("settings/" in rest) == (name == "owner")
    assert any(address.startswith("/join/") for address in looked_at)
    assert any(address.startswith("reviews/") for address in rest)
    assert any(re.match(r"workers/\d", address) for address in rest)


@both_databases
def test_no_link_of_the_researchers_leads_to_a_panels_worker(
    client: Client, study: Study, colleague: User
) -> None:
    client.force_login(colleague)
    page = client.get(reverse("desk:recruitment", args=[study.slug])).content.decode()
    for link in set(re.findall(r'"(/join/[^"]*)', page)):
        guest = Client()
        guest.post(link)
        file = guest.get(reverse("annotation:my-data-file", args=[study.slug])).content.decode()
        assert "worker-1" not in file
        assert PANEL_ID not in file


@both_databases
def test_the_ids_for_the_panel_are_for_owners_alone_and_in_their_own_order(
    client: Client, study: Study, owner: User, colleague: User
) -> None:
    second = newcomer(study)
    Worker.objects.filter(pk=second.worker_id).update(panel=PANEL, external_id="0-first")
    Participation.objects.update(round=study.rounds.get(name="later"))
    address = reverse("desk:qualified-ids", args=[study.slug, study.rounds.get(name="later").pk])
    client.force_login(colleague)
    assert client.get(address).status_code == 403
    assert address not in client.get(reverse("desk:qualified", args=[study.slug])).content.decode()
    client.force_login(owner)
    lines = client.get(address).content.decode().splitlines()
    assert lines == ["panel,id", f"{PANEL},0-first", f"{PANEL},{PANEL_ID}"]


@both_databases
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_export_holds_a_panels_id(study: Study, tmp_path: Path, name: str) -> None:
    call_command("export", study.slug, "--format", name, "--out", str(tmp_path))
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    for file in files:
        for secret in secrets():
            assert secret not in readable(file.read_bytes()), file.name
