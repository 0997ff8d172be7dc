"""Nobody meets a panel's id outside the payment file: every page and file is looked through."""

import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from annotation.models import Assignment, Member, Study, User, Worker
from annotation.submitting import submit
from results.exporting.files import FORMATS
from tests.annotation.work import answer_all, lease, newcomer
from tests.cast import join, make_study

pytestmark = pytest.mark.django_db

PANEL_ID = "5f1c0ffee5f1c0ffee5f1c0f"
# The one file that the ids are for, and what ends the session.
NOT_LOOKED_AT = re.compile(r"/pay/files/|/sign-out/")


@pytest.fixture
def study(owner: User) -> Study:
    """With a worker who has submitted one batch, reported a problem, and has another open."""
    study = make_study(positive=1, negative=1, per_batch=1)
    join(study, owner, Member.Role.OWNER)
    person = newcomer(study)
    Worker.objects.update(external_id=PANEL_ID)
    batch = answer_all(lease(person))
    batch.batch_units.update(problem="It is unclear.")
    submit(assignment=batch, now=timezone.now())
    Assignment.objects.update(comment="Thank you.")
    return study


def secrets() -> list[str]:
    return [PANEL_ID, Worker.objects.get().return_token]


def readable(body: bytes) -> str:
    """A page as it is, an archive unpacked."""
    if not body.startswith(b"PK"):
        return body.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(
            archive.read(name).decode("utf-8", "replace") for name in archive.namelist()
        )


def every_page(client: Client, study: Study) -> Iterator[tuple[str, str]]:
    """Every page and file that links lead to from the study's page."""
    waiting, known = [study.get_absolute_url()], set()
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        body = response.getvalue()
        yield address, readable(body)
        if not response.headers["Content-Type"].startswith("text/html"):
            continue
        for link in re.findall(r'(?:href|src|hx-get)="(/[^"#]*)', unescape(body.decode())):
            # One of each kind is enough: of units, of batches, of workers.
            kind = re.sub(r"\d+", "#", link)
            wanted = f"/{study.slug}/" in kind and kind not in known
            if wanted and not NOT_LOOKED_AT.search(kind):
                known.add(kind)
                waiting.append(link)


def test_no_page_of_the_researchers_shows_a_panels_id_or_a_return_link(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    looked_at = set()
    for address, text in every_page(client, study):
        looked_at.add(address.split("?")[0])
        for secret in secrets():
            assert secret not in text, address
    rest = {address.removeprefix(study.get_absolute_url()) for address in looked_at}
    assert {"", "members/", "results/", "results/export/", "workers/", "pay/"} <= rest
    assert any(address.startswith("reviews/") for address in rest)
    assert any(re.match(r"workers/\d", address) for address in rest)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_export_holds_a_panels_id(study: Study, tmp_path: Path, name: str) -> None:
    call_command("export", study.slug, "--format", name, "--out", str(tmp_path))
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    for file in files:
        for secret in secrets():
            assert secret not in readable(file.read_bytes()), file.name
