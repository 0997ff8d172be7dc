"""Judges of other studies by the API: a token of an account sees those of its own studies alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import Member, Study, User
from judges.models import Judge
from judges.runs.plans.plan import plan_run
from tests.api.conftest import Caller
from tests.cast import join, make_study
from tests.judges.other_studies import NAME, hidden_judge

JSON = "application/json"
OWN = "/api/v1/studies/own/"


@pytest.fixture
def hidden(study: Study, tmp_path: Path) -> Judge:
    judge = hidden_judge(study, tmp_path)
    plan_run(study=study, judge=judge)
    return judge


@pytest.fixture
def program(hidden: Judge, outsider: User, as_program: Caller) -> Client:
    """The outsider's, who has a study as well."""
    join(make_study("own"), outsider, Member.Role.OWNER)
    return as_program(outsider)


def test_no_list_and_no_number_shows_a_judge_of_another_study(
    hidden: Judge, program: Client
) -> None:
    assert program.get(f"{OWN}judges/").json()["results"] == []
    assert program.get(f"{OWN}judges/{hidden.pk}/").status_code == 404
    assert program.get(f"/api/v1/studies/small/judges/{hidden.pk}/").status_code == 404


@pytest.mark.parametrize("name", [NAME, f"{NAME}@1"])
@pytest.mark.parametrize("probe", [False, True])
def test_no_run_is_started_of_a_judge_of_another_study(
    program: Client, name: str, probe: bool
) -> None:
    sent = json.dumps({"judge": name, "probe": probe})
    refused = program.post(f"{OWN}runs/", sent, content_type=JSON)
    assert refused.status_code == 409
    assert "(known: embedding, lexical)" in refused.json()["detail"]


@pytest.mark.parametrize("name", [NAME, f"{NAME}@1", "nosuch"])
def test_no_study_file_names_a_judge_of_another_study(program: Client, name: str) -> None:
    keys: dict[str, Any] = program.get(f"{OWN}file/").json()
    changed = json.dumps({**keys, "judges": [name]})
    refused = program.put(f"{OWN}file/", changed, content_type=JSON, headers={"If-Match": "*"})
    made = json.dumps({**keys, "slug": "new", "judges": [name]})
    for answer in (refused, program.post("/api/v1/studies/", made, content_type=JSON)):
        assert answer.status_code == 422
        assert "(known: embedding, lexical)" in answer.content.decode()
    assert not Study.objects.filter(slug="new").exists()


def test_a_judge_that_has_not_run_is_in_the_list_of_its_study(
    owner: User, study: Study, tmp_path: Path, as_program: Caller
) -> None:
    judge = hidden_judge(study, tmp_path)
    listed = as_program(owner).get("/api/v1/studies/small/judges/").json()["results"]
    assert [row["id"] for row in listed] == [judge.pk]
