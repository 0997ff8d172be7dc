from typing import Any

import pytest
from django.http import QueryDict

from annotation.models import Study
from annotation.panels.contract import (
    BadParameter,
    Panel,
    Preview,
    Problem,
    Recruitment,
    Visit,
    VisitOutcome,
    WayBack,
)
from annotation.panels.generic import PANEL as GENERIC
from annotation.panels.invitation import PANEL as INVITATION
from annotation.panels.mturk import PANEL as MTURK
from annotation.panels.prolific import PANEL as PROLIFIC
from annotation.panels.registry import (
    PANELS,
    arrival_link,
    frame_origins,
    missing_for_panel,
    panel_of,
)
from annotation.rounds.opening import missing_to_open
from tests.cast import make_study

CODES = {"completion_code": "DONE", "screenout_code": "OUT", "return_code": "BACK"}
ACCEPTED = "workerId=W1&assignmentId=A1&hitId=H1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com"


def visit(panel: Panel, query: str, **given: Any) -> Visit | Preview | None:
    return panel.visit(QueryDict(query), Recruitment.of(given))


def way_back(panel: Panel, outcome: VisitOutcome, at: Visit, **given: Any) -> WayBack | None:
    return panel.way_back(Recruitment.of({**CODES, **given}), outcome, at)


def test_each_panel_has_a_name_of_its_own() -> None:
    assert len({panel.slug for panel in PANELS}) == len(PANELS)


def test_prolific_names_worker_study_and_session() -> None:
    found = visit(PROLIFIC, "PROLIFIC_PID=5f&STUDY_ID=6a&SESSION_ID=7b")
    assert found == Visit(worker="5f", study="6a", session="7b")


@pytest.mark.parametrize("left_out", ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"])
def test_prolific_needs_all_three(left_out: str) -> None:
    query = "&".join(
        f"{name}=x" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID") if name != left_out
    )
    with pytest.raises(BadParameter, match=left_out):
        visit(PROLIFIC, query)


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (VisitOutcome.COMPLETED, "DONE"),
        (VisitOutcome.SCREENED_OUT, "OUT"),
        (VisitOutcome.RETURNED, "BACK"),
    ],
)
def test_prolific_takes_people_back_by_a_link_with_the_code(
    outcome: VisitOutcome, code: str
) -> None:
    found = way_back(PROLIFIC, outcome, Visit("5f"))
    assert found == WayBack(f"https://app.prolific.com/submissions/complete?cc={code}")


@pytest.mark.parametrize("panel", [GENERIC, PROLIFIC])
def test_parameters_are_called_what_the_study_file_calls_them(panel: Panel) -> None:
    names = {"worker": "pid", "session": "s", "study": "project"}
    found = visit(panel, "pid=a&s=b&project=c", parameters=names)
    assert found == Visit(worker="a", session="b", study="c")


def test_a_generic_panel_needs_the_workers_id_alone() -> None:
    assert visit(GENERIC, "pid=a&s=b", parameters={"worker": "pid"}) == Visit(worker="a")


def test_a_generic_panel_without_an_address_gives_the_code_alone() -> None:
    assert way_back(GENERIC, VisitOutcome.COMPLETED, Visit("a")) is None


def test_nobody_comes_from_invitations_by_parameters() -> None:
    assert visit(INVITATION, "worker=a") is None


def test_an_accepted_hit_names_worker_assignment_and_where_the_form_goes() -> None:
    expected = Visit("W1", session="A1", study="H1", submit_to="https://workersandbox.mturk.com")
    assert visit(MTURK, ACCEPTED) == expected


def test_a_preview_says_nothing_of_the_worker() -> None:
    query = "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1&workerId=W1"
    assert isinstance(visit(MTURK, query), Preview)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("workerId=W1&assignmentId=A1&hitId=H1", Problem.MISSING),
        (ACCEPTED + "&turkSubmitTo=https%3A%2F%2Fwww.mturk.com", Problem.TWICE),
        (ACCEPTED.replace("workersandbox.mturk.com", "evil.example"), Problem.NOT_ALLOWED),
        (ACCEPTED.replace("https%3A", "http%3A"), Problem.NOT_ALLOWED),
        (ACCEPTED.replace(".com", ".com.evil.example"), Problem.NOT_ALLOWED),
        (ACCEPTED.replace(".com", ".com%2F%40evil.example"), Problem.NOT_ALLOWED),
    ],
)
def test_the_form_goes_to_the_platform_alone(query: str, problem: Problem) -> None:
    with pytest.raises(BadParameter) as refusal:
        visit(MTURK, query)
    assert (refusal.value.name, refusal.value.problem) == ("turkSubmitTo", problem)


