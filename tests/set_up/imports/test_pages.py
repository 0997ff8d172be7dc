"""The pages of an import: who sees them, where they lead, and what they refuse."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from files.errors import ImportFailure
from imports.uploads import kept_upload
from jobs import queue
from jobs.runner import work
from set_up.imports.local_files import keep_local_file
from set_up.models import ImportJob, NewStudy
from set_up.new_study import drafts
from set_up.new_study.upload_limit import RefuseLargeUploads
from tests.sessions import as_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ROW = "A report.,alder,It burned.\n"
SMALL_ROWS = 20
TABLE = "document,system,summary\n" + "".join(
    f"Report {n}.,alder,It burned.\n" for n in range(SMALL_ROWS + 1)
)
TEXTS = {"title": "Large", "slug": "large", "overlap": "1", "normal": "4", "go": "make"}


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_expires: True)
    monkeypatch.setattr(drafts, "SMALL_ROWS", SMALL_ROWS)


def begun(client: Client, content: str = TABLE) -> NewStudy:
    client.post(reverse("desk:new-study"), {"origin": "template", "kind": "likert"})
    draft = NewStudy.objects.latest("pk")
    file = SimpleUploadedFile("x.csv", content.encode())
    client.post(address("new-study-files", draft), {"file": file})
    draft.refresh_from_db()
    return draft


def address(name: str, row: Any) -> str:
    return reverse(f"desk:{name}", args=[row.pk])


def test_a_large_table_leads_to_its_import_and_that_to_the_study(owner: User) -> None:
    client = as_user(owner)
    draft = begun(client)
    sent = client.post(address("new-study-texts", draft), TEXTS)["Location"]
    job = ImportJob.objects.get()
    assert sent == address("import", job)
    page = client.get(sent).content.decode()
    assert "Waiting for a worker." in page
    assert "No background worker is running" in page
    assert 'hx-trigger="every 2s"' in page
    for name in ("files", "reading", "texts"):
        assert client.get(address(f"new-study-{name}", draft))["Location"] == sent
    assert client.post(address("drop-new-study", draft))["Location"] == sent
    work(job_id=job.pk)
    part = client.get(sent, headers={"HX-Request": "true"}).content.decode()
    assert "<h1>" not in part
    assert "hx-trigger" not in part
    assert "A draft study with 21 units was created." in part
    assert Study.objects.get(slug="large").get_absolute_url() in part


def test_a_failed_import_leads_back_to_its_draft(owner: User) -> None:
    client = as_user(owner)
    draft = begun(client, TABLE + "Report.,alder,\n")
    client.post(address("new-study-texts", draft), TEXTS)
    job = ImportJob.objects.get()
    work(job_id=job.pk)
    page = client.get(address("import", job)).content.decode()
    assert "Nothing was imported: x.csv:23: summary: empty" in page
    assert address("new-study-texts", draft) in page
    assert "Leave out rows that do not fit" in page
    client.post(address("import-again", job), {"rows": "leave-out"})
    work(job_id=job.pk)
    page = client.get(address("import", job)).content.decode()
    assert "1 row left out" in page
    assert b'"where": "x.csv:23"' in b"".join(client.get(address("import-skipped", job)))
    set_up = client.get(reverse("desk:set-up", args=["large"])).content.decode()
    assert reverse("desk:study-skipped", args=["large"]) in set_up
    assert b"x.csv:23" in b"".join(client.get(reverse("desk:study-skipped", args=["large"])))


def test_an_import_is_its_owners_alone(owner: User, outsider: User) -> None:
    client = as_user(owner)
    client.post(address("new-study-texts", begun(client)), TEXTS)
    job = ImportJob.objects.get()
    for user in (as_user(outsider), Client()):
        for name in ("import", "import-skipped"):
            assert user.get(address(name, job)).status_code in (302, 404)
        for name in ("cancel-import", "import-again"):
            assert user.post(address(name, job)).status_code in (302, 404)
    job.refresh_from_db()
    assert job.state == "queued"
    client.post(address("cancel-import", job))
    assert "Cancelled. Nothing was imported" in client.get(address("import", job)).content.decode()
    assert as_user(outsider).get(reverse("desk:study-skipped", args=["large"])).status_code == 404


def test_the_page_of_an_import_asks_few_questions(
    owner: User, django_assert_max_num_queries: Any
) -> None:
    client = as_user(owner)
    client.post(address("new-study-texts", begun(client)), TEXTS)
    with django_assert_max_num_queries(6):
        client.get(address("import", ImportJob.objects.get()))


# --- Uploads -------------------------------------------------------------------------------------


class Unread:
    """The body of a request that nobody may read."""

    def read(self, *_of: Any) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def test_two_gigabytes_are_refused_before_they_are_read(owner: User) -> None:
    client = as_user(owner)
    path = address("new-study-files", begun(client))
    head: dict[str, Any] = {
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "wsgi.input": Unread(),
    }
    page = client.generic("POST", path, **head | {"CONTENT_LENGTH": str(2 * 2**30)})
    assert page.status_code == 413
    assert "Larger than 1024 MiB: use the command import_study" in page.content.decode()
    stranger = Client().generic("POST", path, **head | {"CONTENT_LENGTH": str(2**30)})
    assert stranger.status_code == 302


def test_an_upload_that_lies_about_its_size_is_cut_and_leaves_nothing(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = as_user(owner)
    draft = begun(client, "document,summary\nA,B\n")
    kept = set(Path(settings.MEDIA_ROOT, "uploads").iterdir())
    settings.UPLOAD_MIB = 1
    monkeypatch.setattr(RefuseLargeUploads, "process_view", lambda *_of: None)
    file = SimpleUploadedFile("y.csv", b"document,summary\n" + b"a,b\n" * 2**19)
    page = client.post(address("new-study-files", draft), {"file": file})
    assert page.status_code == 413
    assert "Larger than 1 MiB" in page.content.decode()
    assert set(Path(settings.MEDIA_ROOT, "uploads").iterdir()) == kept


def test_an_upload_for_which_there_is_no_room_is_refused(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = as_user(owner)
    monkeypatch.setattr("set_up.new_study.upload_limit._LEFT_FREE", 2**60)
    file = SimpleUploadedFile("y.csv", b"document,summary\n" + b"a,b\n" * 2**19)
    page = client.post(address("new-study-files", begun(client)), {"file": file})
    assert page.status_code == 507
    assert "The server has not enough disk space for this file" in page.content.decode()


# --- Files on the server -------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.IMPORT_ROOT = str(tmp_path / "tables")
    (tmp_path / "tables" / "below").mkdir(parents=True)
    (tmp_path / "tables" / "below" / "t.csv").write_text("document,summary\nA,B\n")
    (tmp_path / "secret.csv").write_text("document,summary\nhidden,words\n")
    (tmp_path / "tables" / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "tables" / "out").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "tables" / "pipe.csv")
    return tmp_path


def test_a_superuser_takes_a_table_from_the_folder_of_the_settings(
    folder: Path, outsider: User
) -> None:
    outsider.is_superuser = True
    outsider.save()
    client = as_user(outsider)
    draft = begun(client, "document,summary\nC,D\n")
    page = client.get(address("new-study-files", draft)).content.decode()
    assert "below/t.csv" in page
    assert "link.csv" not in page
    assert "secret" not in page
    sent = client.post(address("new-study-files", draft), {"local": "below/t.csv"})
    assert sent.status_code == 302
    draft.refresh_from_db()
    assert draft.names == ["t.csv"]
    path = kept_upload(draft.uploads["t.csv"])
    assert path is not None
    assert path.read_text() == "document,summary\nA,B\n"
    assert folder.is_dir()


def test_others_are_offered_no_file_of_the_server(folder: Path, owner: User) -> None:
    client = as_user(owner)
    draft = begun(client, "document,summary\nC,D\n")
    assert "t.csv" not in client.get(address("new-study-files", draft)).content.decode()
    page = client.post(address("new-study-files", draft), {"local": "below/t.csv"})
    assert page.status_code == 422
    assert folder.is_dir()


OUTSIDE = ("../secret.csv", "below/../../secret.csv", "/etc/hostname", "link.csv", "out/secret.csv")
NO_FILES = ("", ".", "below", "pipe.csv", "below/t.csv/x", "a\0b")


@pytest.mark.parametrize("name", OUTSIDE + NO_FILES)
def test_no_path_leads_out_of_the_folder(folder: Path, name: str) -> None:
    with pytest.raises(ImportFailure, match="no file in the folder of IMPORT_ROOT"):
        keep_local_file(name)
    assert folder.is_dir()
