"""The pages of background work: where a request goes on, what it shows, and who may look."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import ExclusionRule, GoldAnswer, Member, Study, User
from annotation.work.submission import submit
from desk.data.adjudication.work import UNCONTESTED
from desk.data.background import jobs
from desk.data.exclusions.rules import CHANGED
from jobs import queue
from jobs.models import Heartbeat, Job, JobState
from jobs.runner import work
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def worked(owner: User, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Three workers with the same two answers, in a study that no request may count."""
    study = make_study(sources=2, overlap=3)
    join(study, owner, Member.Role.OWNER)
    for _ in range(3):
        submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    monkeypatch.setattr(jobs, "is_small", lambda _study: False)
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_expires: True)
    return study


@pytest.fixture
def client_of(owner: User) -> Client:
    return as_user(owner)


def page(name: str, *args: object) -> str:
    return reverse(f"desk:{name}", args=["small", *args])


def work_all() -> None:
    for job in Job.objects.filter(state=JobState.QUEUED):
        assert work(job_id=job.pk)


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def looked_at(client: Client) -> str:
    """The page of a rule whose outcome is there."""
    state: str = client.post(page("exclusions"), {"workers": "2"})["Location"]
    work_all()
    rule: str = client.get(state)["Location"]
    return rule


def seen_on(client: Client, rule: str) -> str:
    return text(client, rule).partition('name="seen" value="')[2].partition('"')[0]


def test_a_rule_is_looked_at_on_a_page_that_waits(worked: Study, client_of: Client) -> None:
    state = client_of.post(page("exclusions"), {"workers": "2"})["Location"]
    job = Job.objects.get()
    assert state == page("background", job.pk)
    shown = text(client_of, state)
    assert "Waiting for a worker." in shown
    assert "Named: worker-2" in shown
    assert 'aria-current="page">Exclusion rules' in shown
    assert "No background worker is running" in shown
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in shown
    assert 'hx-trigger="every 1s"' in shown
    part = client_of.get(state, headers=HTMX).content.decode()
    assert part.lstrip().startswith('<section id="job"')
    rule = ExclusionRule.objects.get()
    assert text(client_of, page("exclusions")).count('<td class="number">–</td>') == 2
    assert client_of.get(page("exclusion", rule.pk))["Location"] == state

    work_all()
    assert client_of.get(state)["Location"] == page("exclusion", rule.pk)
    assert client_of.get(state, headers=HTMX)["HX-Redirect"] == page("exclusion", rule.pk)
    assert "<strong>1 worker</strong>" in text(client_of, page("exclusion", rule.pk))
    rule.refresh_from_db()
    assert (rule.outcome["workers"], rule.outcome["answers"]) == (1, 4)
    again = client_of.post(page("exclusions"), {"workers": "2"})["Location"]
    assert again == page("exclusion", rule.pk)
    assert Job.objects.count() == 1  # the second look computes nothing


def test_what_is_applied_is_what_was_seen(worked: Study, client_of: Client, owner: User) -> None:
    rule = looked_at(client_of)
    seen = seen_on(client_of, rule)
    state = client_of.post(f"{rule}apply/", {"seen": seen})["Location"]
    work_all()
    assert "1 batch is excluded now." in client_of.get(state, follow=True).content.decode()
    assert "Undo this rule" in text(client_of, rule)
    state = client_of.post(f"{rule}undo/")["Location"]
    work_all()
    assert "1 batch is to be reviewed again." in client_of.get(state, follow=True).content.decode()


def test_a_preview_says_that_answers_have_changed_and_is_worked_out_anew(
    client_of: Client, worked: Study
) -> None:
    rule = looked_at(client_of)
    seen = seen_on(client_of, rule)
    assert "Answers have changed since" not in text(client_of, rule)
    worked.touch()
    shown = text(client_of, rule)
    assert "Answers have changed since" in shown
    first = Job.objects.get()
    state = client_of.post(page("background-again", first.pk))["Location"]
    work_all()
    assert client_of.get(state)["Location"] == rule
    assert "Answers have changed since" not in text(client_of, rule)
    assert seen_on(client_of, rule) == seen


