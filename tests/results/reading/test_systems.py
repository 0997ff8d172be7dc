"""What differs between systems? Rule by rule, and the words of each."""

from dataclasses import replace

import pytest

from agreement import Estimate
from estimates.data.rows import Row
from results.reading.systems import SystemsVerdict, systems_of, verdict_on
from results.summary.cards import system_card
from tasktypes.facets import Facet
from tests.results.reading.made import LABELS, SCALE, about, plain, row, rows_of

TEXTS = Facet("better", "Better", "label", "nominal")
RANKS = Facet("best", "Best", "number", "ordinal", low=1, high=3, ranks=True)
# A difference with its interval for these raters and, wider, for raters like them.
Bounds = tuple[float, float, float, float]
APART: Bounds = (-1.5, -0.5, -1.8, -0.2)
OPEN: Bounds = (-1.5, -0.5, -2.5, 0.5)
UNCLEAR: Bounds = (-1.4, 0.4, -2.5, 1.5)


def means(
    *systems: tuple[str, float], facet: Facet = SCALE, metric: str = "mean", people: int = 3
) -> list[Row]:
    return [
        row(
            metric,
            about(value, value - 0.2, value + 0.2, n_raters=people),
            facet=facet,
            system=name,
        )
        for name, value in systems
    ]


def pair(
    value: float, bounds: Bounds | None, p: tuple[float, float], *two: str, facet: Facet = SCALE
) -> list[Row]:
    """The difference, with p for these raters and for raters like them."""
    group = dict(zip(("system", "other_system"), two, strict=True))
    difference = Estimate(value=float(value), sd=4.0, sd_ddof=1, n_units=100)
    if bounds is not None:
        difference = replace(
            difference,
            these_low=bounds[0],
            these_high=bounds[1],
            these_method="paired t",
            others_low=bounds[2],
            others_high=bounds[3],
            others_method="pooled",
        )
    return [
        row("mean_difference", difference, facet=facet, **group),
        row("difference_p_these_holm", Estimate(value=p[0]), facet=facet, **group),
        row("difference_p_holm", Estimate(value=p[1]), facet=facet, **group),
    ]


def said(rows: list[Row], facet: Facet = SCALE) -> str:
    return plain(system_card(rows_of(*rows, facet=facet)).answer.sentence)


TWO = means(("Alder", 3.0), ("Birch", 4.0))


@pytest.mark.parametrize(
    ("rows", "facet", "expected"),
    [
        ([], Facet("f", "F", "label", "nominal", labels=("a", "b", "c")), SystemsVerdict.NO_METRIC),
        (means(("Alder", 3.0)), SCALE, SystemsVerdict.ONE_SYSTEM),
        ([row("mean", about(3, 2, 4), "gpt", facet=SCALE)], SCALE, SystemsVerdict.NO_PEOPLE),
        ([row("mean", about(3, 2, 4, n_raters=2), facet=SCALE)], SCALE, SystemsVerdict.NO_SYSTEM),
        (TWO, SCALE, SystemsVerdict.UNTESTED),
        (
            [*TWO, *pair(-1, APART, (0.01, 0.01), "Alder", "Birch")],
            SCALE,
            SystemsVerdict.ALL_DIFFER,
        ),
        ([*TWO, *pair(-1, OPEN, (0.01, 0.06), "Alder", "Birch")], SCALE, SystemsVerdict.THESE),
        # Neither the test nor the interval settles it alone, for these raters or for others.
        ([*TWO, *pair(-1, APART, (0.01, 0.05), "Alder", "Birch")], SCALE, SystemsVerdict.THESE),
        ([*TWO, *pair(-1, OPEN, (0.01, 0.01), "Alder", "Birch")], SCALE, SystemsVerdict.THESE),
        ([*TWO, *pair(-1, APART, (0.05, 0.01), "Alder", "Birch")], SCALE, SystemsVerdict.NOT_SHOWN),
        ([*TWO, *pair(-1, UNCLEAR, (0.01, 1), "Alder", "Birch")], SCALE, SystemsVerdict.NOT_SHOWN),
        ([*TWO, *pair(-1, None, (0.01, 0.01), "Alder", "Birch")], SCALE, SystemsVerdict.NOT_SHOWN),
    ],
)
def test_test_and_interval_decide_together(
    rows: list[Row], facet: Facet, expected: SystemsVerdict
) -> None:
    assert verdict_on(systems_of(rows_of(*rows, facet=facet))) is expected


