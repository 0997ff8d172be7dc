"""Lists that questions are asked by, by the API: begun, accepted, and taken in many at once."""

from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Member, Preparation, Study, User
from tests.api.calls import listed, send
from tests.cast import join
from tests.imports.preparation.studies import ERROR, claims_without_errors, unit_keys

LISTS = "studies/s/lists"
BLOCK = "actionability"


@pytest.fixture
def mills(tmp_path: Path, owner: User) -> Study:
    made = claims_without_errors(tmp_path)
    join(made, owner, Member.Role.OWNER)
    return made


@pytest.mark.operations("studies_lists_create")
def test_a_list_is_begun_written_and_accepted_and_makes_units(
    program: Client, mills: Study
) -> None:
    before = unit_keys(mills)
    begun = send(program, LISTS, {"block": BLOCK, "source": "mill-0"})
    row = Preparation.objects.get(pk=begun["id"])
    assert (row.source.key, row.entries, row.state) == ("mill-0", [], "proposed")
    there = f"{LISTS}/{row.pk}"
    written = send(program, f"{there}/entries", {"version": begun["version"], "entries": [ERROR]})
    accepted = send(program, f"{there}/accept", {"version": written["version"]})
    row.refresh_from_db()
    assert (accepted["state"], row.state, row.entries) == ("accepted", "accepted", [ERROR])
    assert {key.partition("/")[0] for key in unit_keys(mills) - before} == {"mill-0"}
    assert listed(program, LISTS)["results"] == [listed(program, there)]


@pytest.mark.operations("studies_lists_take_create")
def test_many_lists_are_taken_in_all_of_them_or_none(program: Client, mills: Study) -> None:
    line = {"block": BLOCK, "source": "mill-0", "entries": [ERROR]}
    nowhere = {**line, "source": "nowhere"}
    body = {"lists": [line, nowhere]}
    refused = program.post(f"/api/v1/{LISTS}/take/", body, content_type="application/json")
    assert refused.status_code == 422
    assert not mills.preparations.exists()
    taken = send(program, f"{LISTS}/take", {"lists": [line], "accept": True})
    assert taken["said"].startswith("1 new, 0 edited, 0 unchanged; 1 accepted")
    assert mills.preparations.get().state == "accepted"
    assert mills.units.exists()


@pytest.mark.parametrize(
    "about",
    [{"item": "nowhere", "source": "mill-0"}, {"item": "nowhere"}, {"source": "nowhere"}, {}],
)
def test_a_list_is_about_one_thing_that_is_there(
    program: Client, mills: Study, about: dict[str, str]
) -> None:
    body = {"block": BLOCK, **about}
    refused = program.post(f"/api/v1/{LISTS}/", body, content_type="application/json")
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["field"] == next(iter(about), "item")
    assert not mills.preparations.exists()
