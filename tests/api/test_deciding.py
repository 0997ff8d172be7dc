"""What owners decide about data by the API: units, exclusions, adjudication, controls, judges."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Annotation, Study, User
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.api.calls import get, post
from tests.api.conftest import Caller

JSON = "application/json"


def test_a_case_is_taken_once_shown_blind_and_decided(
    program: Client, study: Study, as_program: Caller
) -> None:
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    unit = Annotation.objects.filter(study=study).earliest("pk").question.unit
    asked = post(program, "unit-actions/", {"kind": "adjudicate", "units": [unit.key]}).json()
    post(program, f"unit-actions/{asked['id']}/confirm/")
    cases = get(program, "cases/?block=slider")["results"]
    case = get(program, f"cases/{cases[0]['id']}/")
    assert case["unit"] == ""
    assert {(each["rater"], each["kind"]) for each in case["answers"]} == {("", "")}
    wrong = post(program, f"cases/{case['id']}/decide/", {"answer": {"value": "high"}})
    assert wrong.json()["errors"][0]["field"] == "answer.value"
    gold = post(program, f"cases/{case['id']}/decide/", {"answer": {"value": 55}, "reason": "So."})
    assert (gold.status_code, gold.json()["answer"]["value"]) == (201, 55)
    assert gold.json()["blind"]
    assert get(program, "gold/?block=slider")["results"][0]["unit"] == unit.key
    assert post(program, f"cases/{case['id']}/decide/", {"answer": {"value": 5}}).status_code == 409
    left = [post(program, "cases/next/").status_code for _ in range(2)]
    assert left == [200, 200]  # the same case, which the caller has already


@pytest.mark.operations("studies_cases_release_create")
def test_a_case_that_somebody_has_is_not_decided_by_another(
    program: Client, study: Study, colleague: User, as_program: Caller
) -> None:
    study.members.filter(user=colleague).update(role="reviewer")
    units = [study.units.earliest("pk").key]
    asked = post(program, "unit-actions/", {"kind": "adjudicate", "units": units}).json()
    post(program, f"unit-actions/{asked['id']}/confirm/")
    held = post(program, "cases/next/").json()
    assert held["holder"] == "owner"
    other = as_program(colleague)
    assert post(other, f"cases/{held['id']}/take/").status_code == 409
    assert post(program, f"cases/{held['id']}/release/").status_code == 200
    assert post(other, f"cases/{held['id']}/take/").json()["holder"] == "colleague"


def test_a_judge_is_defined_and_its_next_version_is_another_row(
    program: Client, study: Study
) -> None:
    body = {"name": "words", "method": "lexical"}
    assert post(program, "judges/", body).json()["version"] == 1
    wrong = post(program, "judges/", {**body, "method": "oracle"})
    assert (wrong.status_code, "oracle" in wrong.json()["detail"]) == (409, True)
    assert [row["name"] for row in get(program, "judges/?name=words")["results"]] == ["words"]
    assert "words" in json.dumps(get(program, "file/")["judges"])


def test_a_studys_figures_are_filtered_as_its_rows_have_them(program: Client, study: Study) -> None:
    for _ in range(2):
        submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    every = get(program, "estimates/")["estimates"]
    whole = get(program, "estimates/?metric=mean&facet=slider&group=")["estimates"]
    assert whole == [
        row
        for row in every
        if (row["metric"], row["facet"], row["group"]) == ("mean", "slider", {})
    ]
    (system, *_) = {row["group"]["system"] for row in every if set(row["group"]) == {"system"}}
    of_one = get(program, f"estimates/?metric=mean&group=system={system}")["estimates"]
    assert of_one
    assert {json.dumps(row["group"]) for row in of_one} == {json.dumps({"system": system})}
    no_rule = get(program, "estimates/?consensus=")["estimates"]
    assert {row["consensus"] for row in no_rule} == {None}
    wrong = program.get("/api/v1/studies/small/estimates/?group=system")
    assert wrong.json()["errors"][0]["field"] == "group"
