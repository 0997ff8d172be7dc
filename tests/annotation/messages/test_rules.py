"""What workers are told of known answers, before a batch."""

from typing import Any

import pytest

from annotation.messages.outlook import outlook, what_follows
from annotation.messages.rules import rules_in_words
from annotation.models import Study
from annotation.queries.batches import rounds_of
from tests.annotation.pilot_study import make_pilot_study
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def told(study: Study, position: int = 0) -> str:
    return " ".join(rules_in_words(study, rounds_of(study.pk)[position]))


def test_a_pilot_tells_what_is_known_and_what_a_pass_brings() -> None:
    assert told(make_pilot_study()) == (
        "We already know the right answers to 3 of the 5 texts in a batch. They show us whether "
        "the task was clear and done with care. You pass if all 3 are right. "
        "Then you get the bonus of 1.70 USD. After passing you can do up to 5 more batches, for "
        "2.70 USD each. If you do not pass, the study ends for you there, and you are paid "
        "1.00 USD."
    )


def test_a_main_round_tells_below_which_share_it_ends() -> None:
    assert told(make_pilot_study(), 1) == (
        "We already know the right answers to 2 of the 4 texts in a batch. They show us whether "
        "the task was clear and done with care. After 4 of these known texts we check: if fewer "
        "than 70% of your answers to them were right, you get no more batches. What you submitted "
        "is paid."
    )


@pytest.mark.parametrize(
    ("pilot", "words"),
    [
        ({"pass_accuracy": 0.66}, "You pass with at least 2 of 3 right."),
        # Going on is decided by all batches together, a bonus by each.
        ({"pass_accuracy": 0.66, "max_batches": 2}, "You pass with at least 4 of 6 right."),
        (
            {"pass_accuracy": 0.66, "max_batches": 2},
            "A batch gets the bonus of 1.70 USD with at least 2 of these 3 answers right.",
        ),
        ({"base_pay": 0}, "If you do not pass, the study ends for you there."),
    ],
)
def test_the_mark_is_told_as_a_number_of_answers(pilot: dict[str, Any], words: str) -> None:
    assert words in told(make_pilot_study(pilot=pilot))


def test_a_study_may_keep_its_controls_secret() -> None:
    study = make_pilot_study(tell_controls=False)
    assert told(study) == "We already know the right answers to some of the questions."
    follows = " ".join(what_follows(study, rounds_of(study.pk)[0]))
    assert "If you answer it carefully, you go straight on to the next round." in follows


def test_training_is_called_so_even_where_controls_are_secret() -> None:
    study = make_pilot_study(tell_controls=False, pilot={"shows_answers": True})
    assert told(study).startswith("This is training: after each question you are shown")


def test_where_nobody_is_graded_nothing_is_told() -> None:
    assert told(make_study()) == ""


def test_an_hour_is_told_for_certain_pay_and_with_the_bonus() -> None:
    study = make_pilot_study()
    pilot, main = rounds_of(study.pk)
    # 1.00 and 2.70 for 7 minutes and 2 on the way in; then 2.70 for 7.
    assert str(outlook(study, pilot).rate) == "6.67–18.00 USD"
    assert str(outlook(study, main, is_first=False).rate) == "23.14 USD"
    study.show_hourly_rate = False
    assert outlook(study, main).rate is None


@pytest.mark.parametrize("main", [{"base_pay": 0}, {"expected_minutes": None}])
def test_without_pay_or_known_time_there_is_no_rate(main: dict[str, Any]) -> None:
    study = make_pilot_study(main=main)
    assert outlook(study, rounds_of(study.pk)[1]).rate is None
