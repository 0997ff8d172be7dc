"""The datasheet says what the study knows, and keeps what editors write."""

import json
from pathlib import Path

import pytest

from annotation.models import Study, User
from estimates.report.cache import report_of
from results.models import Datasheet
from results.paper.datasheet.answers import SheetAnswer
from results.paper.datasheet.questions import CRITERION, SECTIONS
from results.paper.datasheet.sheet import Outdated, Sheet, sheet_of, write_answers
from tasktypes.registry import TASK_TYPES
from tests.results.two_criteria import import_two_criteria

pytestmark = pytest.mark.django_db


def sheet(study: Study) -> Sheet:
    study.refresh_from_db()
    return sheet_of(report_of(study))


def answer(study: Study, key: str) -> SheetAnswer:
    return next(entry.answer for entry in sheet(study).entries if entry.key == key)


def test_it_knows_outputs_evaluators_and_ethics(answered: Study) -> None:
    assert answer(answered, "3.1.1").text == "Alder: 1, Birch: 2"
    assert answer(answered, "3.2.1").text == "2"
    assert answer(answered, "3.3.2").text == "Online, with Jurybox, in a web browser."
    assert answer(answered, "5.1").text == "Example board, reference E-1."
    assert "The minimum age was 18." in answer(answered, "3.2.5").text


def test_every_facet_is_a_criterion_with_its_scale_and_agreement(answered: Study) -> None:
    assert answer(answered, "utility/4.3.5").chosen == ("Slider",)
    assert answer(answered, "utility/4.3.3").text == "continuous"
    assert answer(answered, "utility/4.3.4").text == "0 to 100"
    assert answer(answered, "utility/4.3.7").text.startswith("How helpful is this explanation")
    assert "n = 3 units" in answer(answered, "utility/4.3.11").text
    assert answer(answered, "recovery/4.3.8").chosen == ("output classification or labelling",)


def test_names_that_nobody_saw_registration_and_tests_are_told(tmp_path: Path) -> None:
    study = import_two_criteria(tmp_path)
    assert answer(study, "fluency/4.3.1").text == (
        "None: evaluators saw the question alone. Its name in results: Fluency."
    )
    assert "Holm" in answer(study, "fluency/4.3.10").text
    assert answer(study, "3.3.1").text == "Not registered in Jurybox."


def test_what_nobody_knows_is_open(answered: Study) -> None:
    by_key = {entry.key: entry for entry in sheet(answered).entries}
    for key in ("1.2", "2.1", "3.1.3", "5.4", "utility/4.1.1"):
        assert by_key[key].origin == "open"
        assert not by_key[key].answer


def test_an_untouched_answer_goes_on_following_the_study(answered: Study, owner: User) -> None:
    before = sheet(answered)
    part = next(part for part in before.parts if part.key == "ethics")
    answers = {entry.key: entry.answer for entry in part.entries} | {"5.4": SheetAnswer("None.")}
    write_answers(study=answered, part=part, answers=answers, edition=0, by=owner)
    assert Datasheet.objects.get().answers == {"5.4": {"text": "None.", "chosen": []}}
    answered.ethics = {**answered.ethics, "board": "Another board"}
    answered.save()
    assert answer(answered, "5.1").text.startswith("Another board")
    assert answer(answered, "5.4").text == "None."


def test_of_two_editors_the_second_is_told(answered: Study, owner: User) -> None:
    part = sheet(answered).parts[0]
    write_answers(
        study=answered, part=part, answers={"1.2": SheetAnswer("here")}, edition=0, by=owner
    )
    with pytest.raises(Outdated):
        write_answers(
            study=answered, part=part, answers={"1.2": SheetAnswer("there")}, edition=0, by=owner
        )
    assert answer(answered, "1.2").text == "here"


def test_an_emptied_answer_stays_empty(answered: Study, owner: User) -> None:
    part = next(part for part in sheet(answered).parts if part.key == "ethics")
    write_answers(study=answered, part=part, answers={"5.1": SheetAnswer()}, edition=0, by=owner)
    assert not answer(answered, "5.1")


def test_the_file_holds_every_question(answered: Study) -> None:
    document = json.loads(json.dumps(sheet(answered).as_json()))
    numbers = [each["number"] for part in document["sections"] for each in part["answers"]]
    facets = [part["facet"] for part in document["sections"] if "facet" in part]
    assert facets == ["recovery", "utility"]
    asked = [q.number for section in SECTIONS for q in section.questions]
    assert sorted(set(numbers)) == sorted(asked)
    assert len(numbers) == len(asked) + len(CRITERION.questions)


def test_numbers_are_those_of_the_published_sheet() -> None:
    """HEDS 2.0 has 3 + 5 + 16 + 17 + 4 questions."""
    sizes = {section.key: len(section.questions) for section in SECTIONS}
    assert sizes == {"paper": 3, "systems": 5, "design": 16, "criterion": 17, "ethics": 4}


@pytest.mark.parametrize("task_type", TASK_TYPES, ids=lambda each: each.slug)
def test_task_types_name_answers_that_the_sheet_offers(task_type: object) -> None:
    offered = {question.number: question.options for question in CRITERION.questions}
    elicitation = task_type.elicitation  # type: ignore[attr-defined]
    assert elicitation.form in offered["4.3.8"]
    assert elicitation.instrument in offered["4.3.5"]
    assert bool(elicitation.task) == (elicitation.instrument == "N/A")


def test_a_team_has_no_time_limit(answered: Study) -> None:
    assert "within 60 minutes" in answer(answered, "3.3.5").text
    Study.objects.update(batches=Study.Batches.TEAM)
    assert answer(answered, "3.3.5").text.startswith("A batch had no time limit")
