"""The minutes between arrival and first question: as measured, or as there are words to read."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Participation, Study, Unit
from annotation.rounds.way_in import ENOUGH, count_words, minutes_before
from tests.annotation.views.training import become
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Two words.", 2),
        ("don't, 3.5 – and 12%", 4),
        ("这是测试。好", 5),
        (["one", {"key": "two three", "n": 4}], 3),
    ],
)
def test_words_are_what_somebody_reads_at_once(text: object, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.django_db
def test_until_enough_people_have_come_all_words_count() -> None:
    # 300 words of our own on three pages and 15 of the study; 240 are read in a minute.
    study = make_study(positive=1)
    assert minutes_before(study) == 2
    study.instructions = "word " * 480
    assert minutes_before(study) == 4
    study.comprehension = [{"question": "word " * 240, "options": ["a", "b"], "right": "a"}]
    assert minutes_before(study) == 5
    example = become(study.units.latest("pk"), Unit.Role.EXAMPLE)
    example.questions.update(payload={"claim": "word " * 500})
    assert minutes_before(study) == 8  # 600 words more


@pytest.mark.django_db
def test_the_median_of_ten_people_counts_who_have_begun() -> None:
    study = make_study(sources=2, per_batch=1, overlap=20)
    for minutes in range(1, ENOUGH):
        _came(study, minutes=minutes)
    newcomer(study)  # who has not begun
    assert minutes_before(study) == 2
    _came(study, minutes=600)  # who came back the next day
    assert minutes_before(study) == 6  # the median of 1 to 9 and 600: 5.5


def _came(study: Study, *, minutes: int) -> None:
    person = newcomer(study)
    now = timezone.now()
    Participation.objects.filter(pk=person.pk).update(arrived_at=now - timedelta(minutes=minutes))
    lease(person, now=now)
