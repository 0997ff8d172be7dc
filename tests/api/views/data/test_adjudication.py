"""Adjudication by the API: filling the queue, deciding cases with names or not at all, and what the
decisions change."""

import pytest
from django.test import Client

from annotation.models import AdjudicationCase, GoldAnswer, Study
from tests.api.calls import get, listed, post, send
from tests.cast import make_study
from tests.results.answers import disagree

State = AdjudicationCase.State


@pytest.fixture
def contested(study: Study) -> Study:
    return disagree(study)


def test_contested_and_drawn_questions_come_into_the_queue_once(
    program: Client, contested: Study
) -> None:
    added = post(program, "cases/contested/", {"most": 2})
    assert (added.status_code, added.json()["said"]) == (202, "2 contested questions added.")
    assert [case.why for case in contested.adjudication_cases.all()] == ["disagreement"] * 2
    drawn = post(program, "cases/audit/", {"block": "slider", "size": 10, "seed": 7})
    assert (drawn.status_code, drawn.json()["said"]) == (202, "3 questions drawn with seed 7.")
    audit = contested.audits.get()
    assert (audit.seed, audit.block.key, audit.questions.count()) == (7, "slider", 3)
    waiting = contested.adjudication_cases.filter(question__block=audit.block).count()
    assert waiting == 3
    post(program, "cases/audit/", {"block": "slider", "size": 10, "seed": 7})
    assert contested.adjudication_cases.filter(question__block=audit.block).count() == waiting


def test_no_sample_is_drawn_of_a_block_of_another_study(program: Client, contested: Study) -> None:
    make_study("other", blocks=(("likert", {}),))
    refused = post(program, "cases/audit/", {"block": "likert", "size": 10, "seed": 7})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "block")
    assert not contested.audits.exists()


def test_a_case_that_was_revealed_is_decided_and_opened_again_with_its_answer(
    program: Client, contested: Study
) -> None:
    post(program, "cases/audit/", {"block": "slider", "size": 10, "seed": 7})
    undecidable, case = contested.adjudication_cases.order_by("pk")[:2]
    shown = send(program, f"studies/small/cases/{case.pk}/reveal")
    assert shown["unit"] == case.question.unit.key
    assert {each["rater"] for each in shown["answers"]} == {"ada", "bob", "lexical"}
    case.refresh_from_db()
    assert case.revealed_at is not None
    post(program, f"cases/{case.pk}/decide/", {"answer": {"value": 40}, "reason": "So."})
    gold = GoldAnswer.objects.get(question=case.question)
    assert (gold.answer, gold.blind) == ({"value": 40}, False)
    assert get(program, f"gold/{gold.pk}/")["answer"] == {"value": 40}
    again = send(program, f"studies/small/gold/{gold.pk}/again")
    assert send(program, f"studies/small/gold/{gold.pk}/again") == again
    opened = AdjudicationCase.objects.get(pk=again["id"])
    assert (opened.state, opened.question, opened.reason) == (State.OPEN, case.question, "So.")
    send(program, f"studies/small/cases/{undecidable.pk}/set-aside", {"reason": "Nobody knows."})
    undecidable.refresh_from_db()
    assert (undecidable.state, undecidable.reason) == (State.SET_ASIDE, "Nobody knows.")
    refused = post(program, f"cases/{undecidable.pk}/set-aside/", {"reason": "Nobody knows."})
    assert refused.status_code == 409
    assert GoldAnswer.objects.count() == 1


def test_gold_is_set_beside_the_figures(program: Client, contested: Study) -> None:
    results = "studies/small/gold/results"
    assert listed(program, results) == {"state": "", "outdated": False, "figures": None}
    post(program, "cases/contested/", {"most": 1})
    case = contested.adjudication_cases.get()
    answer = {"value": 40} if case.question.block.key == "slider" else {"sentences": [0]}
    post(program, f"cases/{case.pk}/decide/", {"answer": answer})
    counted = listed(program, results)
    assert (counted["state"], counted["outdated"]) == ("done", False)
    assert counted["figures"]