def test_a_hit_ends_with_a_form_that_names_the_assignment() -> None:
    at = Visit("W1", session="A1", study="H1", submit_to="https://www.mturk.com")
    found = way_back(MTURK, VisitOutcome.COMPLETED, at)
    assert found is not None
    assert found.address == "https://www.mturk.com/mturk/externalSubmit"
    assert found.fields == {"assignmentId": "A1", "outcome": "completed", "code": "DONE"}
    assert found.origin == "https://www.mturk.com"


def test_who_returns_a_hit_posts_no_form() -> None:
    at = Visit("W1", session="A1", submit_to="https://www.mturk.com")
    assert way_back(MTURK, VisitOutcome.RETURNED, at) is None


def test_an_origin_that_went_off_the_list_is_sent_no_form(settings: Any) -> None:
    settings.MTURK_ORIGINS = ["https://www.mturk.com"]
    at = Visit("W1", session="A1", submit_to="https://workersandbox.mturk.com")
    assert way_back(MTURK, VisitOutcome.COMPLETED, at) is None


@pytest.mark.django_db
def test_a_study_is_framed_by_its_own_panel_alone() -> None:
    study = make_study()
    assert frame_origins(study) == ()
    study.recruitment = {"panel": "prolific"}
    assert frame_origins(study) == ()
    study.recruitment = {"panel": "generic", "frame_origins": ["https://panel.example"]}
    assert frame_origins(study) == ("https://panel.example",)
    study.recruitment = {"panel": "mturk"}
    assert "https://worker.mturk.com" in frame_origins(study)
    study.recruitment = {"panel": "invitation", "frame_origins": ["https://panel.example"]}
    assert frame_origins(study) == ()


@pytest.mark.django_db
def test_a_panel_says_which_codes_are_missing() -> None:
    study = make_study()
    study.recruitment = {"panel": "prolific"}
    assert missing_for_panel(study) == ["completion_code"]
    study.comprehension = [{"question": "?"}]
    assert missing_for_panel(study) == ["completion_code", "screenout_code"]
    study.recruitment = {"panel": "generic"}
    assert missing_for_panel(study) == ["parameters.worker"]
    study.recruitment = {"panel": "invitation"}
    assert missing_for_panel(study) == []


@pytest.mark.django_db
def test_a_round_that_screens_out_needs_the_code_for_it() -> None:
    study = make_study()
    study.recruitment = {"panel": "prolific", "completion_code": "DONE"}
    study.rounds.update(pass_accuracy=1.0)
    assert missing_for_panel(study) == ["screenout_code"]
    study.rounds.update(failing="end")
    assert missing_for_panel(study) == []


@pytest.mark.django_db
def test_a_panel_nobody_knows_is_no_panel() -> None:
    assert panel_of(Study(recruitment={"panel": "elsewhere"})) is INVITATION


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("recruitment", "link"),
    [
        (
            {"panel": "prolific"},
            "/arrive/small/prolific/?"
            + "&".join(
                f"{name}={{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
            ),
        ),
        (
            {"panel": "generic", "parameters": {"worker": "pid", "session": "s"}},
            "/arrive/small/generic/?pid=…&s=…",
        ),
        ({"panel": "mturk"}, "/arrive/small/mturk/"),
        ({"panel": "invitation"}, None),
    ],
)
def test_the_researcher_is_told_what_to_enter_at_the_panel(
    recruitment: dict[str, Any], link: str | None
) -> None:
    study = make_study()
    study.recruitment = recruitment
    assert arrival_link(study) == link


@pytest.mark.django_db
def test_a_study_does_not_open_without_the_codes_of_its_panel() -> None:
    study = make_study()
    study.recruitment = {"panel": "prolific"}
    assert "recruitment entries: completion_code" in missing_to_open(study)
