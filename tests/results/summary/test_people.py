"""Do people agree? Rule by rule, and the words of each."""

import pytest

from agreement import Estimate
from estimates.catalogue import alpha_of
from results.summary.people import Agreement, Standing, standing
from results.summary.people_card import limits, people_card, sentence
from tests.results.summary.made import about, plain, row, rows_of

ALPHA = alpha_of("nominal")


def of(alpha: Estimate | None, people: int = 3, *, same: Estimate | None = None) -> Agreement:
    return Agreement(alpha=alpha, people=people, same=same)


@pytest.mark.parametrize(
    ("alpha", "people", "expected"),
    [
        (Estimate.missing("no human answers"), 0, Standing.NOBODY),
        (Estimate.missing("one rater only"), 1, Standing.ONE_PERSON),
        (None, 2, Standing.UNDEFINED),
        (Estimate.missing("no variation"), 3, Standing.UNDEFINED),
        (Estimate(value=0.9, n_units=100), 3, Standing.TOO_FEW),
        (about(0.9, 0.85, 0.95, n=19), 3, Standing.TOO_FEW),
        (about(0.9, 0.85, 0.95, n=20), 3, Standing.GOOD),
        (about(0.3, -0.01, 0.6), 3, Standing.CHANCE),
        (about(0.3, 0.01, 0.6), 3, Standing.WEAK),
        (about(0.6, 0.5, 0.7), 3, Standing.UNSETTLED),
        (about(0.75, 0.7, 0.79), 3, Standing.ENOUGH),
        # Above .8 by its value alone: the lower bound is what counts.
        (about(0.85, 0.79, 0.9), 3, Standing.ENOUGH),
        (about(0.85, 0.8, 0.9), 3, Standing.GOOD),
    ],
)
def test_both_bounds_and_the_counts_decide(
    alpha: Estimate | None, people: int, expected: Standing
) -> None:
    assert standing(of(alpha, people)) is expected


def test_a_sentence_has_number_interval_n_and_harm() -> None:
    facts = of(about(0.5, 0.4, 0.6, n=1400), same=Estimate(value=0.64))
    assert plain(sentence(facts, standing(facts))) == (
        "People agree more than chance would have them, but too little to rely on single answers: "
        "α 0.50, 0.40 to 0.60, n = 1,400, 3 people. Two people answer differently on 36 % of units."
    )


def test_what_is_undefined_gets_its_reason_and_no_number() -> None:
    facts = of(Estimate.missing("no variation: all ratings are equal"), same=Estimate(value=1.0))
    text = plain(sentence(facts, standing(facts)))
    assert text.startswith("Agreement is undefined: no variation: all ratings are equal.")
    assert "0.00" not in text
    assert "α" not in text


def test_few_units_are_no_verdict_and_say_how_few() -> None:
    facts = of(about(0.9, 0.5, 1.0, n=11))
    assert sentence(facts, standing(facts)).startswith("Not shown whether people agree: too few")
    assert "Only 11 units; 20 are the least." in limits(facts, standing(facts))


def test_a_rare_answer_is_named_where_nearly_all_are_alike() -> None:
    facts = of(about(0.1, -0.1, 0.4), same=Estimate(value=0.93))
    (said,) = [limit for limit in limits(facts, standing(facts)) if "one answer is rare" in limit]
    assert plain(said).startswith("93 % of answers are alike")


def test_two_people_with_all_answers_alike_are_named_before_anybody_is_retrained() -> None:
    alike = Estimate(value=1.0, n_units=1400)
    card = people_card(
        rows_of(
            row(ALPHA, about(0.5, 0.4, 0.6, n=1400, n_raters=3)),
            row("raw_agreement", alike, "a2~a3"),
            row("raw_agreement", Estimate(value=1.0, n_units=5), "a1~a2"),
            row("agreement_with_others", Estimate(value=0.1, n_units=1400), "a1"),
        )
    )
    assert plain(card.limits[0]).startswith("a2 and a3 gave the same answer to all 1,400 units")
    assert not any("Retrain" in step.text for step in card.steps)


def test_nobody_is_named_whose_agreement_chance_may_explain() -> None:
    rows = [row(ALPHA, about(0.5, 0.4, 0.6, n_raters=3))]
    singles = [("ada", 0.45, 90), ("bob", 0.1, 9), ("cyd", 0.3, 10)]
    of_singles = [
        row("agreement_with_others", Estimate(value=value, n_units=n), name)
        for name, value, n in singles
    ]
    texts = [plain(step.text) for step in people_card(rows_of(*rows, *of_singles)).steps]
    assert "Retrain, first who agrees least with the others: cyd (0.30)." in texts
    texts = [plain(step.text) for step in people_card(rows_of(*rows, *of_singles[:2])).steps]
    assert "Retrain: make the instructions clearer where answers differ." in texts


def test_four_hundred_people_are_cut_with_their_number() -> None:
    rows = [row(ALPHA, about(0.5, 0.4, 0.6, n_raters=400))]
    rows += [
        row("agreement_with_others", Estimate(value=at / 400, n_units=50), f"w{at}")
        for at in range(400)
    ]
    card = people_card(rows_of(*rows))
    assert card.figure is not None
    assert card.more == "395 more people"


def test_an_interval_that_speaks_of_other_people_calls_for_more_of_them() -> None:
    drawn = Estimate(
        value=0.5, low=-1.0, high=1.0, n_units=90, interval_method="90 clusters and 3 raters"
    )
    facts = of(drawn)
    assert standing(facts) is Standing.FEW_PEOPLE
    assert plain(sentence(facts, standing(facts))) == (
        "Not shown that people other than these agree more than chance would have them: too few "
        "people to tell (α 0.50, −1.00 to 1.00, n = 90, 3 people)."
    )