def test_nothing_is_excluded_that_was_not_seen(client_of: Client, worked: Study) -> None:
    rule = looked_at(client_of)
    state = client_of.post(f"{rule}apply/", {"seen": "of an earlier look"})["Location"]
    work_all()
    shown = client_of.get(state, follow=True)
    assert shown.redirect_chain[-1][0] == rule
    assert CHANGED in shown.content.decode()
    assert ExclusionRule.objects.get().applied_at is None


def test_results_beside_gold_wait_and_follow_new_decisions(
    worked: Study, client_of: Client
) -> None:
    address = page("beside-gold")
    assert "Nothing is decided yet" in text(client_of, address)
    first, second = worked.questions.filter(block__position=1)
    GoldAnswer.objects.create(study=worked, question=first, answer={"value": 90})
    state = client_of.get(address)["Location"]
    work_all()
    assert client_of.get(state)["Location"] == address
    assert "of 1 decided question the consensus" in text(client_of, address)
    GoldAnswer.objects.create(study=worked, question=second, answer={"value": 90})
    assert client_of.get(address)["Location"] != state


def test_a_job_is_cancelled_and_started_again(worked: Study, client_of: Client) -> None:
    state = client_of.post(page("add-contested"), {"contested-most": 2})["Location"]
    job = Job.objects.get()
    assert f'<a href="{state}">Adding contested questions</a>' in text(
        client_of, page("adjudication")
    )
    client_of.post(page("cancel-background", job.pk))
    assert state not in text(client_of, page("adjudication"))
    assert "Cancelled. Nothing was changed." in text(client_of, state)
    client_of.post(page("background-again", job.pk))
    assert "Waiting for a worker." in text(client_of, state)
    work_all()
    done = client_of.get(state, follow=True).content.decode()
    assert UNCONTESTED in done
    assert (
        "had already ended"
        in client_of.post(page("cancel-background", job.pk), follow=True).content.decode()
    )
    client_of.post(page("background-again", job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE  # what was done is not done again


def test_a_killed_worker_is_told(worked: Study, client_of: Client) -> None:
    state = client_of.post(page("add-contested"), {"contested-most": 2})["Location"]
    Heartbeat.objects.create(worker="another", at=timezone.now())
    now = timezone.now()
    Job.objects.update(state=JobState.RUNNING, alive_at=now - timedelta(seconds=3))
    assert "s so far." in text(client_of, state)
    Job.objects.update(alive_at=now - timedelta(minutes=1))
    assert "The worker was stopped." in text(client_of, state)
    Job.objects.update(state=JobState.FAILED, reason=queue.STOPPED)
    shown = text(client_of, state)
    assert "This failed: the worker was stopped" in shown
    assert f'href="{page("adjudication")}">Back' in shown


def test_outsiders_see_nothing_and_viewers_start_nothing(
    worked: Study, client_of: Client, outsider: User, colleague: User
) -> None:
    join(worked, colleague, Member.Role.VIEWER)
    client_of.post(page("add-contested"), {"contested-most": 2})
    job = Job.objects.get()
    for user, status in ((outsider, 404), (colleague, 403)):
        client = as_user(user)
        assert client.get(page("background", job.pk)).status_code == status
        assert client.post(page("cancel-background", job.pk)).status_code == status
        assert client.post(page("background-again", job.pk)).status_code == status
    other = make_study("other")
    join(other, outsider, Member.Role.OWNER)
    theirs = reverse("desk:background", args=["other", job.pk])
    assert as_user(outsider).get(theirs).status_code == 404


def test_no_request_reads_the_answers(
    worked: Study, client_of: Client, django_assert_max_num_queries: object
) -> None:
    rule = looked_at(client_of)
    with django_assert_max_num_queries(25) as made:  # type: ignore[operator]
        client_of.post(page("exclusions"), {"workers": "1"})
    statements = [query["sql"] for query in made.captured_queries]
    assert not [sql for sql in statements if "annotation_rating" in sql]
    with django_assert_max_num_queries(25) as made:  # type: ignore[operator]
        client_of.get(rule)
    statements = [query["sql"] for query in made.captured_queries]
    assert not [sql for sql in statements if "annotation_rating" in sql]
