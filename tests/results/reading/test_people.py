"""Do people agree? Rule by rule, and the words of each."""

from dataclasses import replace

import pytest

from agreement import Estimate
from estimates.catalogue import alpha_of
from results.reading.answer import Tone
from results.reading.people import Agreement, PeopleVerdict, agreement_of, badge_on, verdict_on
from results.reading.people_sentences import OF_TWO, answer_about_people, caveats_on, sentence
from results.summary.cards import people_card
from tasktypes.facets import Facet
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
        "These 3 people agree more than expected by chance, but too little to trust one person’s "
        "answer: α 0.50, 0.40 to 0.60, n = 1,400. Two of these people answer differently on 36 % "
        "of units."
    )


def test_choices_of_two_outputs_say_how_they_are_counted() -> None:
    facts = of(about(0.5, 0.4, 0.6))
    assert caveats_on(facts, PeopleVerdict.WEAK) == []
    assert caveats_on(replace(facts, of_two=True), PeopleVerdict.WEAK) == [OF_TWO]
    assert not caveats_on(replace(of(None), of_two=True), PeopleVerdict.UNDEFINED)
    assert agreement_of(rows_of(facet=Facet("better", "Better", "label", "nominal"))).of_two
    assert not agreement_of(rows_of()).of_two


def test_what_is_undefined_gets_its_reason_and_no_number() -> None:
    facts = of(Estimate.missing("no variation: all ratings are equal"), same=Estimate(value=1.0))
    text = plain(sentence(facts, verdict_on(facts)))
    assert text.startswith("Everybody gave the same answer to every unit")
    assert "0.00" not in text
    assert "α" not in text


def test_few_units_are_no_verdict_and_say_how_few() -> None:
    facts = of(about(0.9, 0.5, 1.0, n=11))
    assert sentence(facts, verdict_on(facts)).startswith("Too little data to say")
    assert "Only 11 units; at least 20 are needed." in caveats_on(facts, verdict_on(facts))


def test_a_rare_answer_is_named_where_nearly_all_are_alike() -> None:
    facts = of(about(0.1, -0.1, 0.4), same=Estimate(value=0.93))
    (said,) = [
        caveat for caveat in caveats_on(facts, verdict_on(facts)) if "one answer is rare" in caveat
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


def read(low: float, high: float, *others: float, why: str = "") -> Estimate:
    """An α with both readings; why there is none for others, where no bounds are given."""
    others_low, others_high = others or (None, None)
    return Estimate(
        value=(low + high) / 2,
        low=low,
        high=high,
        n_units=90,
        these_low=low,
        these_high=high,
        these_method="jackknife over 90 clusters",
        others_method=(why and f"none: {why}") or "jackknife over 90 clusters and 3 raters",
        others_low=others_low,
        others_high=others_high,
    )


@pytest.mark.parametrize(
    ("alpha", "people", "badge", "said"),
    [
        (read(0.8, 0.9, 0.8, 0.95), 3, "Well", "So do people like them: α 0.80 to 0.95."),
        (read(0.8, 0.9, 0.79, 0.95), 3, "Well, these 3", "Whether people like them do is not"),
        (read(0.7, 0.79, 0.667, 0.9), 3, "Fairly", "So do people like them"),
        (read(0.7, 0.79, 0.66, 0.9), 3, "Fairly, these 3", "Whether people like them do is not"),
        (read(0.1, 0.5, 0.01, 0.66), 3, "Weakly", "So do people like them"),
        # People like them may agree by chance alone, or better than these.
        (read(0.1, 0.5, -0.01, 0.6), 3, "Weakly, these 3", "Whether people like them do is not"),
        (read(0.1, 0.5, 0.01, 0.7), 3, "Weakly, these 3", "Whether people like them do is not"),
        (read(0.6, 0.7, 0.2, 0.9), 3, "Not settled", "For people like them α is 0.20 to 0.90."),
        (
            read(0.8, 0.9, why="not before all planned answers are in"),
            3,
            "Well, these 3",
            "would agree is not known before all planned answers are in.",
        ),
        (read(0.8, 0.9, why="two"), 2, "Well, these 2", "Two people cannot show how far others"),
    ],
)
def test_a_second_sentence_says_how_far_the_first_carries(
    alpha: Estimate, people: int, badge: str, said: str
) -> None:
    facts = of(alpha, people)
    verdict = verdict_on(facts)
    shown = badge_on(facts, verdict)
    assert shown.text == badge
    assert (shown.tone is Tone.GOOD) == (badge == "Well")
    assert said in plain(sentence(facts, verdict))


def test_these_people_are_judged_also_where_the_interval_is_for_others() -> None:
    alpha = Estimate(
        value=0.85,
        low=-0.2,
        high=0.99,
        n_units=90,
        interval_method="jackknife over 90 clusters and 3 raters",
        these_low=0.8,
        these_high=0.9,
        these_method="jackknife over 90 clusters",
        others_low=-0.2,
        others_high=0.99,
        others_method="jackknife over 90 clusters and 3 raters",
    )
    assert verdict_on(of(alpha)) is PeopleVerdict.GOOD
    assert "These 3 people agree well enough" in sentence(of(alpha), PeopleVerdict.GOOD)
