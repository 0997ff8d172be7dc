"""What people wrote and told of themselves: in no export that does not ask for it."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.entry.questionnaire import keep_answers
from annotation.models import Annotation, Member, Rater, Study, User
from annotation.rights.withdrawal import withdraw
from annotation.work.submission import submit
from estimates.data.bundles.files import opened_bundle
from exports import jobs
from exports.choice import ExportChoice
from exports.files import stream_archive
from exports.formats import FORMATS, IMPERSONAL
from jobs import queue
from jobs.models import JobState
from jobs.runner import work
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import choose, make_rater, questions
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
TEXT, TOLD = "=So it says, nearly", "I grew up in Malmö"
ASKED = {"question": "Why?", "kind": "reason", "asked_of": "people", "longest": 99}
QUESTION = {"question": "Where?", "kind": "text", "options": [], "asked": "before"}
PERSONAL = ExportChoice(personal="with")


@pytest.fixture
def told() -> Study:
    """One person with a text beside every answer and a questionnaire, and an imported rater with a
    reason."""
    study = make_study(
        free_text={**ASKED, "required": False},
        questionnaire={"purpose": "P", "questions": [{**QUESTION, "required": False}]},
    )
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    Annotation.objects.update(reasons=[TEXT])
    keep_answers(participation=person, when="before", answers={"Where?": TOLD})
    imported = make_rater(study, "Ada", "human")
    Rater.objects.filter(pk=imported.pk).update(origin=Rater.Origin.IMPORTED)
    choose(imported, questions(study)[0], 0)
    Annotation.objects.filter(rater=imported).update(reasons=["In the file."])
    return study


def files_of(study: Study, name: str, choice: ExportChoice) -> dict[str, str]:
    packed = io.BytesIO(b"".join(stream_archive(study, name, choice=choice)))
    with zipfile.ZipFile(packed) as archive:
        texts = {each: archive.read(each).decode(errors="replace") for each in archive.namelist()}
    return {each.partition("/")[2]: text for each, text in texts.items()}


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_has_them_by_default(told: Study, name: str) -> None:
    files = files_of(told, name, ExportChoice())
    assert not {"texts.csv", "questionnaires.csv"} & files.keys()
    assert not any("So it says" in text or "Malm" in text for text in files.values())


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in IMPERSONAL])
def test_whoever_asks_gets_them_in_files_of_their_own(told: Study, name: str) -> None:
    files = files_of(told, name, PERSONAL)
    rows = list(csv.DictReader(io.StringIO(files["texts.csv"])))
    assert len(rows) == 4
    assert {(row["rater"], row["kind"], row["text"]) for row in rows} == {
        ("worker-1", "reason", f"'{TEXT}")  # which no spreadsheet takes for a formula
    }
    (row,) = csv.DictReader(io.StringIO(files["questionnaires.csv"]))
    assert row == {"rater": "worker-1", "asked": "before", "question": "Where?", "answer": TOLD}
    assert "Personal data: delete these two" in files["README.txt"]


@pytest.mark.parametrize("name", IMPERSONAL)
def test_a_dataset_never_has_them(told: Study, name: str) -> None:
    assert "texts.csv" not in files_of(told, name, PERSONAL)


def test_lines_of_answers_have_reasons_of_files_and_those_of_people_here_when_asked(
    told: Study,
) -> None:
    def reasons(choice: ExportChoice) -> set[str]:
        lines = files_of(told, "jsonl", choice)["answers.jsonl"].splitlines()
        return {text for line in lines for text in json.loads(line).get("reasons", ())}

    assert reasons(ExportChoice()) == {"In the file."}
    assert reasons(PERSONAL) == {"In the file.", TEXT}


def test_a_bundle_with_them_is_still_read(told: Study, tmp_path: Path) -> None:
    arguments = [told.slug, "--format", "bundle", "--out", str(tmp_path)]
    call_command("export", *arguments, "--personal", "with", verbosity=0)
    path = tmp_path / "small-bundle.zip"
    with zipfile.ZipFile(path) as archive:
        assert "small-bundle/texts.csv" in archive.namelist()
    with opened_bundle(path) as bundle:
        assert next(bundle.lines("raters.jsonl"))["name"]


@pytest.fixture
def root(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.EXPORTS_ROOT = tmp_path / "exports"
    monkeypatch.setattr(queue, "send_task", lambda *_args, **_options: True)
    return tmp_path / "exports"


def test_reviewers_ask_for_them_and_viewers_cannot(told: Study, root: Path) -> None:
    posted = {"format": "csv", "personal": "with"}
    address = reverse("desk:ask-for-export", args=[told.slug])
    for name, role, status in (
        ("viewer", Member.Role.VIEWER, 403),
        ("reviewer", Member.Role.REVIEWER, 302),
    ):
        user = make_user(name)
        join(told, user, role)
        assert as_user(user).post(address, posted).status_code == status
    assert [job.parameters["choice"]["personal"] for job in jobs.exports_of(told)] == ["with"]


@pytest.mark.django_db(transaction=True)
def test_a_file_with_them_goes_when_somebody_withdraws_who_only_filled_in_the_questionnaire(
    told: Study, owner: User, root: Path
) -> None:
    person = newcomer(told)
    keep_answers(participation=person, when="before", answers={"Where?": "Here"})
    made = {}
    for choice in (PERSONAL, ExportChoice()):
        job = jobs.ask_for_export(study=told, format_name="csv", choice=choice, by=owner)
        assert work(job_id=job.pk)
        made[choice.personal] = job
    with transaction.atomic():
        withdraw(participation=person, now=timezone.now())
    states = {key: type(job).objects.get(pk=job.pk).state for key, job in made.items()}
    assert states == {"with": JobState.WITHDRAWN, "": JobState.DONE}
