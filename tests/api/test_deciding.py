"""What owners decide about data by the API: units, exclusions, adjudication, controls, judges."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Annotation, Study, Unit, User
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.api.conftest import Caller

JSON = "application/json"


@pytest.fixture
def program(owner: User, as_program: Caller) -> Client:
    return as_program(owner)


def post(client: Client, path: str, body: Any = None, **headers: str) -> Any:
    sent = "" if body is None else json.dumps(body)
    return client.post(f"/api/v1/studies/small/{path}", sent, content_type=JSON, headers=headers)


def get(client: Client, path: str) -> Any:
    return client.get(f"/api/v1/studies/small/{path}").json()


def test_units_are_disabled_once_it_is_confirmed_and_enabled_again(
    program: Client, study: Study
) -> None:
    unit = study.units.earliest("pk")
    asked = post(program, "unit-actions/", {"kind": "retire", "units": [unit.key]}).json()
    assert asked["n_units"] == 1
    assert study.units.get(pk=unit.pk).retired_at is None
    done = post(program, f"unit-actions/{asked['id']}/confirm/")
    assert (done.status_code, done.json()["changed"]) == (202, 1)
    assert study.units.get(pk=unit.pk).retired_at is not None
    undone = post(program, f"unit-actions/{asked['id']}/undo/").json()
    assert undone["undoes"] == asked["id"]
    assert study.units.get(pk=unit.pk).retired_at is None
    assert post(program, f"unit-actions/{asked['id']}/undo/").status_code == 409


def test_units_are_chosen_as_the_table_has_them_and_unknown_keys_are_named(
    program: Client, study: Study
) -> None:
    body = {"kind": "add", "query": "role=normal", "subset": "pilot"}
    asked = post(program, "unit-actions/", body).json()
    assert asked["n_units"] == study.units.filter(role=Unit.Role.NORMAL).count()
    post(program, f"unit-actions/{asked['id']}/confirm/")
    assert study.units.filter(subsets__name="pilot").count() == asked["n_units"]
    assert [row["key"] for row in get(program, "units/?subset=pilot")["results"]]
    lost = post(program, "unit-actions/", {"kind": "retire", "units": ["nowhere"]})
    assert (lost.status_code, lost.json()["errors"][0]["field"]) == (409, "units")
    assert post(program, "unit-actions/", {"kind": "add"}).status_code == 422


def test_an_exclusion_is_looked_at_applied_as_it_was_seen_and_undone(
    program: Client, study: Study
) -> None:
    worker = newcomer(study)
    submit(assignment=answer_all(lease(worker)), now=timezone.now())
    counted = Annotation.objects.filter(study=study, excluded_reason="").count()
    rule = post(program, "exclusions/", {"workers": [worker.number]}).json()
    preview = rule["preview"]
    assert preview["workers"] == [{"worker": worker.pseudonym, "reasons": ["named"]}]
    other = post(program, f"exclusions/{rule['id']}/apply/", {"seen": "another"}).json()
    assert "nothing was excluded" in other["said"]
    job = post(program, f"exclusions/{rule['id']}/apply/", {"seen": preview["seen"]}).json()
    assert "1 batch is excluded now" in job["said"]
    assert Annotation.objects.filter(study=study, excluded_reason="").count() < counted
    assert get(program, "exclusions/?applied=true")["results"][0]["id"] == rule["id"]
    post(program, f"exclusions/{rule['id']}/undo/")
    assert Annotation.objects.filter(study=study, excluded_reason="").count() == counted
    assert post(program, "exclusions/", {}).status_code == 422


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
