"""Do people agree? Rule by rule, and the words of each."""

import pytest

from agreement import Estimate
from estimates.catalogue import alpha_of
from results.reading.people import (
    Agreement,
    PeopleVerdict,
    _caveats,
    answer_about_people,
    sentence,
    verdict_on,
)
from results.summary.cards import people_card
from tests.results.reading.made import about, plain, row, rows_of

ALPHA = alpha_of("nominal")


def of(alpha: Estimate | None, people: int = 3, *, same: Estimate | None = None) -> Agreement:
    return Agreement(alpha=alpha, people=people, same=same)


@pytest.mark.parametrize(
    ("alpha", "people", "expected"),
    [
        (Estimate.missing("no human answers"), 0, PeopleVerdict.NOBODY),
        (Estimate.missing("one rater only"), 1, PeopleVerdict.ONE_PERSON),
        (None, 2, PeopleVerdict.UNDEFINED),
        (Estimate.missing("no variation"), 3, PeopleVerdict.UNDEFINED),
        (Estimate(value=0.9, n_units=100), 3, PeopleVerdict.TOO_FEW),
        (about(0.9, 0.85, 0.95, n=19), 3, PeopleVerdict.TOO_FEW),
        (about(0.9, 0.85, 0.95, n=20), 3, PeopleVerdict.GOOD),
        (about(0.3, -0.01, 0.6), 3, PeopleVerdict.CHANCE),
        (about(0.3, 0.01, 0.6), 3, PeopleVerdict.WEAK),
        (about(0.6, 0.5, 0.7), 3, PeopleVerdict.UNSETTLED),
        (about(0.75, 0.7, 0.79), 3, PeopleVerdict.ENOUGH),
        # Above .8 by its value alone: the lower bound is what counts.
        (about(0.85, 0.79, 0.9), 3, PeopleVerdict.ENOUGH),
        (about(0.85, 0.8, 0.9), 3, PeopleVerdict.GOOD),
    ],
)
def test_both_bounds_and_the_counts_decide(
    alpha: Estimate | None, people: int, expected: PeopleVerdict
) -> None:
    assert verdict_on(of(alpha, people)) is expected


def test_a_sentence_has_number_interval_n_and_harm() -> None:
    facts = of(about(0.5, 0.4, 0.6, n=1400), same=Estimate(value=0.64))
    assert plain(sentence(facts, verdict_on(facts))) == (
        "Agreement is above chance, but too low to trust one person’s answer: α 0.50, 0.40 to "
        "0.60, n = 1,400, these 3 people. Two people answer differently on 36 % of units."
    )


def test_what_is_undefined_gets_its_reason_and_no_number() -> None:
    facts = of(Estimate.missing("no variation: all ratings are equal"), same=Estimate(value=1.0))
    text = plain(sentence(facts, verdict_on(facts)))
    assert text.startswith("Agreement is undefined: no variation: all ratings are equal.")
    assert "0.00" not in text
    assert "α" not in text


def test_few_units_are_no_verdict_and_say_how_few() -> None:
    facts = of(about(0.9, 0.5, 1.0, n=11))
    assert sentence(facts, verdict_on(facts)).startswith("Too little data to say")
    assert "Only 11 units; at least 20 are needed." in _caveats(facts, verdict_on(facts))


def test_a_rare_answer_is_named_where_nearly_all_are_alike() -> None:
    facts = of(about(0.1, -0.1, 0.4), same=Estimate(value=0.93))
    (said,) = [
        caveat for caveat in _caveats(facts, verdict_on(facts)) if "one answer is rare" in caveat
    ]
    assert plain(said).startswith("93 % of answers are the same")


def test_two_people_with_all_answers_alike_are_named_before_anybody_is_retrained() -> None:
    alike = Estimate(value=1.0, n_units=1400)
    answer = answer_about_people(
        rows_of(
            row(ALPHA, about(0.5, 0.4, 0.6, n=1400, n_raters=3)),
            row("raw_agreement", alike, "a2~a3"),
            row("raw_agreement", Estimate(value=1.0, n_units=5), "a1~a2"),
            row("agreement_with_others", Estimate(value=0.1, n_units=1400), "a1"),
        )
    )
    assert plain(answer.caveats[0]).startswith("a2 and a3 gave the same answer to all 1,400 units")
    assert not any("Talk to" in step.text for step in answer.steps)


def test_nobody_is_named_whose_agreement_chance_may_explain() -> None:
    rows = [row(ALPHA, about(0.5, 0.4, 0.6, n_raters=3))]
    singles = [("ada", 0.45, 90), ("bob", 0.1, 9), ("cyd", 0.3, 10)]
    of_singles = [
        row("agreement_with_others", Estimate(value=value, n_units=n), name)
        for name, value, n in singles
    ]
    texts = [plain(step.text) for step in answer_about_people(rows_of(*rows, *of_singles)).steps]
    assert "Talk to cyd first: lowest agreement with the others (0.30)." in texts
    texts = [
        plain(step.text) for step in answer_about_people(rows_of(*rows, *of_singles[:2])).steps
    ]
    assert "Make the instructions clearer where answers differ." in texts


def test_four_hundred_people_are_cut_with_their_number() -> None:
    rows = [row(ALPHA, about(0.5, 0.4, 0.6, n_raters=400))]
    rows += [
        row("agreement_with_others", Estimate(value=at / 400, n_units=50), f"w{at}")
        for at in range(400)
    ]
    card = people_card(rows_of(*rows))
    assert card.drawn.figure is not None
    assert card.drawn.more == "395 more people"


def test_an_interval_that_speaks_of_other_people_calls_for_more_of_them() -> None:
    drawn = Estimate(
        value=0.5, low=-1.0, high=1.0, n_units=90, interval_method="90 clusters and 3 raters"
    )
    facts = of(drawn)
    assert verdict_on(facts) is PeopleVerdict.FEW_PEOPLE
    assert plain(sentence(facts, verdict_on(facts))) == (
        "Too few people to say whether others like them agree more than expected by chance (α "
        "0.50, −1.00 to 1.00, n = 90, 3 people and others like them)."
    )
