"""What workers are told after a batch, on the page of thanks and at the end."""

import re
from collections.abc import Collection
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Participation, Round, Study
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

CODES = {"panel": "prolific", "completion_code": "DONE-1", "screenout_code": "OUT-2"}
DEBRIEF = "This was about bridges."


class Worker:
    """Somebody who hands in batches, and looks at what they are told."""

    def __init__(self, study: Study) -> None:
        self.study, self.client = study, Client()
        self.part = newcomer(study)
        self.client.get(reverse("annotation:return", args=[self.part.token]))

    def hand_in(self, wrong: int | Collection[str] = 0) -> Assignment:
        return do_batch(Participation.objects.get(pk=self.part.pk), wrong=wrong)

    def done(self, batch: Assignment) -> str:
        page = self.client.get(reverse("annotation:done", args=[batch.public_id]))
        return plain(page.content.decode())

    def page(self, name: str) -> str:
        page = self.client.get(reverse(f"annotation:{name}", args=[self.study.slug]))
        return page.content.decode()


def plain(page: str) -> str:
    """The page with every run of blanks as one."""
    return re.sub(r"\s+", " ", page)


def worker(**options: Any) -> Worker:
    study = make_pilot_study(debrief=DEBRIEF, **options)
    study.recruitment = CODES
    study.save()
    return Worker(study)


def first_button(page: str) -> str:
    """What the page's first main button does: the one that is not quiet."""
    found = re.search(r'class="button"[^>]*>([^<]+)<', page[page.index("<main") :])
    assert found is not None
    return found[1]


def test_who_passes_is_told_so_and_what_comes_next_is_the_main_button() -> None:
    who = worker()
    page = who.done(who.hand_in())
    assert "You have passed." in page
    assert "you had 3 of 3 right" in page
    assert "2.70 USD</bdi></strong>" in page
    assert "about 7 minutes; <bdi>2.70 USD</bdi>" in page
    assert first_button(page) == "Start another batch"
    assert 'class="button button--quiet" rel="noreferrer"' in page
    assert "Return to Prolific to confirm" in page
    assert "panel" not in re.sub(r"<[^>]*>", "", page)


def test_who_fails_is_told_why_what_it_paid_and_gets_the_debrief() -> None:
    who = worker()
    page = who.done(who.hand_in(wrong=1))
    assert "you had 2 of 3 right" in page
    assert "All 3 known answers had to be right for you to go on. You had 2 right." in page
    assert "All of them had to be right." not in page
    assert "The study ends here for you." in page
    assert "Without the bonus of 1.70 USD" in page
    assert DEBRIEF in page
    assert first_button(page) == "Return to Prolific to confirm"
    end = who.page("end")
    assert "you had 2 of 3 right" in plain(end)
    assert DEBRIEF in end
    assert "The bridge number" in end


def test_missed_questions_are_shown_only_where_the_study_says_so() -> None:
    who = worker()
    assert "Missed question" not in who.done(who.hand_in(wrong=1))
    open_minded = worker_of_another(tell_missed=True)
    page = open_minded.done(open_minded.hand_in(wrong=1))
    assert page.count("Missed question 1 of 1") == 1
    assert "The right answer" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def worker_of_another(**options: Any) -> Worker:
    Study.objects.all().update(slug="earlier")
    return worker(**options)


def test_training_shows_what_was_missed_in_any_case() -> None:
    who = worker(pilot={"shows_answers": True, "pass_accuracy": 0.0})
    assert "Missed question" in who.done(who.hand_in(wrong=1))


def test_secret_controls_are_not_counted_in_public() -> None:
    who = worker(tell_controls=False)
    page = who.done(who.hand_in(wrong=1))
    assert "you had" not in page
    assert "Too few of yours were right." in page


def test_batches_done_and_earnings_grow_calmly() -> None:
    who = worker()
    who.hand_in()
    for number in (1, 2):
        page = who.done(who.hand_in())
        assert f"{number} of 5 batches done" in page
        assert f"{2.7 * (number + 1):.2f} USD" in page
        assert "Thank you for your work so far." in page
    assert "2 of 5 batches done" in who.page("lobby")


def test_no_more_batches_are_told_of_than_the_sources_are_enough_for() -> None:
    who = Worker(make_study(sources=5, per_batch=2, max_batches_per_worker=5))
    assert "up to 3 batches" in who.page("lobby")
    submit(assignment=answer_all(lease(who.part)), now=timezone.now())
    assert "1 of 3 batches done" in who.page("lobby")


def test_the_next_batch_of_an_unpaid_study_is_announced_by_its_minutes_alone() -> None:
    who = Worker(make_study())
    Round.objects.update(base_pay=0, bonus_pay=0, expected_minutes=4)
    page = plain(who.done(who.hand_in()))
    assert "<dt>Next batch</dt> <dd>about 4 minutes</dd>" in page


def test_without_known_answers_there_is_no_result() -> None:
    who = Worker(make_study())
    assert "Your result" not in who.done(who.hand_in())


@pytest.mark.parametrize("state", [Participation.State.LEFT, Participation.State.SCREENED_OUT])
def test_whoever_stops_early_gets_the_debrief_in_the_page(state: Participation.State) -> None:
    who = worker()
    change_state(participation=who.part, to=state, reason="test")
    assert DEBRIEF in who.page("end")


def test_what_was_agreed_to_and_erasing_appear_once_there_is_something() -> None:
    who = worker()
    lobby = who.page("lobby")
    assert "What you agreed to" in lobby
    assert "Withdraw and erase" not in lobby
    who.hand_in()
    assert "Withdraw and erase" in who.page("lobby")
    stranger = Worker(who.study)
    stranger.part.consents.all().delete()
    consent = stranger.page("consent")
    assert "What you agreed to" not in consent
    assert "Overview" not in consent
