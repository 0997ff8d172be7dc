"""What workers meet before their first batch, and the right answers of a training round."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    Annotation,
    Assignment,
    ComprehensionTry,
    Draft,
    LedgerRow,
    Participation,
    Place,
    Question,
    Round,
    Study,
    Unit,
)
from tests.annotation.views.training import CHECK, REASONS, become
from tests.annotation.workers import answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db

RIGHT, WRONG = ["0", "1"], ["1", "1"]


@pytest.fixture
def study() -> Study:
    """Four sources, of which the last became a worked example; two tips."""
    made = make_study(sources=4, tips=["Read the passage.", "Read it all."])
    become(made.units.latest("pk"), Unit.Role.EXAMPLE)
    return made


def come_in(client: Client, study: Study) -> Participation:
    worker = newcomer(study)
    client.get(reverse("annotation:return", args=[worker.token]))
    return worker


def at(name: str, *args: Any) -> str:
    return reverse(f"annotation:{name}", args=args)


def start(client: Client, study: Study) -> Any:
    return client.post(at("start", study.slug))


# --- Worked examples -------------------------------------------------------------------------


def test_the_first_start_leads_through_examples_and_tips_to_the_batch(
    client: Client, study: Study
) -> None:
    worker = come_in(client, study)
    assert start(client, study).url == at("example", study.slug, 1)
    page = client.get(at("example", study.slug, 1)).content.decode()
    assert "Example 1 of 1" in page
    assert REASONS not in page
    tried = client.post(at("example", study.slug, 1), {"sentences": ["0"]}).content.decode()
    assert REASONS in tried
    assert "Partly right: you found 1 of 2." in tried
    assert at("tips", study.slug) in tried
    assert "Read it all." in client.get(at("tips", study.slug)).content.decode()
    assert Assignment.objects.count() == 0
    met = client.post(at("tips", study.slug))
    batch = Assignment.objects.get()
    assert met.url == step_at(batch).url  # type: ignore[attr-defined]
    worker.refresh_from_db()
    assert worker.introduced_at is not None
    assert start(client, study).url == step_at(batch).url


def test_a_right_try_is_said_to_be_right(client: Client, study: Study) -> None:
    come_in(client, study)
    tried = client.post(at("example", study.slug, 1), {"sentences": ["0", "2"]})
    assert "Your answer is right." in tried.content.decode()


def marks_in(page: str) -> list[str]:
    return re.findall(r'class="mark mark--(\w+)"', page)


@pytest.mark.parametrize(
    ("tried", "verdict", "marks"),
    [
        ({"sentences": ["0", "2"]}, "Your answer is right.", ["right", "right"]),
        ({"sentences": ["0"]}, "Partly right: you found 1 of 2.", ["right", "missed"]),
        (
            {"sentences": ["0", "1", "2"]},
            "Partly right: you found 2 of 2. 1 of your choices is wrong.",
            ["right", "extra", "right"],
        ),
        ({"sentences": ["1"]}, "Your answer is not right.", ["missed", "extra", "missed"]),
        ({"none": "on"}, "Your answer is not right.", ["missed", "missed", "extra"]),
    ],
)
def test_every_sentence_of_a_try_is_marked_in_the_same_view_as_the_try(
    client: Client, study: Study, tried: dict[str, Any], verdict: str, marks: list[str]
) -> None:
    come_in(client, study)
    page = client.post(at("example", study.slug, 1), tried).content.decode()
    assert verdict in page
    assert marks_in(page) == marks
    assert page.count('<fieldset class="question__answer compared" disabled>') == 1
    ticked = re.findall(r'<input[^>]*id="own-sentence-(\w+)"[^>]* checked', page)
    assert ticked == tried.get("sentences", ["none"])


def test_a_reason_stands_beside_the_part_that_it_is_about(client: Client, study: Study) -> None:
    study.units.filter(role=Unit.Role.EXAMPLE).update(
        part_reasons={"recovery.1": "It says nothing of that.", "utility": "It is clear."}
    )
    come_in(client, study)
    page = client.post(at("example", study.slug, 1), {"sentences": ["0"]}).content.decode()
    assert marks_in(page) == ["right", "open", "missed"]
    beside = page[page.index("mark--open") : page.index("mark--missed")]
    assert "It says nothing of that." in beside
    assert "It is clear." not in page
    client.post(at("tips", study.slug))
    looked_up = client.get(at("example", study.slug, 1)).content.decode()
    assert marks_in(looked_up) == ["open"]


def test_a_slider_is_practised_and_says_how_far_off(client: Client, study: Study) -> None:
    slider = Question.objects.filter(unit__role=Unit.Role.EXAMPLE).latest("block__position")
    Question.objects.filter(pk=slider.pk).update(reference={"value": 40})
    come_in(client, study)
    assert "Example 2 of 2" in client.get(at("example", study.slug, 2)).content.decode()
    page = client.post(at("example", study.slug, 2), {"value": "90"}).content.decode()
    assert marks_in(page) == ["wrong"]
    assert "about 40 (30 to 50 counts as right)" in page
    assert "Your answer: 90, which is 50 too high." in page
    near = client.post(at("example", study.slug, 2), {"value": "45"}).content.decode()
    assert "Your answer is right." in near


def test_a_try_without_an_answer_shows_no_right_answer(client: Client, study: Study) -> None:
    come_in(client, study)
    refused = client.post(at("example", study.slug, 1), {})
    assert refused.status_code == 422
    assert REASONS not in refused.content.decode()


def test_a_try_is_never_stored(client: Client, study: Study) -> None:
    come_in(client, study)
    client.post(at("example", study.slug, 1), {"sentences": ["0"]})
    assert Annotation.objects.count() == 0
    assert Draft.objects.count() == 0


def test_who_has_met_the_examples_looks_them_up_from_the_lobby(
    client: Client, study: Study
) -> None:
    come_in(client, study)
    client.post(at("tips", study.slug))
    assert at("example", study.slug, 1) in client.get(at("lobby", study.slug)).content.decode()
    page = client.get(at("example", study.slug, 1)).content.decode()
    assert REASONS in page
    assert "<form" not in page
    assert "<form" not in client.get(at("tips", study.slug)).content.decode()


def test_a_question_without_a_right_answer_is_no_example(client: Client, study: Study) -> None:
    come_in(client, study)
    Question.objects.filter(unit__role=Unit.Role.EXAMPLE).update(reference=None)
    assert client.get(at("example", study.slug, 1)).status_code == 404
    assert start(client, study).url == at("tips", study.slug)


def test_examples_come_after_the_consent(client: Client, study: Study) -> None:
    come_in(client, study)
    Study.objects.update(consent_version="2")
    for page in [at("example", study.slug, 1), at("tips", study.slug)]:
        assert client.get(page).url == at("consent", study.slug)  # type: ignore[attr-defined]


def test_who_has_a_batch_is_not_sent_back_to_examples(client: Client, study: Study) -> None:
    batch = lease(come_in(client, study))
    assert start(client, study).url == step_at(batch).url


@pytest.mark.parametrize("page", [("example", 1), ("tips",), ("comprehension",)])
def test_nobody_from_outside_sees_what_workers_learn_from(
    client: Client, study: Study, page: tuple[Any, ...]
) -> None:
    other = make_study("other")
    come_in(client, other)
    name, *rest = page
    assert client.get(at(name, study.slug, *rest)).status_code == 404
    assert Client().get(at(name, study.slug, *rest)).status_code == 403


# --- The check of the instructions -----------------------------------------------------------


@pytest.fixture
def checked() -> Study:
    return make_study(comprehension=CHECK, screenout_pay="0.40")


def answers(number: int, choices: list[str]) -> dict[str, str]:
    given = {f"question-{position}": choice for position, choice in enumerate(choices)}
    return {"number": str(number), **given}


def send(client: Client, study: Study, number: int, choices: list[str]) -> Any:
    return client.post(at("comprehension", study.slug), answers(number, choices))


def test_who_understood_goes_on_to_the_first_batch(client: Client, checked: Study) -> None:
    come_in(client, checked)
    assert start(client, checked).url == at("comprehension", checked.slug)
    passed = send(client, checked, 1, RIGHT)
    assert passed.url == step_at(Assignment.objects.get()).url
    assert ComprehensionTry.objects.get().passed
    assert LedgerRow.objects.count() == 0


def test_after_a_failed_try_the_right_answers_are_explained(client: Client, checked: Study) -> None:
    come_in(client, checked)
    assert "The passage may be needed twice." not in _check_page(client, checked)
    send(client, checked, 1, WRONG)
    page = _check_page(client, checked)
    assert "The passage may be needed twice." in page
    assert "You chose: <bdi>The longest one</bdi>" in page
    assert "You have 1 try left." in page
    assert send(client, checked, 2, RIGHT).url == step_at(Assignment.objects.get()).url
    kept = list(ComprehensionTry.objects.values_list("number", "passed"))
    assert kept == [(1, False), (2, True)]


def _check_page(client: Client, study: Study) -> str:
    return client.get(at("comprehension", study.slug)).content.decode()


def test_failing_every_try_is_a_paid_screen_out(client: Client, checked: Study) -> None:
    worker = come_in(client, checked)
    send(client, checked, 1, WRONG)
    failed = send(client, checked, 2, WRONG)
    assert failed.url == at("end", checked.slug)
    worker.refresh_from_db()
    assert worker.state == Participation.State.SCREENED_OUT
    assert [str(row.amount) for row in worker.ledger.all()] == ["0.40"]
    assert worker.ledger.get().assignment is None
    assert worker.state_changes.get(after="screened_out").reason == "comprehension check failed"


def test_posts_after_the_end_change_nothing(client: Client, checked: Study) -> None:
    worker = come_in(client, checked)
    for number in (1, 2):
        send(client, checked, number, WRONG)
    for number in (1, 2, 3):
        assert send(client, checked, number, RIGHT).url == at("end", checked.slug)
    start(client, checked)
    worker.refresh_from_db()
    assert worker.state == Participation.State.SCREENED_OUT
    assert (worker.ledger.count(), Assignment.objects.count()) == (1, 0)
    assert ComprehensionTry.objects.count() == 2


def test_a_page_sent_twice_is_one_try(client: Client, checked: Study) -> None:
    come_in(client, checked)
    for _ in range(2):
        assert send(client, checked, 1, WRONG).url == at("comprehension", checked.slug)
    assert ComprehensionTry.objects.count() == 1


@pytest.mark.parametrize("number", [0, 2, 99])
def test_a_try_cannot_be_forged(client: Client, checked: Study, number: int) -> None:
    come_in(client, checked)
    send(client, checked, number, RIGHT)
    assert ComprehensionTry.objects.count() == 0


@pytest.mark.parametrize("choices", [[], ["0"], ["0", "7"], ["0", "x"]])
def test_an_unfinished_check_counts_as_no_try(
    client: Client, checked: Study, choices: list[str]
) -> None:
    come_in(client, checked)
    assert send(client, checked, 1, choices).status_code == 422
    assert ComprehensionTry.objects.count() == 0


def test_who_passed_is_not_asked_again(client: Client, checked: Study) -> None:
    come_in(client, checked)
    send(client, checked, 1, RIGHT)
    assert send(client, checked, 2, WRONG).url == step_at(Assignment.objects.get()).url
    assert ComprehensionTry.objects.count() == 1


def test_the_check_says_what_is_paid_and_shows_its_options_in_any_order(
    client: Client, checked: Study
) -> None:
    orders = set()
    for _person in range(8):
        come_in(client, checked)
        page = _check_page(client, checked)
        assert "the study ends here and you are paid 0.40 USD" in page
        orders.add(page.index("The longest one") > page.index("Every one that"))
    assert orders == {True, False}


def test_an_unpaid_screen_out_leaves_no_empty_row(client: Client) -> None:
    study = make_study(comprehension=CHECK, comprehension_tries=1)
    worker = come_in(client, study)
    send(client, study, 1, WRONG)
    assert worker.ledger.count() == 0


# --- A training round ------------------------------------------------------------------------


@pytest.fixture
def batch(client: Client) -> Assignment:
    """An open batch of a round that shows its answers."""
    study = make_study(sources=2)
    Round.objects.update(shows_answers=True)
    study.units.update(role=Unit.Role.TRAINING, reasons=REASONS)
    Place.objects.update(role=Unit.Role.TRAINING, wanted=None)
    return lease(come_in(client, study))


def asked(name: str, batch: Assignment, position: int = 1, part: int = 1) -> str:
    return at(name, batch.public_id, position, part)


SAVED = {"sentences": ["0"], "revision": "0", "go": "next"}


def test_an_answer_leads_to_the_right_one_before_the_next_question(
    client: Client, batch: Assignment
) -> None:
    answer_page = client.get(asked("question", batch)).content.decode()
    assert "The next page shows the right answer." in answer_page
    saved = client.post(asked("question", batch), SAVED)
    assert saved.url == asked("feedback", batch)  # type: ignore[attr-defined]
    page = client.get(asked("feedback", batch)).content.decode()
    assert REASONS in page
    assert "Partly right: you found 1 of 2." in page
    assert asked("question", batch, 1, 2) in page


def test_an_answer_whose_right_answer_was_shown_is_frozen(
    client: Client, batch: Assignment
) -> None:
    client.post(asked("question", batch), SAVED)
    client.get(asked("feedback", batch))
    again = client.post(asked("question", batch), SAVED | {"sentences": ["2"], "revision": "1"})
    assert again.status_code == 409
    draft = Draft.objects.get()
    assert draft.posted == {"sentences": ["0"]}
    assert draft.frozen_at is not None


def test_without_an_answer_there_is_no_right_one_to_see(client: Client, batch: Assignment) -> None:
    assert client.get(asked("feedback", batch)).url == step_at(batch).url  # type: ignore[attr-defined]
    client.post(asked("draft", batch), {"sentences": ["0"], "none": "on", "revision": "0"})
    assert client.get(asked("feedback", batch)).url == step_at(batch).url  # type: ignore[attr-defined]
    assert Draft.objects.get().frozen_at is None


def test_a_question_without_a_right_answer_leads_straight_on(
    client: Client, batch: Assignment
) -> None:
    answer_step(step_at(batch))
    client.get(asked("question", batch, 1, 2))
    saved = client.post(asked("question", batch, 1, 2), {"value": "40", "revision": "0"})
    assert saved.url == asked("question", batch, 2, 1)  # type: ignore[attr-defined]
    assert client.get(asked("feedback", batch, 1, 2)).status_code == 404


def test_other_rounds_show_no_right_answer(client: Client, batch: Assignment) -> None:
    Round.objects.update(shows_answers=False)
    answer_step(step_at(batch))
    assert client.get(asked("feedback", batch)).status_code == 404
    assert Draft.objects.get().frozen_at is None


def test_nobody_else_sees_the_right_answer(client: Client, batch: Assignment) -> None:
    answer_step(step_at(batch))
    come_in(client, batch.round.study)
    assert client.get(asked("feedback", batch)).status_code == 404
    assert Draft.objects.get().frozen_at is None
