import pytest
from django.http import QueryDict

from annotation.panels.contract import (
    LONGEST_ID,
    BadParameter,
    Problem,
    Recruitment,
    Visit,
    VisitOutcome,
    link_back,
    read_id,
)

VISIT = Visit(worker="w&1", session="s 2", study="t3")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("", Problem.MISSING),
        ("pid=", Problem.MISSING),
        ("pid=%20", Problem.MISSING),
        ("pid=a&pid=b", Problem.TWICE),
        ("pid=" + "a" * (LONGEST_ID + 1), Problem.TOO_LONG),
        ("pid=%7B%7B%25PROLIFIC_PID%25%7D%7D", Problem.NOT_AN_ID),
        ("pid=a%00b", Problem.NOT_AN_ID),
        ("pid=%3Cb%3E", Problem.NOT_AN_ID),
    ],
)
def test_what_is_no_id_is_refused_with_its_name_and_the_reason(
    query: str, problem: Problem
) -> None:
    with pytest.raises(BadParameter) as refusal:
        read_id(QueryDict(query), "pid")
    assert (refusal.value.name, refusal.value.problem) == ("pid", problem)


@pytest.mark.parametrize("text", ["5f2a", "a.b_c-d~e", "name@panel.example", "A" * LONGEST_ID])
def test_an_id_is_read_as_it_stands(text: str) -> None:
    query = QueryDict(mutable=True)
    query["pid"] = text
    assert read_id(query, "pid") == text


@pytest.mark.parametrize(
    "origin",
    [
        "https://a.example; script-src *",
        "https://a.example/path",
        "*",
        "'self'",
        "a.example",
        "https://a.example\n",
        5,
    ],
)
def test_what_is_no_origin_never_gets_near_a_header(origin: object) -> None:
    assert Recruitment.of({"frame_origins": [origin]}).frame_origins == ()


def test_origins_are_kept_as_they_are() -> None:
    origins = ["https://a.example", "http://127.0.0.1:8001"]
    assert Recruitment.of({"frame_origins": origins}).frame_origins == tuple(origins)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "//a.example", "https://a b", "data:,"])
def test_what_is_no_address_of_the_web_never_becomes_a_link(address: str) -> None:
    assert Recruitment.of({"completion_url": address}).completion_url == ""


def test_no_panel_named_means_invitations() -> None:
    assert Recruitment.of({}).panel == Recruitment.of({"panel": ""}).panel == "invitation"


def link(template: str, outcome: VisitOutcome, **codes: str) -> str | None:
    way = link_back(template, Recruitment.of(codes), outcome, VISIT)
    return None if way is None else way.address


def test_a_link_back_carries_the_code_and_the_ids_escaped() -> None:
    template = "https://panel.example/end?c={code}&w={worker}&s={session}&t={study}"
    found = link(template, VisitOutcome.SCREENED_OUT, screenout_code="A B")
    assert found == "https://panel.example/end?c=A%20B&w=w%261&s=s%202&t=t3"


def test_without_a_code_there_is_no_link_that_needs_one() -> None:
    assert link("https://panel.example/?c={code}", VisitOutcome.RETURNED) is None


def test_a_link_without_a_place_for_the_code_is_for_completed_work_alone() -> None:
    template = "https://panel.example/thanks"
    assert link(template, VisitOutcome.COMPLETED) == template
    assert link(template, VisitOutcome.SCREENED_OUT, screenout_code="OUT") is None