@pytest.mark.parametrize(
    ("people", "badge"), [(1, "These raters"), (2, "These raters"), (3, "They differ")]
)
def test_one_or_two_people_never_speak_of_others(people: int, badge: str) -> None:
    rows = means(("Alder", 3.0), ("Birch", 4.0), people=people)
    rows += pair(-1, APART, (0.001, 0.001), "Alder", "Birch")
    card = system_card(rows_of(*rows, facet=SCALE))
    assert card.answer.badge.text == badge
    assert ("cannot show what others would find" in card.answer.sentence) == (people < 3)


def test_two_systems_are_read_twice() -> None:
    """The higher one comes first, whatever the alphabet."""
    assert said([*TWO, *pair(-1, APART, (0.0001, 0.04), "Alder", "Birch")]) == (
        "For these 3 people Birch is rated higher than Alder by 1.00 (0.50 to 1.50, n = 100, "
        "p < 0.001). This holds for raters like them (0.20 to 1.80, p = 0.040)."
    )
    assert said([*TWO, *pair(-1, OPEN, (0.0001, 0.2), "Alder", "Birch")]) == (
        "For these 3 people Birch is rated higher than Alder by 1.00 (0.50 to 1.50, n = 100, "
        "p < 0.001). 3 people are too few to say what others would find (−0.50 to 2.50, p = 0.200)."
    )
    many = means(("Alder", 3.0), ("Birch", 4.0), people=12)
    assert said([*many, *pair(-1, OPEN, (0.0001, 0.2), "Alder", "Birch")]).endswith(
        "Raters like them may see it otherwise (−0.50 to 2.50, p = 0.200)."
    )


def test_where_nobody_shares_an_output_it_says_so() -> None:
    reason = "no output was rated by two raters, so how far they differ is not known"
    rows = [*TWO, *pair(-1, APART, (0.001, 1.0), "Alder", "Birch")]
    rows[-1] = replace(rows[-1], estimate=Estimate.missing(reason))
    assert said(rows).endswith(f"What others would find is not known: {reason}.")


def three(carried: float = 0.2) -> list[Row]:
    """A and B far above C; carried: p of others for A and C."""
    wide: Bounds = (1.5, 2.5, 0.5, 3.5) if carried < 0.05 else (1.5, 2.5, -0.5, 4.5)
    return [
        *means(("A", 4.0), ("B", 3.9), ("C", 2.0)),
        *pair(0.1, (-0.2, 0.4, -1, 1.2), (0.6, 1.0), "A", "B"),
        *pair(2.0, wide, (0.001, carried), "A", "C"),
        *pair(1.9, (1.4, 2.4, -0.6, 4.4), (0.001, 0.2), "B", "C"),
    ]


def test_of_several_systems_the_first_and_the_last_are_named_then_how_far_it_carries() -> None:
    assert said(three()) == (
        "For these 3 people A is rated highest (4.00) and C lowest (2.00), 2.00 apart (1.50 to "
        "2.50, n = 100, p = 0.001); 2 of 3 pairs differ, but not the first two, A and B. 3 people "
        "are too few to say what others would find: no pair holds."
    )
    assert said(three(0.04)).endswith(
        "3 people are too few to say what others would find: 1 pair holds."
    )
    card = system_card(rows_of(*three(0.04), facet=SCALE))
    assert card.answer.verdict == SystemsVerdict.DIFFER


def test_the_headline_is_the_largest_difference_also_where_another_is_steadier() -> None:
    rows = means(("A", 4.0), ("B", 3.0), ("C", 2.0))
    rows += pair(1.0, (0.8, 1.2, 0.5, 1.5), (0.001, 0.01), "A", "B")
    rows += pair(2.0, (1.0, 3.0, -1, 5), (0.01, 0.3), "A", "C")
    rows += pair(1.0, (-0.5, 2.5, -2, 4), (0.2, 0.6), "B", "C")
    assert said(rows).startswith("For these 3 people A is rated highest (4.00) and C lowest (2.00)")


