"""What exports say of names is what they hold."""

import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Member, Study, User
from exports.formats import FORMATS, NAMELESS
from tests.cast import join
from tests.results.answers import disagree
from tests.results.dashboard.pages import address
from tests.results.imported import import_raters, points
from tests.sessions import as_user

NAMES = ("Alice Smith", "A2XJMTURK99", "bob@example.org")
PEOPLE = {name: {f"u{at}": at + n for at in range(4)} for n, name in enumerate(NAMES)}
PROMISE = "no names of people"


def texts(study: Study, folder: Path, name: str) -> str:
    """All files of an export, unpacked."""
    call_command("export", study.slug, "--format", name, "--out", str(folder))
    parts = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        body = file.read_bytes()
        if body.startswith(b"PK"):
            with zipfile.ZipFile(file) as archive:
                body = b"\n".join(archive.read(member) for member in archive.namelist())
        parts.append(body.decode("utf-8", "replace"))
    return "\n".join(parts)


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - NAMELESS))
def test_names_of_imported_people_are_announced_where_they_are(
    db: None, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = import_raters(tmp_path, PEOPLE, points(gpt="1234"), level="interval")
    held = texts(study, tmp_path / "out", name)
    assert all(person in held for person in NAMES)
    assert PROMISE not in held
    assert "(3 here) are named as in the file" in held
    assert "3 imported people are named as in their file" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMELESS)
def test_a_labelled_dataset_names_nobody(
    db: None, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = import_raters(tmp_path, PEOPLE, points(gpt="1234"), level="interval")
    held = texts(study, tmp_path / "out", name)
    assert not [person for person in NAMES if person in held]
    assert "No person is named in these files" in held
    assert capsys.readouterr().err == ""


def test_people_who_answered_here_are_announced_as_pseudonyms_alone(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = texts(disagree(study), tmp_path, "csv")
    assert "People who answered in Jurybox are named by pseudonyms." in held
    assert "named as in the file" not in held
    assert capsys.readouterr().err == ""


def test_the_page_says_the_same(tmp_path: Path, colleague: User) -> None:
    study = import_raters(tmp_path, PEOPLE, points(gpt="1234"), level="interval")
    join(study, colleague, Member.Role.REVIEWER)
    page = as_user(colleague).get(address(study)).content.decode()
    assert "3 imported people are named as in their file" in page
    assert "by pseudonym only" not in page


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - NAMELESS))
def test_people_imported_under_pseudonyms_are_in_no_export(
    db: None, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "human.json"
    file.write_text(json.dumps(PEOPLE))
    call_command(
        "import_study", "raters", str(file), slug="hidden", level="interval", pseudonyms=True
    )
    study = Study.objects.get(slug="hidden")
    assert set(study.raters.values_list("name", flat=True)) == {"rater-1", "rater-2", "rater-3"}
    held = texts(study, tmp_path / "out", name)
    assert "rater-1" in held
    assert not [person for person in NAMES if person in held]


def test_another_file_under_pseudonyms_is_of_other_people(study: Study, tmp_path: Path) -> None:
    unit = study.units.order_by("pk").first()
    assert unit is not None
    for person in NAMES[:2]:
        record = {"unit": unit.key, "block": "slider", "rater": person, "kind": "human"}
        file = tmp_path / "answers.jsonl"
        file.write_text(json.dumps({**record, "answer": {"value": 50}}))
        call_command("import_answers", study.slug, str(file), pseudonyms=True)
    assert set(study.raters.values_list("name", flat=True)) == {"rater-1", "rater-2"}


def test_a_bundle_of_people_under_pseudonyms_is_computed_again(
    db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = import_raters(tmp_path, PEOPLE, points(gpt="1234"), level="interval", pseudonyms=True)
    call_command("export", study.slug, "--format", "bundle", "--out", str(tmp_path))
    capsys.readouterr()
    call_command("report", study.slug, "--json")
    here = capsys.readouterr().out
    call_command("report", str(tmp_path / f"{study.slug}-bundle.zip"), "--json")
    assert json.loads(capsys.readouterr().out)["estimates"] == json.loads(here)["estimates"]
