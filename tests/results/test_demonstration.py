"""Made-up people count as people in a demonstration alone, and whatever shows them says so."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.importing.answers import import_answers
from annotation.importing.demonstration import begin_demonstration
from annotation.importing.study_file.schema import StudyFile
from annotation.models import Study, User
from results.exporting.answers import answer_lines
from results.report.cache import report_of
from tests.annotation.workers import newcomer
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
    for form in ("jsonl", "csv"):
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
