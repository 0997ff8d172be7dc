"""Files with something wrong about them: the same sentence at every door, and nothing half made."""

from collections.abc import Callable
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from annotation.models import Study, User
from set_up.models import NewStudy
from tests.api.conftest import Caller

pytestmark = pytest.mark.django_db(transaction=True)
JSON = "application/json"
RATED = [f"d{n},{s},r{r},{(n + r) % 5 + 1}" for n in range(12) for s in "ab" for r in range(3)]
HEAD = "doc_id,system,annotator,rating"
NAMELESS = [f"d{n},a,{'' if r else 'r0'},{(n + r) % 5 + 1}" for n in range(12) for r in range(3)]
BLINDED = [line.replace(",b,", ",S9,") for line in RATED]
# What the files are, what is said of them, and whether a study comes of it without more.
CASES: dict[str, tuple[dict[str, list[str]], str, bool]] = {
    "half of the names are missing": (
        {"ratings.csv": [HEAD, *NAMELESS]},
        "is empty beside 24 of the 36 answers. What becomes of them?",
        False,
    ),
    "two tables in a file": (
        {"ratings.csv": [HEAD, *RATED, "", "system,mean,sd", "a,3.2,1.1", "b,2.9,0.8"]},
        "ratings.csv:75: columns: the file seems to hold two tables",
        False,
    ),
    "an empty file beside others": (
        {"r.csv": [HEAD, *RATED], "s.csv": []},
        "s.csv: columns: the file is empty: export it again, or leave it out",
        False,
    ),
    "a key without a system": (
        {"ratings.csv": [HEAD, *BLINDED], "z-key.csv": ["system,name", "a,bart", "c,t5"]},
        "the systems' names are taken from it; without a name there: ",
        True,
    ),
}


@pytest.fixture(autouse=True)
def here(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def by_command(name: str, *args: Any, **options: Any) -> str:
    out = StringIO()
    try:
        call_command(name, *args, stdout=out, stderr=out, **options)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def uploads(files: list[Path]) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(path.name, path.read_bytes()) for path in files]


def by_program(client: Client, files: list[Path]) -> str:
    told = client.post("/api/v1/readings/", {"files": uploads(files)}).json()
    if "id" in told:
        body = {"title": "Mills", "slug": "by-program"}
        client.post(f"/api/v1/readings/{told['id']}/study/", body, content_type=JSON)
    said = [each["text"] for key in ("questions", "remarks") for each in told.get(key, [])]
    return "\n".join([told.get("detail", ""), *said])


def in_browser(client: Client, files: list[Path]) -> str:
    there = client.post("/new-study/files/", {"file": uploads(files)})
    if there.status_code == 302:
        page = there["Location"]
        there = client.get(page)
        client.post(page, {"part": "results", "title": "Mills", "slug": "in-browser"})
    return unescape(there.content.decode())


@pytest.mark.parametrize("case", CASES)
def test_the_same_is_said_at_every_door(
    case: str, owner: User, as_program: Caller, client: Client, tmp_path: Path
) -> None:
    contents, sentence, becomes_a_study = CASES[case]
    files = [tmp_path / name for name in contents]
    for path in files:
        path.write_text("".join(f"{line}\n" for line in contents[path.name]))
    client.force_login(owner)
    doors: dict[str, Callable[[], str]] = {
        "by-import": lambda: by_command("import_study", "table", *files, slug="by-import"),
        "check": lambda: by_command("check_table", *files, resamples=0),
        "by-program": lambda: by_program(as_program(owner), files),
        "in-browser": lambda: in_browser(client, files),
    }
    for name, enter in doors.items():
        assert sentence in enter(), name
    made = {"by-import", "by-program", "in-browser"} if becomes_a_study else set()
    assert {*Study.with_unfinished.values_list("slug", flat=True)} == made
    assert NewStudy.objects.filter(uploads={}).count() == 0