def test_where_plain_means_are_of_other_texts_the_sentence_says_which() -> None:
    rows = [*means(("A", 4.0), ("B", 3.9), ("C", 2.1)), *three()[3:]]
    assert "C lowest (2.10), 2.00 apart on the texts that both wrote (1.50 to 2.50" in said(rows)


def test_a_circle_is_named() -> None:
    rows = means(("R", 0.5), ("S", 0.52), ("T", 0.49), facet=TEXTS, metric="strength")
    for one, other, value in (("R", "S", 0.6), ("S", "T", 0.7), ("R", "T", -0.5)):
        low, high = sorted((0.6 * value, 1.4 * value))
        rows += pair(value, (low, high, -1, 1), (0.001, 0.2), one, other, facet=TEXTS)
    assert (
        "is that S is preferred more often than T by 0.70 (0.42 to 0.98, n = 100, p = 0.001); "
        "3 of 3 pairs differ, in a circle: R beats S, S beats T, T beats R."
    ) in said(rows, TEXTS)
    rows.append(row("strength_fit_p", Estimate(value=0.001), facet=TEXTS))
    caveats = system_card(rows_of(*rows, facet=TEXTS)).caveats
    assert "Strengths do not fit who beat whom: read the comparisons of two systems." in caveats


def test_what_is_not_shown_names_the_widest_pair_and_the_units_it_takes() -> None:
    rows = [*TWO, *pair(-0.5, UNCLEAR, (0.4, 1), "Alder", "Birch")]
    card = system_card(rows_of(*rows, facet=SCALE))
    assert plain(card.answer.sentence) == (
        "No evidence that systems differ. The largest difference: Birch is rated higher than Alder "
        "by 0.50 (−0.40 to 1.40, n = 100, p = 0.400, these raters)."
    )
    assert (
        card.answer.steps[0].text
        == "Plan about 510 sources, enough for these raters if the difference stays the same."
    )


def test_what_raters_leave_open_takes_more_people_and_what_sources_leave_open_more_units() -> None:
    rows = [*TWO, *pair(-1.25, OPEN, (0.01, 0.2), "Alder", "Birch")]
    for spread, words in ((0.9, "More units alone"), (0.23, "or plan about")):
        raters = row("raters_by_systems_sd", Estimate(value=spread, n_raters=3), facet=SCALE)
        card = system_card(rows_of(*rows, raters, facet=SCALE))
        assert words in card.answer.steps[0].text
    few = system_card(rows_of(*rows, facet=SCALE)).answer.steps[0].text
    assert few == "Have at least 3 people answer the same units."


def test_an_order_by_other_sources_is_warned_of() -> None:
    """Plain means put Beta first, the sources that both share put Alpha first."""
    rows = means(("Alpha", 3.0), ("Beta", 4.0))
    rows += pair(0.5, (0.2, 0.8, -1, 2), (0.01, 0.4), "Alpha", "Beta")
    card = system_card(rows_of(*rows, facet=SCALE))
    assert "Alpha is rated higher than Beta by 0.50" in plain(card.answer.sentence)
    assert plain(card.caveats[0]).startswith("Plain means put Beta before Alpha")


def test_yes_and_no_are_compared_by_the_first_label() -> None:
    rows = means(("A", 0.9), ("B", 0.3), facet=LABELS, metric="share")
    rows += pair(0.6, (0.5, 0.7, 0.4, 0.8), (0.001, 0.01), "A", "B", facet=LABELS)
    assert "A gets “yes” more often than B by 0.60" in said(rows, LABELS)


def test_a_difference_of_ranks_is_told_as_better() -> None:
    rows = means(("A", 1.2), ("B", 2.4), facet=RANKS, metric="mean_rank")
    rows += pair(-1.2, (-1.5, -0.9, -2, 0.4), (0.01, 0.2), "A", "B", facet=RANKS)
    assert "A is ranked better than B by 1.20 (0.90 to 1.50, n = 100, p = 0.010)" in said(
        rows, RANKS
    )


def test_thirty_systems_are_cut_with_their_number() -> None:
    rows = means(*((f"s{at:02}", 1 + at / 10) for at in range(30)))
    card = system_card(rows_of(*rows, facet=SCALE))
    assert card.drawn.more == "24 more systems"
    assert card.drawn.figure is not None
    assert card.answer.verdict == SystemsVerdict.UNTESTED
    assert "Pairs of more than 20 systems are not tested." in card.caveats
