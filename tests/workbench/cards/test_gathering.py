"""A card holds what is known of a judge, and says which half each number is of."""

import pytest

from annotation.models import Rater, Study
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from judges.methods.asks import prompt_hash
from judges.models import Call
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.workbench.cards.conftest import cards_by_judge
from workbench.cards.card import Card, CardFigure, Half, Part, as_json, from_json
from workbench.cards.gathering import NoCard, cards_of, judge_named
from workbench.cards.writing import as_html, as_markdown, parts_of

pytestmark = pytest.mark.django_db


def figure(card: Card, name: str) -> CardFigure:
    return next(each for each in card.figures if each.name == name)


def test_a_card_has_the_reports_own_numbers_beside_peoples_and_the_price(looked: Study) -> None:
    card = cards_by_judge(looked)["marker@1"]
    rows = as_shown(report_of(looked)).rows
    (row,) = (
        row
        for row in rows
        if row.metric == "agreement_with_people" and row.raters == "humans~marker" and not row.group
    )
    own = figure(card, "agreement_with_people")
    assert (own.value, own.low, own.n) == (row.estimate.value, row.estimate.low, 12)
    assert (own.people, own.half) == (1.0, Half.DEVELOPMENT)
    paid = sum((call.cost or 0) for call in Call.objects.filter(run__study=looked).unsealed())
    assert paid > 0
    assert figure(card, "usd").value == pytest.approx(float(paid))
    assert figure(card, "usd_per_answer").value == pytest.approx(float(paid) / 12)
    assert figure(card, "labels_here").value == 48
    assert figure(card, "label_people").value == 2
    assert card.judge.model == "model-of-the-tests"
    assert card.judge.sha256 == prompt_hash(card.judge.prompt)


def test_both_halves_stand_in_a_card_with_the_number_of_looks(looked: Study) -> None:
    cards = cards_by_judge(looked)
    sealed = figure(cards["marker@1"], "closeness")
    (stored,) = looked.looks.get().figures
    assert (sealed.value, sealed.low, sealed.people) == (stored["value"], stored["low"], 1.0)
    assert (sealed.half, sealed.look) == (Half.SEALED, "look 1 of 3")
    assert sealed.stated == "the answers behind looks are not published"
    assert "1 of 3 looks at the sealed half used" in cards["marker@1"].caution
    assert all(f.part is not Part.SEALED for f in cards["theirs@1"].figures)
    assert "This version was not tested on the sealed half." in cards["theirs@1"].limits
    imported = "Its answers were imported: its prompt, settings and price are not known here."
    assert imported in cards["theirs@1"].limits


def test_all_forms_say_the_same_and_a_page_asks_for_nothing(looked: Study) -> None:
    card = cards_by_judge(looked)["marker@1"]
    assert from_json(as_json(card)) == card
    page, text = as_html(card), as_markdown(card)
    for line in (line for part in parts_of(card) for line in part.lines):
        assert f'<td class="number">{line.value}</td>' in page
        assert f"| {line.value} |" in text
    for sign in ("<script", "src=", "@import", "href=", "url("):
        assert sign not in page


def test_texts_of_a_study_become_no_markup(looked: Study) -> None:
    looked.title = "A <b>bold</b> | *study*"
    looked.save()
    card = cards_by_judge(looked)["marker@1"]
    assert "<b>bold" not in as_html(card)
    assert r"A \<b\>bold\</b\> \| \*study\*" in as_markdown(card)


def test_what_is_let_pass_is_the_rest_of_what_is_found() -> None:
    study = make_study("sets", sources=6)
    for name in ("ada", "bob"):
        rater = make_rater(study, name)
        for question in questions(study):
            choose(rater, question, 0)
    judge = make_rater(study, "lexical", "judge")
    for number, question in enumerate(questions(study)):
        choose(judge, question, *((0,) if number < 4 else (1,)))
    card = cards_by_judge(study)["lexical@1"]
    # Of the six sentences that people choose, two are left out.
    missed = figure(card, "fails")
    assert missed.title == "Leaves out, of what they choose"
    assert missed.value == pytest.approx(2 / 6)
    assert missed.n == 6
    assert figure(card, "agreement_with_people").half is Half.ALL


def test_a_judge_that_never_answered_has_no_card(looked: Study) -> None:
    silent = Rater.objects.create(study=looked, name="silent", kind="judge")
    assert cards_of(looked, as_shown(report_of(looked)), rater=silent) == []
    assert judge_named(looked, "marker").version == 1
    for name in ("nobody", "marker@7", f"marker@{'9' * 5000}", "@"):
        with pytest.raises(NoCard, match="has answered in loop"):
            judge_named(looked, name)
