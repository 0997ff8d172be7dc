"""Controls by the API: proposed and checked, and units picked by hand and put back."""

import pytest
from django.test import Client

from annotation.models import Member, Study, Unit, User
from tests.api.calls import listed, post, send
from tests.cast import join, make_study
from tests.set_up.controls.proposals import select_one_passage
from tests.set_up.steps.studies import mills

CONTROLS = "studies/small/controls"
Check = Unit.Check


@pytest.fixture
def eligible(owner: User) -> Study:
    """Six sources, each with one passage selected, that of the question."""
    made = select_one_passage(make_study(sources=6))
    join(made, owner, Member.Role.OWNER)
    return made


@pytest.mark.operations("studies_controls_create")
def test_proposed_controls_are_checked_once(program: Client, eligible: Study) -> None:
    made = send(program, CONTROLS, {"round": "main", "positive": 1, "negative": 1})
    assert sorted(row["role"] for row in made) == ["negative", "positive"]
    right, wrong = (eligible.units.get(key=row["key"]) for row in made)
    assert (right.check_state, wrong.check_state) == (Check.PROPOSED, Check.PROPOSED)
    assert listed(program, f"{CONTROLS}/{right.pk}") == made[0]
    send(program, f"{CONTROLS}/{right.pk}/check", {"valid": True})
    send(program, f"{CONTROLS}/{wrong.pk}/check", {"valid": False})
    right.refresh_from_db()
    wrong.refresh_from_db()
    assert (right.check_state, wrong.check_state) == (Check.VALIDATED, Check.REJECTED)
    assert right.checked_by is not None
    assert post(program, f"controls/{right.pk}/check/", {"valid": False}).status_code == 409


def test_more_controls_than_units_allow_are_refused_whole(program: Client, eligible: Study) -> None:
    refused = post(program, "controls/", {"round": "main", "positive": 1_000})
    assert refused.status_code == 409
    assert not eligible.units.exclude(role=Unit.Role.NORMAL).exists()


@pytest.mark.operations("studies_controls_pick_create", "studies_controls_put_back_create")
def test_a_unit_is_picked_with_its_right_answer_and_put_back(
    program: Client, owner: User, settings: object, tmp_path: object
) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]
    study = mills(owner)
    unit = study.units.earliest("pk")
    answers = {study.blocks.get().key: {"scores": {"quality": 4}}}
    pick = {"unit": unit.key, "answers": answers, "reasons": "It says so."}
    (shown,) = send(
        program,
        "studies/mills/controls/pick",
        {"role": "positive", "round": "main", "picks": [pick]},
    )
    unit.refresh_from_db()
    assert (shown["key"], unit.role, unit.checked_by) == (unit.key, "positive", owner)
    assert unit.questions.get().reference == {"scores": {"quality": 4.0}}
    back = send(program, "studies/mills/controls/put-back", {"unit": unit.key})
    unit.refresh_from_db()
    assert (back["role"], unit.role) == ("normal", "normal")
    assert unit.questions.get().reference is None
