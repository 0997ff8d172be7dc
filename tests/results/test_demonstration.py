"""Made-up people count as people in a demonstration alone, and whatever shows them says so."""

import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Study, User
from annotation.rounds.opening import open_study
from estimates.report.cache import report_of
from exports.files import write_export
from exports.tables.answers import answer_lines
from imports.answers.importing import import_answers
from imports.demonstration import begin_demonstration
from imports.study_file.schema import StudyFile
from results.summary.screen import screen_of
from tests.annotation.workers import newcomer
from tests.cast import make_study
from tests.results.answers import questions
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
LABEL = "made up for the demonstration"
PEOPLE = ("simulated-1", "simulated-2", "simulated-3")


@pytest.fixture
def answers(study: Study, tmp_path: Path) -> Path:
    """Three simulated raters, the last of whom differs."""
    file = tmp_path / "answers.jsonl"
    lines = (
        {
            "unit": question.unit.key,
            "block": question.block.key,
            "rater": name,
            "kind": "simulated",
            "answer": {"sentences": [int(at == 2)]},
        }
        for question in questions(study)
        for at, name in enumerate(PEOPLE)
    )
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


@pytest.fixture
def shown(study: Study, answers: Path) -> Study:
    begin_demonstration(study=study)
    import_answers(study=study, path=answers)
    return study


def agreement_of_people(study: Study) -> int:
    rows = report_of(study).rows
    name = "krippendorff_alpha_jaccard"
    (row,) = [r for r in rows if (r.metric, r.raters, r.group) == (name, "humans", {})]
    return row.estimate.n_raters or 0


def test_the_demonstration_that_newcomers_meet_reaches_three_verdicts(db: None) -> None:
    folder = settings.BASE_DIR / "examples" / "demo"
    call_command("apply_study", str(folder / "study.yaml"), stdout=StringIO())
    study = Study.objects.get(slug="demo")
    begin_demonstration(study=study)
    open_study(study=study)
    import_answers(study=study, path=folder / "answers.jsonl")
    call_command("judge", "demo", "lexical", "--wait", "--setting", "full", stdout=StringIO())

    cards = screen_of(study, report_of(study)).cards

    assert study.sources.count() >= 30
    assert [card.answer.badge.text for card in cards] == [
        "Fairly, these 5",
        "Farther",
        "They differ",
    ]


def test_made_up_people_count_as_people_and_every_page_says_so(shown: Study, owner: User) -> None:
    assert agreement_of_people(shown) == len(PEOPLE)
    client = as_user(owner)
    for name in ("desk:study", "results:summary", "results:dashboard", "desk:adjudication"):
        assert LABEL in client.get(reverse(name, args=[shown.slug])).content.decode(), name
    assert LABEL in client.get(reverse("desk:home")).content.decode()


def test_reports_and_files_say_so_and_an_export_makes_nobody_real(
    shown: Study, tmp_path: Path
) -> None:
    def printed(*command: str) -> str:
        out = StringIO()
        call_command(*command, stdout=out)
        return out.getvalue()

    assert LABEL in printed("report", shown.slug)
    assert LABEL in json.loads(printed("report", shown.slug, "--json"))["caution"]
    for form in ("jsonl", "csv", "parquet", "dataset", "huggingface", "label-studio"):
        printed("export", shown.slug, "--format", form, "--out", str(tmp_path / form))
        assert LABEL in next((tmp_path / form).glob("README*")).read_text()
    assert {json.loads(line)["kind"] for line in answer_lines(shown)} == {"simulated"}
    ratings, wide = (
        next((tmp_path / "csv").rglob(f"{name}.csv")).read_text() for name in ("ratings", "wide")
    )
    assert "simulated-1,simulated," in ratings
    assert "human_" not in wide
    assert "simulated_simulated-1" in wide
    printed("export", shown.slug, "--format", "bundle", "--out", str(tmp_path / "bundle"))
    (bundle,) = (tmp_path / "bundle").rglob("*.zip")
    again = printed("report", str(bundle))
    assert LABEL in again
    assert "humans" in again


def test_the_datasheet_says_so_on_its_page_and_in_its_file(shown: Study, owner: User) -> None:
    client = as_user(owner)
    page = client.get(reverse("results:datasheet", args=[shown.slug])).content.decode()
    assert LABEL in page
    sheet = client.get(reverse("results:datasheet-file", args=[shown.slug])).json()
    assert LABEL in sheet["caution"]


def test_metadata_of_a_published_dataset_say_so(shown: Study, tmp_path: Path) -> None:
    write_export(study=shown, format_name="huggingface", folder=tmp_path)
    assert LABEL in json.loads((tmp_path / "croissant.json").read_text())["description"]


def test_label_studio_shows_it_above_each_text(db: None, tmp_path: Path) -> None:
    study = make_study(blocks=[("slider", {})])
    begin_demonstration(study=study)
    file = tmp_path / "answers.jsonl"
    unit = study.units.order_by("pk")[0].key
    answer = {"unit": unit, "rater": "simulated-1", "kind": "simulated", "answer": {"value": 40}}
    file.write_text(json.dumps(answer))
    import_answers(study=study, path=file)
    write_export(study=study, format_name="label-studio", folder=tmp_path)
    header = ElementTree.parse(tmp_path / "label_config.xml").getroot()[0]
    assert header.tag == "Header"
    assert LABEL in header.attrib["value"]
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert all(LABEL in task["meta"]["caution"] for task in tasks)
    call_command("import_study", "label-studio", str(tmp_path / "tasks.json"), slug="again")
    again = Study.objects.get(slug="again")
    texts = [
        [[sentence["text"] for sentence in item.sentences] for item in of.items.order_by("pk")]
        for of in (study, again)
    ]
    assert texts[0] == texts[1]


def test_the_mark_is_in_the_change_log(study: Study, owner: User) -> None:
    begin_demonstration(study=study, by=owner)
    assert study.changes.filter(action="study.demonstration_begun", by=owner).count() == 1


def test_a_study_that_is_none_counts_no_simulated_rater(study: Study, answers: Path) -> None:
    import_answers(study=study, path=answers)
    assert set(study.raters.values_list("kind", flat=True)) == {"simulated"}
    assert agreement_of_people(study) == 0
    with pytest.raises(ValueError, match="cannot become"):
        begin_demonstration(study=study)


def test_no_study_with_people_becomes_a_demonstration_and_no_file_makes_one(study: Study) -> None:
    newcomer(study)
    with pytest.raises(ValueError, match="cannot become"):
        begin_demonstration(study=study)
    assert "demonstration" not in StudyFile.model_fields
