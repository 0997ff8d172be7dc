from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotation, Draft, Study
from annotation.views.questions import reported_seconds
from annotation.work.batch_times import batch_times
from annotation.work.paradata import active_seconds
from annotation.work.submission import submit
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def after(
    seconds: float, *, before: float | None = 0, reported: float | None = None
) -> float | None:
    """The count of a draft last saved at the start, saved again so many seconds later."""
    draft = Draft(active_seconds=before, first_shown_at=START, saved_at=START)
    return active_seconds(draft, reported, START + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", None), ("12.5", 12.5), ("much", 0), ("nan", 0), ("inf", 0), ("-3", -3)],
)
def test_what_the_browser_reports_is_read_and_nonsense_counts_nothing(
    text: str, seconds: float | None
) -> None:
    assert reported_seconds(text) == seconds


def test_the_browsers_count_stands_while_the_clock_allows_it() -> None:
    assert after(60, reported=45) == 45
    assert after(60, before=30, reported=75) == 75


def test_nobody_is_active_for_longer_than_the_clock_says() -> None:
    assert after(60, before=30, reported=10_000) == 90
    assert after(-5, before=30, reported=40) == 30


def test_the_count_never_goes_down_and_a_save_sent_twice_adds_nothing() -> None:
    assert after(60, before=30, reported=5) == 30
    assert after(60, before=45, reported=45) == 45
    assert after(60, before=45, reported=-3) == 45


def test_what_no_browser_counted_is_not_known_ever_after() -> None:
    assert after(60) is None
    assert after(60, before=30) is None
    assert after(60, before=None, reported=45) is None


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def person(self) -> Person:
        return Person(make_study())

    def shown_ago(self, person: Person, seconds: float) -> None:
        person.get()
        Draft.objects.update(first_shown_at=timezone.now() - timedelta(seconds=seconds))

    def test_an_autosave_keeps_the_time_and_the_page_goes_on_from_it(self, person: Person) -> None:
        self.shown_ago(person, 100)
        person.autosave({"sentences": ["0"], "revision": "0", "active_seconds": "42.5"})
        assert Draft.objects.get().active_seconds == 42.5
        assert 'data-so-far="42.5"' in person.get()

    def test_reading_again_without_a_change_takes_time_too(self, person: Person) -> None:
        self.shown_ago(person, 100)
        person.autosave({"sentences": ["0"], "revision": "0", "active_seconds": "10"})
        Draft.objects.update(saved_at=timezone.now() - timedelta(seconds=50))
        person.post({"sentences": ["0"], "revision": "1", "active_seconds": "30"})
        draft = Draft.objects.get()
        assert (draft.active_seconds, draft.revision) == (30, 1)

    def test_without_the_script_a_batch_is_timed_from_lease_to_submission_and_says_so(
        self, person: Person
    ) -> None:
        self.shown_ago(person, 100)
        person.post({"sentences": ["0"], "revision": "0", "active_seconds": ""})
        assert Draft.objects.get().active_seconds is None
        assert 'data-so-far=""' in person.get()
        answer_all(person.batch)
        Draft.objects.exclude(active_seconds=None).update(active_seconds=5)
        person.submit()
        (time,) = batch_times(person.batch.participation.study)
        assert not time.measured


@pytest.mark.django_db
def test_the_time_is_stored_with_the_answer() -> None:
    study: Study = make_study()
    batch = answer_all(lease(newcomer(study)))
    Draft.objects.update(active_seconds=17.5)
    submit(assignment=batch, now=timezone.now())
    assert set(Annotation.objects.values_list("active_seconds", flat=True)) == {17.5}
