"""Exclusion rules are looked at before they apply, are reversible, and are counted."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Assignment, ExclusionRule, Member, Study, User
from annotation.work.review import accept, exclude
from annotation.work.steps import Steps
from annotation.work.submission import submit
from desk.data.exclusions import work
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.previews import Preview, preview
from desk.data.exclusions.rules import CHANGED, NOT_APPLIED, looked_at
from desk.data.exclusions.work import ask_to_apply, ask_to_undo
from estimates.report.cache import report_of
from jobs.models import Job, JobState
from results.paper.methods.rules import rules
from tests.annotation.workers import answer_all, answer_step, lease, newcomer
from tests.cast import join, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def worked(owner: User, colleague: User) -> Study:
    """Three workers who gave the same answers to the same two texts."""
    study = make_study(sources=2, overlap=3)
    join(study, owner, Member.Role.OWNER)
    join(study, colleague, Member.Role.VIEWER)
    for _ in range(3):
        submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    return study


def look_at(study: Study, conditions: Conditions, by: User) -> ExclusionRule:
    rule, job = work.look_at(study=study, conditions=conditions, by=by)
    assert job.state == JobState.DONE  # of a small study at once
    return rule


def apply(rule: ExclusionRule, conditions: Conditions, by: User) -> Job:
    """Apply a rule as it was looked at now."""
    return ask_to_apply(rule=rule, seen=preview(rule.study, conditions).seen, by=by)


def counted(study: Study) -> int:
    return Annotation.objects.filter(study=study).counted().count()


def test_a_preview_says_what_would_go_and_changes_nothing(worked: Study) -> None:
    worked.refresh_from_db()
    before = counted(worked), worked.revision
    effect = preview(worked, Conditions(workers=(2,)))
    assert [each.number for each in effect.concerned] == [2]
    assert (effect.answers, len(effect.assignments)) == (4, 1)
    assert effect.effects.unanswered == 0
    agreement = effect.effects.facets[0]
    assert agreement.before.n_raters == 3
    assert agreement.after.n_raters == 2
    worked.refresh_from_db()
    assert (counted(worked), worked.revision) == before


def test_any_condition_is_enough_and_every_reason_is_named(worked: Study) -> None:
    effect = preview(worked, Conditions(longest_run=1, workers=(1,)))
    reasons = {each.number: each.reasons for each in effect.described}
    assert reasons[1] == ["the same answer 2 times in a row", "named"]
    assert reasons[2] == ["the same answer 2 times in a row"]
    assert not preview(worked, Conditions(longest_run=2)).described
    assert not preview(worked, Conditions(control_accuracy=1)).described
    assert len(preview(worked, Conditions(seconds=1e9)).described) == 3


def test_everybody_excluded_leaves_units_without_answers_and_no_agreement(worked: Study) -> None:
    effect = preview(worked, Conditions(workers=(1, 2, 3)))
    assert effect.effects.unanswered == effect.effects.units == 2
    assert effect.effects.facets[0].after.value is None
    assert effect.effects.facets[0].after.undefined


def test_applying_flags_answers_with_the_rule_and_undoing_counts_them_again(
    worked: Study, owner: User
) -> None:
    conditions = Conditions(workers=(2,))
    rule = look_at(worked, conditions, owner)
    done = apply(rule, conditions, owner).outcome
    assert done == {"done": "1 batch is excluded now. You can undo this at any time."}
    flagged = Annotation.objects.filter(study=worked).exclude(excluded_reason="")
    assert {answer.excluded_reason for answer in flagged} == {"named: worker-2"}
    assert counted(worked) == 8
    rule.refresh_from_db()
    assert rule.applies
    assert (rule.outcome["workers"], rule.outcome["answers"]) == (1, 4)
    sentences = " ".join(sentence.text for sentence in rules(report_of(worked)))
    assert "Answers of 1 worker were excluded by a rule (named: worker-2; 4 answers" in sentences
    assert "The effect of 1 exclusion rule had been looked at." in sentences

    undone = ask_to_undo(rule=rule, by=owner).outcome
    assert undone == {"done": "Undone: 1 batch is to be reviewed again."}
    assert ask_to_undo(rule=rule, by=owner).outcome == {"refused": NOT_APPLIED}
    assert counted(worked) == 12
    assert "excluded by a rule" not in " ".join(s.text for s in rules(report_of(worked)))


def test_undoing_leaves_every_batch_as_it_was_decided_before(worked: Study, owner: User) -> None:
    accepted = Assignment.objects.get(participation__number=1)
    accept(assignments=[accepted], by=owner)
    conditions = Conditions(workers=(1, 2))
    rule = look_at(worked, conditions, owner)
    apply(rule, conditions, owner)
    ask_to_undo(rule=rule, by=owner)
    verdicts = Assignment.objects.order_by("participation__number").values_list(
        "verdict", flat=True
    )
    assert list(verdicts) == ["accepted", "open", "open"]


def test_what_was_not_looked_at_is_not_excluded(worked: Study, owner: User) -> None:
    conditions = Conditions(seconds=1e9)
    rule = look_at(worked, conditions, owner)
    seen = preview(worked, conditions).seen
    exclude(assignments=[Assignment.objects.get(participation__number=3)], reason="x", by=owner)
    assert ask_to_apply(rule=rule, seen=seen, by=owner).outcome == {"refused": CHANGED}
    assert counted(worked) == 8
    rule.refresh_from_db()
    assert rule.applied_at is None


def test_looking_twice_at_one_rule_is_one_preview(worked: Study, owner: User) -> None:
    for numbers in ((1,), (1,), (2, 1), (1, 2)):
        look_at(worked, Conditions(workers=numbers), owner)
    assert looked_at(worked) == 2
    assert ExclusionRule.objects.count() == 2


def test_the_pages_show_apply_and_undo(worked: Study, owner: User, client: Client) -> None:
    client.force_login(owner)
    page = reverse("desk:exclusions", args=["small"])
    assert client.post(page, {}).status_code == 422
    assert client.post(page, {"workers": "bob"}).status_code == 422
    rule = client.post(page, {"workers": "worker-2"})["Location"]
    text = client.get(rule).content.decode()
    assert "<strong>1 worker</strong>" in text
    assert "<strong>4 counted answers</strong>" in text
    assert "1 rule previewed so far" in text
    client.post(f"{rule}apply/", {"seen": preview(worked, Conditions(workers=(2,))).seen})
    assert counted(worked) == 8
    assert "Undo this rule" in client.get(rule).content.decode()
    client.post(f"{rule}undo/")
    assert counted(worked) == 12


def test_a_figure_that_a_rule_leaves_without_answers_is_said_in_words(
    owner: User, client: Client
) -> None:
    study = make_study(sources=12, per_batch=12, blocks=[("slider", {})])
    join(study, owner, Member.Role.OWNER)
    for own in (0, 9):
        batch = lease(newcomer(study))
        for step in Steps(batch).unanswered:
            answer_step(step, {"value": [str(own + 7 * step.question.unit_id % 90)]})
        submit(assignment=batch, now=timezone.now())
    client.force_login(owner)
    rule = client.post(reverse("desk:exclusions", args=["small"]), {"workers": "1, 2"})
    text = client.get(rule["Location"]).content.decode()
    assert "and could no longer be computed." in text
    assert "goes from" not in text


def test_outsiders_see_nothing_and_viewers_apply_nothing(
    worked: Study, owner: User, outsider: User, colleague: User, client: Client
) -> None:
    rule = look_at(worked, Conditions(workers=(1,)), owner)
    pages = [
        reverse("desk:exclusions", args=["small"]),
        reverse("desk:exclusion", args=["small", rule.pk]),
    ]
    for user, status in ((outsider, 404), (colleague, 403)):
        client.force_login(user)
        assert [client.get(page).status_code for page in pages] == [status] * 2
        assert client.post(f"{pages[1]}apply/").status_code == status
        assert client.post(f"{pages[1]}undo/").status_code == status


def test_the_number_of_queries_does_not_grow_with_the_workers(
    worked: Study, owner: User, client: Client, django_assert_max_num_queries: object
) -> None:
    client.force_login(owner)
    rule = look_at(worked, Conditions(seconds=1e9), owner)
    with django_assert_max_num_queries(45):  # type: ignore[operator]
        client.get(reverse("desk:exclusion", args=["small", rule.pk]))


def test_figures_are_computed_outside_of_the_transaction_and_once(
    worked: Study, owner: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite one that writes keeps all other writers waiting."""
    depth, depths = len(connection.savepoint_ids), list[int]()

    def computed(*args: Any) -> Preview:
        depths.append(len(connection.savepoint_ids))
        return preview(*args)

    monkeypatch.setattr(work, "preview", computed)
    conditions = Conditions(workers=(2,))
    rule = look_at(worked, conditions, owner)
    client.force_login(owner)
    client.get(reverse("desk:exclusion", args=["small", rule.pk]))
    apply(rule, conditions, owner)
    assert depths == [depth]
