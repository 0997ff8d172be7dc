"""The split of a study's sources by the API, looks at the sealed half, and their publication."""

import pytest
from django.test import Client

from annotation.models import Member, Rater, Study, User
from tests.api.calls import listed, send
from tests.cast import join
from tests.workbench.rule import answer_all, good_value, half_value, split_study
from workbench.models import Look, Split

SPLIT, LOOKS = "studies/loop/split", "studies/loop/looks"


@pytest.fixture
def loop(owner: User) -> Study:
    """A study of which two people and an imported judge have answered everything."""
    made = split_study()
    join(made, owner, Member.Role.OWNER)
    judge = Rater.objects.create(
        study=made, name="theirs", kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED
    )
    answer_all(made, judge, good_value)
    return made


@pytest.mark.operations(
    "studies_split_update", "studies_looks_create", "studies_looks_publish_create"
)
def test_sources_are_split_once_and_looked_at_until_the_looks_are_published(
    program: Client, loop: Study
) -> None:
    assert program.get(f"/api/v1/{SPLIT}/").status_code == 404
    made = send(program, SPLIT, {"seed": 7, "planned_looks": 2}, "PUT")
    row = Split.objects.get(study=loop)
    assert (row.seed, row.share, made["sealed"], made["development"]) == (7, 0.5, 12, 12)
    assert loop.sources.filter(sealed=True).count() == 12
    assert listed(program, SPLIT) == made
    assert program.put(f"/api/v1/{SPLIT}/", {"seed": 8}, "application/json").status_code == 409
    look = send(program, LOOKS, {"judge": "theirs"})
    assert (look["look"], look["planned_looks"], look["run"]) == (1, 2, None)
    assert Look.objects.get().rater.name == "theirs"
    assert send(program, LOOKS, {"judge": "theirs"})["id"] == look["id"]  # it keeps its look
    (figure,) = listed(program, f"{LOOKS}/{look['id']}")["figures"]
    assert figure["value"] is not None
    published = send(program, f"{LOOKS}/publish")
    row.refresh_from_db()
    assert row.opened_at is not None
    assert published["opened_at"] is not None
    assert send(program, f"{LOOKS}/publish") == published  # it was before
    unseen = Rater.objects.create(study=loop, name="unseen", kind="judge", origin="imported")
    body = {"judge": unseen.name}
    refused = program.post(f"/api/v1/{LOOKS}/", body, "application/json")
    assert (refused.status_code, Look.objects.count()) == (409, 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seed": 7, "share": "0.5"}, "share"),
        ({"seed": 7, "share": 1}, "share"),
        ({"seed": 7, "error": "0.05"}, "error"),
        ({"seed": 2**31}, "seed"),
        ({}, "seed"),
    ],
)
def test_a_split_that_is_not_as_the_schema_has_it_is_refused(
    program: Client, loop: Study, body: dict[str, object], field: str
) -> None:
    refused = program.put(f"/api/v1/{SPLIT}/", body, "application/json")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    assert not Split.objects.exists()


def test_no_look_is_taken_by_a_judge_that_is_not_there(program: Client, loop: Study) -> None:
    send(program, SPLIT, {"seed": 7}, "PUT")
    refused = program.post(f"/api/v1/{LOOKS}/", {"judge": "nobody"}, "application/json")
    assert refused.status_code == 409
    assert not Look.objects.exists()


@pytest.mark.operations("studies_versions_flips_retrieve")
def test_a_version_is_set_beside_the_one_before_it(program: Client, loop: Study) -> None:
    later = Rater.objects.create(
        study=loop, name="theirs", version=2, kind="judge", origin=Rater.Origin.IMPORTED
    )
    answer_all(loop, later, half_value)
    versions = "studies/loop/versions"
    rows = listed(program, versions)["results"]
    assert [(row["judge"], row["look"]) for row in rows] == [("theirs@1", None), ("theirs@2", None)]
    assert rows[0]["figures"][0]["value"] == 1.0
    assert listed(program, f"{versions}/{later.pk}") == rows[1]
    flips = listed(program, f"{versions}/{later.pk}/flips")
    assert (flips["before"], flips["both"]) == ("theirs@1", 24)
    assert (flips["nearer"], flips["farther"]) == (0, 12)
    for wrong in ("999", "9" * 30):
        there = f"/api/v1/{versions}/{later.pk}/flips/?before={wrong}"
        assert program.get(there).status_code in (404, 422)
