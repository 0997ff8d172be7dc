"""Adjudication as its people meet it: the queue, cases, gold answers and what follows from them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    AdjudicationCase,
    AuditSample,
    GoldAnswer,
    Item,
    Member,
    Question,
    Rating,
    Study,
    Unit,
    UnitItem,
    User,
)
from annotation.work.drafts import answer_form
from desk.data.adjudication.audits import audit_lines
from desk.data.adjudication.queue import LEASE, send_to_adjudication, take_next
from desk.data.adjudication.work import ask_for_audit
from estimates.data.database import load_table
from estimates.data.facts.gold import load_gold
from estimates.data.options import Options
from results.adjudication.consensus_errors import audited, consensus_errors
from results.adjudication.sampled import audited_table
from set_up.controls.promotion import CannotPromote, promote_to_control
from tasktypes.contract import TaskType
from tasktypes.pairwise import PAIRWISE
from tasktypes.registry import TASK_TYPES
from tests.cast import join, make_study, make_user
from tests.results.answers import disagree, questions
from tests.results.examples import answer, make_example


@pytest.fixture
def contested(study: Study) -> Study:
    return disagree(study)


@pytest.fixture
def client_of(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def page(name: str, *args: object) -> str:
    return reverse(f"desk:{name}", args=["small", *args])


def queue(client: Client) -> AdjudicationCase:
    """Add what is contested, and take the first case."""
    client.post(page("add-contested"), {"contested-most": "2"})
    response = client.post(page("next-case"))
    return AdjudicationCase.objects.get(pk=response["Location"].rstrip("/").rpartition("/")[2])


def sentences(case: AdjudicationCase) -> dict[str, object]:
    """What the form posts for a valid answer."""
    question = case.question
    kind = question.block.task_type
    raw = {"sentences": [0]} if "sentences" in kind.Answer.model_fields else {"value": 40}
    return dict(answer_form(question, None).filled(question.typed_answer(raw)))


def test_the_most_contested_come_first_and_only_what_differs(
    contested: Study, client_of: Client
) -> None:
    client_of.post(page("add-contested"), {"contested-most": "100"})
    cases = list(contested.adjudication_cases.order_by("-score", "shuffle", "pk"))
    assert {case.why for case in cases} == {"disagreement"}
    assert all(case.score for case in cases)
    first = client_of.post(page("next-case"))["Location"]
    assert first == page("case", cases[0].pk)


def test_a_case_is_decided_blind_and_the_next_one_opens(
    contested: Study, client_of: Client, owner: User
) -> None:
    case = queue(client_of)
    shown = client_of.get(page("case", case.pk)).content.decode()
    assert "ada" not in shown
    assert "lexical" not in shown
    response = client_of.post(
        page("case", case.pk),
        {**sentences(case), "why_gold": "The passage says so.", "revision": "0", "go": "next"},
    )
    assert response.status_code == 302
    assert response["Location"] != page("case", case.pk)
    gold = GoldAnswer.objects.get()
    assert (gold.question_id, gold.by, gold.blind) == (case.question_id, owner, True)
    assert gold.reason == "The passage says so."
    case.refresh_from_db()
    assert case.state == "decided"


def test_showing_who_answered_is_recorded_and_keeps_what_was_typed(
    contested: Study, client_of: Client
) -> None:
    case = queue(client_of)
    client_of.post(
        page("case", case.pk), {"why_gold": "half a reason", "revision": "0", "go": "reveal"}
    )
    shown = client_of.get(page("case", case.pk)).content.decode()
    assert "ada" in shown
    assert "lexical" in shown
    assert "half a reason" in shown
    client_of.post(page("case", case.pk), {**sentences(case), "revision": "1", "go": "next"})
    assert not GoldAnswer.objects.get().blind


def test_an_answer_can_be_where_one_begins(contested: Study, client_of: Client) -> None:
    case = queue(client_of)
    answer = case.question.annotations.first()
    assert answer is not None
    client_of.post(page("case", case.pk), {"revision": "0", "go": f"accept-{answer.pk}"})
    case.refresh_from_db()
    client_of.post(page("case", case.pk), {**case.posted, "revision": case.revision, "go": "next"})
    gold = GoldAnswer.objects.get()
    assert (gold.answer, gold.begun_with) == (answer.answer, answer)


def test_no_case_is_held_by_two_and_what_is_typed_late_is_shown_again(
    contested: Study, client_of: Client
) -> None:
    case = queue(client_of)
    other, now = make_user("second"), timezone.now()
    join(contested, other, Member.Role.REVIEWER)
    theirs = take_next(study=contested, by=other, now=now)
    assert theirs is not None
    assert theirs.pk != case.pk
    assert take_next(study=contested, by=make_user("third"), now=now) is None
    # The lease ran out, and the second person took the case over.
    taken = take_next(study=contested, by=other, now=now + 2 * LEASE, skipped=[theirs.pk])
    assert taken is not None
    AdjudicationCase.objects.filter(pk=case.pk).update(
        holder=other, held_until=now + timedelta(days=1)
    )
    late = client_of.post(
        page("case", case.pk), {"why_gold": "typed in vain?", "revision": "0", "go": "next"}
    )
    assert late.status_code == 409
    assert "typed in vain?" in late.content.decode()
    assert not GoldAnswer.objects.exists()


def test_drafts_are_saved_resumed_and_never_overwritten_by_an_older_tab(
    contested: Study, client_of: Client
) -> None:
    case = queue(client_of)
    htmx = {"HX-Request": "true"}
    saved = client_of.post(
        page("save-case", case.pk), {"why_gold": "first", "revision": "0"}, headers=htmx
    )
    assert 'value="1"' in saved.content.decode()
    stale = client_of.post(
        page("save-case", case.pk), {"why_gold": "older", "revision": "0"}, headers=htmx
    )
    assert stale.status_code == 409
    case.refresh_from_db()
    assert case.reason == "first"
    assert "first" in client_of.get(page("case", case.pk)).content.decode()


def test_an_unfinished_answer_is_not_gold(contested: Study, client_of: Client) -> None:
    case = queue(client_of)
    response = client_of.post(
        page("case", case.pk), {"why_gold": "because", "revision": "0", "go": "next"}
    )
    assert response.status_code == 422
    assert "because" in response.content.decode()
    assert not GoldAnswer.objects.exists()


def test_skipping_and_setting_aside_go_on_without_gold(contested: Study, client_of: Client) -> None:
    case = queue(client_of)
    skipped = client_of.post(page("case", case.pk), {"revision": "0", "go": "skip"})
    assert skipped["Location"] != page("case", case.pk)
    case.refresh_from_db()
    assert (case.state, case.holder) == ("open", None)
    client_of.get(page("case", case.pk))
    client_of.post(page("case", case.pk), {"revision": case.revision, "go": "aside"})
    case.refresh_from_db()
    assert case.state == "set_aside"
    assert not GoldAnswer.objects.exists()


def test_an_audit_is_drawn_by_seed_with_its_probabilities(
    contested: Study, client_of: Client
) -> None:
    block = contested.blocks.get(position=0)
    data = {"audit-block": block.pk, "audit-size": "10", "audit-seed": "7"}
    client_of.post(page("add-audit"), data)
    audit = AuditSample.objects.get()
    assert (audit.seed, audit.block_id) == (7, block.pk)
    assert sum(each["population"] for each in audit.strata.values()) == 3
    assert {row.inclusion for row in audit.questions.all()} == {1.0}
    text = client_of.get(page("adjudication")).content.decode()
    assert "no question of the sample is decided yet" in text


def test_gold_is_decided_again_by_a_new_row(contested: Study, client_of: Client) -> None:
    case = queue(client_of)
    client_of.post(
        page("case", case.pk), {**sentences(case), "revision": "0", "why_gold": "a", "go": "next"}
    )
    first = GoldAnswer.objects.get()
    response = client_of.post(page("decide-again", first.pk))
    again = AdjudicationCase.objects.get(pk=response["Location"].rstrip("/").rpartition("/")[2])
    client_of.get(page("case", again.pk))
    client_of.post(
        page("case", again.pk), {**again.posted, "revision": "0", "why_gold": "b", "go": "next"}
    )
    first.refresh_from_db()
    newest = GoldAnswer.objects.current().get()
    assert (newest.supersedes, newest.reason) == (first, "b")
    assert first.superseded_at is not None
    assert first.answer == newest.answer


def test_results_before_and_after_say_what_changes(contested: Study, client_of: Client) -> None:
    assert "Nothing is decided yet" in client_of.get(page("beside-gold")).content.decode()
    question = questions(contested, block=1)[0]
    GoldAnswer.objects.create(study=contested, question=question, answer={"value": 90})
    text = client_of.get(page("beside-gold")).content.decode()
    assert "With gold" in text
    assert "Consensus of people" in text


def test_outsiders_see_nothing_and_viewers_may_not_decide(
    contested: Study, client_of: Client, outsider: User, colleague: User, owner: User
) -> None:
    case = queue(client_of)
    pages = [
        page("adjudication"),
        page("beside-gold"),
        page("case", case.pk),
        page("promote", case.question.unit_id),
    ]
    for user, status in ((outsider, 404), (colleague, 403)):
        client = Client()
        client.force_login(user)
        assert [client.get(url).status_code for url in pages] == [status] * len(pages)
        assert client.post(page("save-case", case.pk), {}).status_code == status
        assert client.post(page("next-case"), {}).status_code == status


def test_the_page_of_a_case_takes_no_more_queries_for_more_answers(
    contested: Study, client_of: Client, django_assert_max_num_queries: object
) -> None:
    case = queue(client_of)
    with django_assert_max_num_queries(24):  # type: ignore[operator]
        client_of.get(page("case", case.pk))
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        client_of.get(page("adjudication"))


def test_a_decided_unit_becomes_a_control_only_when_nobody_is_asked_about_it(
    owner: User,
) -> None:
    study, now = make_study(sources=2, positive=1), timezone.now()
    unit = study.units.filter(role="normal")[0]
    unit.metadata = {"list": "A"}
    unit.items.update(metadata={"length": 31})
    question = unit.questions.get(block__position=0)
    with pytest.raises(CannotPromote, match="no gold answer"):
        promote_to_control(
            unit=unit, kind=Unit.Role.POSITIVE, round_=study.rounds.get(), by=owner, now=now
        )
    GoldAnswer.objects.create(study=study, question=question, answer={"sentences": [0]})
    control = promote_to_control(
        unit=unit, kind=Unit.Role.POSITIVE, round_=study.rounds.get(), by=owner, now=now
    )
    assert (control.role, control.check_state) == ("positive", "validated")
    assert control.questions.get(block__position=0).reference == {"sentences": [0]}
    assert control.places.get().wanted is None
    assert (control.metadata, control.items.get().metadata) == ({"list": "A"}, {"length": 31})
    # Nobody had met the source: its normal unit is given out no more.
    assert not unit.places.exists()
    assert set(control.items.all()).isdisjoint(unit.items.all())
    with pytest.raises(CannotPromote, match="has a control already"):
        promote_to_control(
            unit=unit, kind=Unit.Role.POSITIVE, round_=study.rounds.get(), by=owner, now=now
        )


def test_sending_units_again_after_deciding_makes_new_cases(
    contested: Study, client_of: Client, owner: User
) -> None:
    case = queue(client_of)
    client_of.post(page("case", case.pk), {**sentences(case), "revision": "0", "go": "next"})
    assert send_to_adjudication(study=contested, units=[case.question.unit], by=owner) >= 1


def test_an_audit_reads_its_own_questions_and_reports_their_error(owner: User) -> None:
    study = disagree(make_study("audited", sources=30, blocks=(("citation_recovery", {}),)))
    block = study.blocks.get()
    join(study, owner, Member.Role.OWNER)
    ask_for_audit(study=study, block=block, size=10, seed=3, by=owner)
    audit = study.audits.get()
    for row in audit.questions.all():
        GoldAnswer.objects.create(study=study, question=row.question, answer={"sentences": [0]})
    table = audited_table(study, [audit.pk])
    assert set(table.question.tolist()) == {row.question_id for row in audit.questions.all()}
    (line,) = audit_lines(study)
    whole, gold = load_table(study), load_gold(study, load_table(study).material.names_of)
    (errors,) = consensus_errors(whole, gold, block.facets, Options())
    assert (line.decided, line.drawn, line.population) == (10, 10, 30)
    strata = {row.question_id: row.stratum for row in audit.questions.all()}
    population = {name: numbers["population"] for name, numbers in audit.strata.items()}
    assert line.estimate == audited(errors, strata, population)


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_every_kind_of_question_can_be_decided(
    kind: TaskType[Any, Any, Any], owner: User, client_of: Client
) -> None:
    study = make_example(kind, owner, units=1)
    send_to_adjudication(study=study, units=study.units.all(), by=owner)
    case = study.adjudication_cases.select_related("question__block")[0]
    url = reverse("desk:case", args=[study.slug, case.pk])
    assert client_of.get(url).status_code == 200
    client_of.post(url, {**kind.example.posted, "revision": "0", "go": "next"})
    gold = GoldAnswer.objects.get()
    assert gold.typed_answer == kind.Answer.model_validate(kind.example.answer)
    assert client_of.get(reverse("desk:beside-gold", args=[study.slug])).status_code == 200


def test_an_answer_to_start_from_that_is_none_is_not_there(
    contested: Study, client_of: Client
) -> None:
    case = queue(client_of)
    for number in ("x", "9" * 40, "0"):
        posted = {**sentences(case), "revision": str(case.revision), "go": f"accept-{number}"}
        assert client_of.post(page("case", case.pk), posted).status_code == 404


def test_a_unit_whose_control_was_rejected_can_become_one_again(owner: User) -> None:
    study, now = make_study(sources=2, positive=1), timezone.now()
    unit = study.units.filter(role="normal")[0]
    question = unit.questions.get(block__position=0)
    GoldAnswer.objects.create(study=study, question=question, answer={"sentences": [0]})
    keys = []
    for _ in range(3):
        control = promote_to_control(
            unit=unit, kind=Unit.Role.POSITIVE, round_=study.rounds.get(), by=owner, now=now
        )
        keys.append(control.key.removeprefix(unit.key))
        Unit.objects.filter(pk=control.pk).update(check_state=Unit.Check.REJECTED)
    assert keys == ["/gold", "/gold-2", "/gold-3"]


def test_answers_with_one_part_are_rows_and_those_with_several_a_table(
    contested: Study, client_of: Client
) -> None:
    case = queue(client_of)
    client_of.post(page("case", case.pk), {"revision": "0", "go": "reveal"})
    shown = client_of.get(page("case", case.pk))
    rows = shown.context["answers"].one_below_another
    assert [candidate.letter for candidate, _text, _other in rows] == ["A", "B", "C"]
    assert "candidates-list" in shown.content.decode()
    assert "candidates-frame" not in shown.content.decode()
    several = replace(shown.context["answers"], parts=[shown.context["answers"].parts[0]] * 2)
    assert several.one_below_another == []


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_a_blind_case_names_no_system_anywhere(
    kind: TaskType[Any, Any, Any], owner: User, client_of: Client
) -> None:
    """Keys of units and items hold the system's name in most imported studies."""
    study = make_example(kind, owner, units=1)
    Item.objects.update(key=Concat("key", Value("/gpt-x")), system="gpt-x")
    Unit.objects.update(key=Concat("key", Value("/gpt-x")))
    answer(study, ("ada", "human"), ("lexical", "judge"))
    send_to_adjudication(study=study, units=study.units.all(), by=owner)
    address = reverse("desk:case", args=[study.slug, study.adjudication_cases.get().pk])
    assert "gpt-x" not in client_of.get(address).content.decode()
    AdjudicationCase.objects.update(revealed_at=timezone.now(), revealed_by=owner)
    assert "<h1>unit-0/gpt-x" in client_of.get(address).content.decode()


def test_a_comparison_is_shown_by_the_letters_of_its_form(owner: User, client_of: Client) -> None:
    """The stored rating names the item that was preferred, and so its system."""
    study = make_example(PAIRWISE, owner, units=1)
    (rater,) = answer(study, ("ada", "human"))
    send_to_adjudication(study=study, units=study.units.all(), by=owner)
    address = reverse("desk:case", args=[study.slug, study.adjudication_cases.get().pk])
    page = client_of.get(address)
    cells = {part.cells[0][0] for part in page.context["answers"].parts}
    assert cells <= {"Text A", "Text B", "tie"}
    payload = Question.objects.get().payload
    letters = {each["item"]: f"Text {each['letter']}" for each in payload["candidates"]}
    systems = [row.item.system for row in UnitItem.objects.select_related("item")]
    preferred = Rating.objects.filter(annotation__rater=rater, label__in=systems)[0].label
    assert letters[systems.index(preferred or "")] in cells
