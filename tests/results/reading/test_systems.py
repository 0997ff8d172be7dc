"""What differs between systems? Rule by rule, and the words of each."""

from dataclasses import replace

import pytest

from agreement import Estimate
from estimates.data.rows import Row
from results.reading.systems import SystemsVerdict, systems_of, verdict_on
from results.summary.cards import system_card
from tasktypes.facets import Facet
from tests.results.reading.made import LABELS, SCALE, about, plain, row, rows_of

RANKS = Facet("best", "Best", "number", "ordinal", low=1, high=3, ranks=True)
APART, UNCLEAR = about(-1.0, -1.5, -0.5), about(-0.1, -0.5, 0.3)


def means(*systems: tuple[str, float], facet: Facet = SCALE, metric: str = "mean") -> list[Row]:
    return [
        row(
            metric,
            about(value, value - 0.2, value + 0.2, n_raters=3),
            facet=facet,
            system=name,
        )
        for name, value in systems
    ]


def pair(difference: Estimate | None, p: float, *two: str, facet: Facet = SCALE) -> list[Row]:
    group = dict(zip(("system", "other_system"), two, strict=True))
    rows = [] if difference is None else [row("mean_difference", difference, facet=facet, **group)]
    return [*rows, row("difference_p_holm", Estimate(value=p, n_units=50), facet=facet, **group)]


TWO = means(("Alder", 3.0), ("Birch", 4.0))


@pytest.mark.parametrize(
    ("rows", "facet", "expected"),
    [
        ([], Facet("f", "F", "label", "nominal", labels=("a", "b", "c")), SystemsVerdict.NO_METRIC),
        (means(("Alder", 3.0)), SCALE, SystemsVerdict.ONE_SYSTEM),
        ([row("mean", about(3, 2, 4), "gpt", facet=SCALE)], SCALE, SystemsVerdict.NO_PEOPLE),
        ([row("mean", about(3, 2, 4, n_raters=2), facet=SCALE)], SCALE, SystemsVerdict.NO_SYSTEM),
        (TWO, SCALE, SystemsVerdict.UNTESTED),
        ([*TWO, *pair(APART, 0.01, "Alder", "Birch")], SCALE, SystemsVerdict.ALL_DIFFER),
        # Neither the test nor the interval settles it alone.
        ([*TWO, *pair(APART, 0.06, "Alder", "Birch")], SCALE, SystemsVerdict.NOT_SHOWN),
        ([*TWO, *pair(UNCLEAR, 0.01, "Alder", "Birch")], SCALE, SystemsVerdict.NOT_SHOWN),
        (
            [*TWO, *pair(Estimate(value=-1.0), 0.01, "Alder", "Birch")],
            SCALE,
            SystemsVerdict.NOT_SHOWN,
        ),
    ],
)
def test_test_and_interval_decide_together(
    rows: list[Row], facet: Facet, expected: SystemsVerdict
) -> None:
    assert verdict_on(systems_of(rows_of(*rows, facet=facet))) is expected


def test_the_higher_system_comes_first_whatever_the_alphabet() -> None:
    card = system_card(rows_of(*TWO, *pair(APART, 0.0001, "Alder", "Birch"), facet=SCALE))
    assert plain(card.answer.sentence) == (
        "Birch is rated higher than Alder by 1.00 (0.50 to 1.50, n = 100, p < 0.001, these raters)."
    )


def test_what_is_not_shown_names_the_widest_pair_and_the_units_it_takes() -> None:
    rows = [*TWO, *pair(UNCLEAR, 0.4, "Alder", "Birch")]
    card = system_card(rows_of(*rows, facet=SCALE))
    assert plain(card.answer.sentence) == (
        "No evidence that systems differ. The largest difference: Birch is rated higher than Alder "
        "by 0.10 (−0.30 to 0.50, n = 100, p = 0.400, these raters)."
    )
    assert (
        card.answer.steps[0].text
        == "Plan about 1,600 units, enough if the difference stays the same."
    )


