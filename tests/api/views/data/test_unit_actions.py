"""Actions on units by the API: what one would do, doing it, and taking it back."""

from django.test import Client

from annotation.models import Study, Unit, User
from tests.api.calls import get, post, send
from tests.api.conftest import Caller

STUDY = "studies/small"


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


def test_a_view_of_the_table_is_saved_replaced_shared_and_forgotten(
    program: Client, study: Study, colleague: User, as_program: Caller
) -> None:
    own = send(program, f"{STUDY}/unit-views", {"name": "Controls", "query": "role=positive"})
    row = study.saved_views.get()
    assert (row.name, row.query, row.shared) == ("Controls", "role=positive", False)
    other = as_program(colleague)
    assert other.get(f"/api/v1/{STUDY}/unit-views/{own['id']}/").status_code == 404
    body = {"name": "Controls", "query": "role=negative", "shared": True}
    shared = send(program, f"{STUDY}/unit-views", body)
    row = study.saved_views.get()  # in the place of the first
    assert (row.query, row.shared) == ("role=negative", True)
    assert get(other, "unit-views/")["results"] == [get(other, f"unit-views/{shared['id']}/")]
    assert post(other, "unit-views/", body).status_code == 403
    assert post(other, f"unit-views/{row.pk}/remove/").status_code == 403
    assert send(program, f"{STUDY}/unit-views/{row.pk}/remove") == shared
    assert not study.saved_views.exists()
