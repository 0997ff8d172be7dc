"""What a webhook is told beside alerts: each thing once, many answers at a time, and at no cost to
whoever answers."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from alerts import feeds
from alerts.events import NAMES
from alerts.feeds import collect_events, webhooks_with_feeds
from alerts.models import Delivery, Webhook
from alerts.webhooks import choose_events, send_again, set_webhook
from annotation.answers.key_ranges import PATIENCE, still_missing
from annotation.models import Annotation, Member, Study, User
from annotation.work.submission import submit
from exports.choice import WHOLE
from exports.jobs import ask_for_export
from imports.answers.batches import add_answers
from jobs.models import Job, JobState
from judges.definitions.versions import judge_for
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tests.alerts.receiver import receiving
from tests.alerts.sending import became_of, send_due
from tests.annotation.answers.under_way import an_answer_under_way, line
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

Event = Delivery.Event


def told(study: Study, *, later: timedelta = timedelta()) -> list[Delivery]:
    return collect_events(
        webhook_id=Webhook.objects.get(study=study).pk, now=timezone.now() + later
    )


@pytest.fixture
def hook(study: Study, owner: User) -> Webhook:
    made = set_webhook(of=study, url="https://example.org/hook", by=owner, now=timezone.now())
    choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
    made.refresh_from_db()
    return made


def worked(study: Study) -> None:
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())


def answers_told(rows: list[Delivery]) -> list[int]:
    return [key for row in rows if row.event == Event.ANSWERS for key in row.content["answers"]]


def test_many_answers_come_in_one_message_and_each_once(study: Study, hook: Webhook) -> None:
    worked(study)
    rows = told(study)
    assert [row.event for row in rows] == [Event.ANSWERS]
    assert sorted(answers_told(rows)) == sorted(Annotation.objects.values_list("pk", flat=True))
    assert told(study) == []
    add_answers(study=study, answers=[line("ann")], by=None)
    assert len(answers_told(told(study))) == 1


def test_more_answers_than_fit_one_message_come_in_several(
    study: Study, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "IN_ONE", 2)
    monkeypatch.setattr(feeds, "AT_ONCE", 3)
    lines = [line(f"r{n}") for n in range(5)]
    add_answers(study=study, answers=lines, by=None)
    first, second = told(study), told(study)
    assert [len(row.content["answers"]) for row in first] == [2, 1]
    assert len({*answers_told(first), *answers_told(second)}) == 5


def test_an_answer_whose_transaction_ends_late_is_told_then(study: Study, hook: Webhook) -> None:
    """Its key is smaller than that of an answer which was told before."""
    add_answers(study=study, answers=[line("ann"), line("bob")], by=None)
    early, late = Annotation.objects.order_by("pk")
    Annotation.objects.filter(pk=early.pk).delete()  # nobody sees it yet
    assert answers_told(told(study)) == [late.pk]
    early.save(force_insert=True)  # under its key
    assert answers_told(told(study)) == [early.pk]
    assert told(study) == []


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_told_that_was_under_way_when_the_webhook_was_set(owner: User) -> None:
    study, other = make_study("slow"), make_study("quick")
    join(study, owner, Member.Role.OWNER)
    with an_answer_under_way(study):
        add_answers(study=other, answers=[line("quick")], by=None)
        set_webhook(of=study, url="https://example.org/", by=owner, now=timezone.now())
        choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
        assert told(study) == []
    slow, quick = Annotation.objects.get(study=study), Annotation.objects.get(study=other)
    assert slow.pk < quick.pk
    assert answers_told(told(study)) == [slow.pk]
    assert told(study) == []


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_told_that_commits_after_a_later_one_was_told(owner: User) -> None:
    study, other = make_study("slow"), make_study("quick")
    for each in (study, other):
        join(each, owner, Member.Role.OWNER)
        set_webhook(of=each, url="https://example.org/", by=owner, now=timezone.now())
        choose_events(of=each, events=NAMES, by=owner, now=timezone.now())
    with an_answer_under_way(study):
        add_answers(study=other, answers=[line("quick")], by=None)
        quick = Annotation.objects.get()
        assert answers_told(told(other)) == [quick.pk]
        assert told(study) == []
    slow = Annotation.objects.get(study=study)
    assert slow.pk < quick.pk
    assert answers_told(told(study)) == [slow.pk]
    assert told(other) == []


def test_keys_that_stay_without_a_row_are_forgotten() -> None:
    now = timezone.now()
    gap = (5, 9, int(now.timestamp()))
    assert still_missing([gap], [7], now) == [(5, 6, gap[2]), (8, 9, gap[2])]
    assert still_missing([gap], [5, 6, 7, 8, 9], now) == []
    assert still_missing([gap], [], now + PATIENCE + timedelta(seconds=1)) == []


def test_storing_an_answer_costs_nothing_more_with_a_webhook(study: Study, owner: User) -> None:
    def queries(rater: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            add_answers(study=study, answers=[line(rater)], by=owner)
        return len(asked)

    def of_a_submission() -> int:
        batch = answer_all(lease(newcomer(study)))
        with CaptureQueriesContext(connection) as asked:
            submit(assignment=batch, now=timezone.now())
        return len(asked)

    queries("first")
    without, submitted = queries("second"), of_a_submission()
    set_webhook(of=study, url="https://example.org/", by=owner, now=timezone.now())
    choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
    assert queries("third") == without
    assert of_a_submission() == submitted


def test_without_a_webhook_that_wants_them_nothing_is_looked_at(study: Study, owner: User) -> None:
    assert webhooks_with_feeds() == []
    set_webhook(of=study, url="https://example.org/", by=owner, now=timezone.now())
    assert webhooks_with_feeds() == []
    worked(study)
    choose_events(of=study, events=["answer.stored"], by=owner, now=timezone.now())
    assert webhooks_with_feeds() == [Webhook.objects.get(study=study).pk]
    assert told(study) == []  # what was before is not told


def test_events_that_were_not_chosen_are_not_told_later(
    study: Study, hook: Webhook, owner: User
) -> None:
    now = timezone.now()
    choose_events(of=study, events=["run.finished"], by=owner, now=now)
    worked(study)
    assert told(study) == []
    choose_events(of=study, events=NAMES, by=owner, now=now)
    assert told(study) == []


def test_a_round_is_finished_once_and_again_after_it_was_extended(
    study: Study, hook: Webhook
) -> None:
    places = study.rounds.get().places
    Study.objects.filter(pk=study.pk).update(overlap=1)
    places.update(wanted=1, counted=1)
    (row,) = told(study)
    assert (row.event, row.content) == (Event.ROUND, {"round": study.rounds.get().pk})
    assert told(study) == []
    places.update(wanted=2)
    assert told(study) == []
    places.update(counted=2)
    assert [row.event for row in told(study)] == [Event.ROUND]


def test_a_run_and_an_export_are_told_of_once_when_they_have_ended(
    study: Study, hook: Webhook, owner: User
) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"), seed=0, requested_by=owner)
    job = ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    assert told(study) == []
    now = timezone.now()
    JudgeRun.objects.filter(pk=run.pk).update(state=JudgeRun.State.COMPLETE, ended_at=now)
    Job.objects.filter(pk=job.pk).update(state="done", ended_at=now)
    assert [row.event for row in told(study)] == [Event.RUN, Event.EXPORT]
    assert told(study) == []
    again = now + timedelta(minutes=5)
    JudgeRun.objects.filter(pk=run.pk).update(ended_at=again)  # resumed, and ended again
    assert [row.content for row in told(study)] == [{"run": run.pk}]
    assert told(study, later=timedelta(days=200)) == []


def test_messages_name_rows_and_hold_no_answer(study: Study, owner: User, settings: Any) -> None:
    with receiving() as receiver:
        settings.WEBHOOK_PRIVATE = [receiver.address]
        set_webhook(of=study, url=receiver.url, by=owner, now=timezone.now())
        choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
        add_answers(study=study, answers=[line("ann")], by=None)
        told(study)
        assert send_due() == 1
        ((headers, body),) = receiver.posts
    content = json.loads(body)
    assert headers["Jurybox-Event"] == content["event"] == "answer.stored"
    (row,) = content["answers"]
    assert (row["unit"], row["rater"], row["kind"]) == ("claim-0/alder/1", "ann", "human")
    assert "value" not in body.decode()


def test_a_message_is_sent_again_under_its_key(study: Study, owner: User, settings: Any) -> None:
    with receiving(status=404) as receiver:
        settings.WEBHOOK_PRIVATE = [receiver.address]
        set_webhook(of=study, url=receiver.url, by=owner, now=timezone.now())
        choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
        worked(study)
        (row,) = told(study)
        send_due()
        state, tries, problem = became_of(row)
        assert (state, tries) == (JobState.FAILED, 1)
        assert "404" in problem
        receiver.status = 204
        assert send_again(delivery=row, by=owner)
        assert not send_again(delivery=row, by=owner)
        send_due()
        keys = [headers["Jurybox-Delivery"] for headers, _ in receiver.posts]
    assert became_of(row) == (JobState.DONE, 1, "")
    assert keys == [str(row.key)] * 2
    assert study.changes.filter(action="webhook.sent_again", by=owner).count() == 1


# --- The page -----------------------------------------------------------------------------------


def address(study: Study, name: str = "webhook", *more: int) -> str:
    return reverse(f"desk:{name}", args=[study.slug, *more])


def test_the_page_is_for_owners_alone(study: Study, hook: Webhook, owner: User) -> None:
    editor = make_user("editor")
    join(study, editor, Member.Role.EDITOR)
    page = as_user(owner).get(address(study)).content.decode()
    assert hook.url in page
    assert hook.secret not in page
    assert as_user(editor).get(address(study)).status_code == 403
    assert as_user(make_user("stranger")).get(address(study)).status_code == 404


def test_a_new_secret_is_shown_once_and_events_stay(
    study: Study, hook: Webhook, owner: User
) -> None:
    client = as_user(owner)
    shown = client.post(address(study, "renew-secret")).content.decode()
    renewed = Webhook.objects.get()
    assert renewed.secret in shown
    assert renewed.secret != hook.secret
    assert renewed.chosen == hook.chosen
    assert renewed.secret not in client.get(address(study)).content.decode()
    assert renewed.secret not in str(list(study.changes.values()))


def test_the_old_secret_is_ended_on_the_page_and_logged(
    study: Study, hook: Webhook, owner: User
) -> None:
    client = as_user(owner)
    assert "End the old secret now" not in client.get(address(study)).content.decode()
    client.post(address(study, "renew-secret"))
    renewed = Webhook.objects.get()
    until = f"{timezone.localtime(renewed.old_until):%-d %b, %H:%M}"
    page = client.get(address(study)).content.decode()
    assert f"until {until}, with the one before as well" in page
    assert hook.secret not in page
    editor = make_user("editor")
    join(study, editor, Member.Role.EDITOR)
    assert as_user(editor).post(address(study, "end-old-secret")).status_code == 403
    assert Webhook.objects.get().secrets(timezone.now()) == [renewed.secret, hook.secret]
    for _ in range(2):
        assert client.post(address(study, "end-old-secret")).status_code == 302
    assert Webhook.objects.get().secrets(timezone.now()) == [renewed.secret]
    assert "End the old secret now" not in client.get(address(study)).content.decode()
    assert study.changes.filter(action="webhook.old_secret_ended", by=owner).count() == 1


def test_events_are_chosen_on_the_page_and_logged(study: Study, hook: Webhook, owner: User) -> None:
    client = as_user(owner)
    sent = {"events": ["run.finished", "alert.opened"]}
    assert client.post(address(study, "choose-events"), sent).status_code == 302
    hook.refresh_from_db()
    assert hook.chosen == ["alert.opened", "run.finished"]
    assert study.changes.filter(action="webhook.events_chosen", by=owner).count() == 2
    wrong = client.post(address(study, "choose-events"), {"events": ["nothing.found"]})
    assert wrong.status_code == 422


def test_the_log_takes_the_same_queries_however_long_and_sends_again(
    study: Study, hook: Webhook, owner: User, django_assert_num_queries: Any
) -> None:
    client = as_user(owner)
    worked(study)
    (row,) = told(study)
    with CaptureQueriesContext(connection) as before:
        client.get(address(study))
    Job.objects.filter(pk=row.job_id).update(state=JobState.FAILED, reason="no answer", attempt=8)
    for number in range(3):
        add_answers(study=study, answers=[line(f"r{number}")], by=None)
        told(study)
    with django_assert_num_queries(len(before)):
        page = client.get(f"{address(study)}?state=failed").content.decode()
    assert "no answer" in page
    assert page.count("<tr>") == 2
    assert client.post(address(study, "send-again", row.pk)).status_code == 302
    assert became_of(row)[:2] == (JobState.QUEUED, 0)