def test_some_pairs_differ_but_not_the_first_two() -> None:
    rows = means(("A", 4.0), ("B", 3.9), ("C", 2.0))
    rows += pair(about(0.1, -0.2, 0.4), 0.6, "A", "B")
    rows += pair(about(2.0, 1.5, 2.5), 0.001, "A", "C") + pair(
        about(1.9, 1.4, 2.4), 0.001, "B", "C"
    )
    card = system_card(rows_of(*rows, facet=SCALE))
    assert card.answer.verdict == SystemsVerdict.DIFFER
    assert plain(card.answer.sentence).startswith("A is rated higher than C by 2.00")
    assert plain(card.answer.sentence).endswith(
        "2 of 3 pairs differ. Whether A beats B is not settled."
    )


def test_an_order_by_other_sources_is_warned_of() -> None:
    """Plain means put Beta first, the sources that both share put Alpha first."""
    rows = [
        *means(("Alpha", 3.0), ("Beta", 4.0)),
        *pair(about(0.5, 0.2, 0.8), 0.01, "Alpha", "Beta"),
    ]
    card = system_card(rows_of(*rows, facet=SCALE))
    assert plain(card.answer.sentence).startswith("Alpha is rated higher than Beta by 0.50")
    assert plain(card.caveats[0]).startswith("Plain means put Beta before Alpha")


def test_ranks_differ_where_the_test_and_both_intervals_say_so() -> None:
    ranks = means(("A", 1.2), ("B", 2.4), facet=RANKS, metric="mean_rank")
    test = pair(None, 0.01, "A", "B", facet=RANKS)
    card = system_card(rows_of(*ranks, *test, facet=RANKS))
    assert plain(card.answer.sentence) == (
        "A is ranked better than B (1.20, 1.00 to 1.40 against 2.40, 2.20 to 2.60; n = 50, "
        "p = 0.010, these raters)."
    )
    near = means(("A", 1.2), ("B", 1.4), facet=RANKS, metric="mean_rank")
    assert verdict_on(systems_of(rows_of(*near, *test, facet=RANKS))) is SystemsVerdict.NOT_SHOWN


def test_yes_and_no_are_compared_by_the_first_label() -> None:
    rows = means(("A", 0.9), ("B", 0.3), facet=LABELS, metric="share")
    rows += pair(about(0.6, 0.5, 0.7), 0.001, "A", "B", facet=LABELS)
    assert "A gets “yes” more often than B by 0.60" in plain(
        system_card(rows_of(*rows)).answer.sentence
    )


def test_thirty_systems_are_cut_with_their_number() -> None:
    rows = means(*((f"s{at:02}", 1 + at / 10) for at in range(30)))
    card = system_card(rows_of(*rows, facet=SCALE))
    assert card.drawn.more == "24 more systems"
    assert card.drawn.figure is not None
    assert card.answer.verdict == SystemsVerdict.UNTESTED
    assert "Pairs of more than 20 systems are not tested." in card.caveats


def test_raters_drawn_from_others_are_told_from_these_raters() -> None:
    rows = [*TWO, *pair(APART, 0.01, "Alder", "Birch")]
    said = plain(system_card(rows_of(*rows, facet=SCALE)).answer.sentence)
    assert said.endswith("p = 0.010, these raters).")
    crossed = Estimate(value=0.01, interval_method="jackknife over 50 clusters and 3 raters, t")
    rows[-1] = replace(rows[-1], estimate=crossed)
    said = plain(system_card(rows_of(*rows, facet=SCALE)).answer.sentence)
    assert said.endswith("p = 0.010, raters like these).")


def test_a_difference_of_ranks_is_told_as_better() -> None:
    rows = means(("A", 1.2), ("B", 2.4), facet=RANKS, metric="mean_rank")
    rows += pair(about(-1.2, -1.5, -0.9), 0.01, "A", "B", facet=RANKS)
    text = plain(system_card(rows_of(*rows, facet=RANKS)).answer.sentence)
    assert (
        text
        == "A is ranked better than B by 1.20 (0.90 to 1.50, n = 100, p = 0.010, these raters)."
    )
