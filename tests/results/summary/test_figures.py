"""The figures of the cards show what their sentences say first, and nothing twice."""

from dataclasses import replace

from agreement import Estimate
from results.figures.plots import Ranges
from results.summary.cards import people_card, system_card
from tests.results.reading.made import SCALE, about, row, rows_of

ALPHA = "krippendorff_alpha_ordinal"


def figure(card: object) -> Ranges:
    drawn = card.drawn.figure  # type: ignore[attr-defined]
    assert isinstance(drawn, Ranges)
    return drawn


def test_one_system_is_no_line_beside_all_people() -> None:
    alpha = about(0.5, 0.4, 0.6)
    one = row(ALPHA, alpha, facet=SCALE, system="0")
    both = [row(ALPHA, alpha, facet=SCALE), one]
    assert [line.name for line in figure(people_card(rows_of(*both, facet=SCALE))).lines] == [
        "All people"
    ]
    other = row(ALPHA, about(0.3, 0.2, 0.4), facet=SCALE, system="Birch")
    lines = figure(people_card(rows_of(*both, other, facet=SCALE))).lines
    assert [line.name for line in lines] == ["All people", "Birch", "0"]


def test_means_of_systems_have_the_intervals_of_these_raters() -> None:
    """Three raters hardly say what others would: 1 to 5."""
    mean = replace(
        Estimate(value=4.4, low=1.0, high=5.0, n_units=100, n_raters=3),
        interval_method="jackknife over 100 clusters and 3 raters",
        these_low=4.3, these_high=4.5, these_method="jackknife over 100 clusters",
        others_low=1.0, others_high=5.0, others_method="jackknife over 100 clusters and 3 raters",
    )  # fmt: skip
    rows = [row("mean", mean, facet=SCALE, system=name) for name in ("Alder", "Birch")]
    rows = [replace(each, aggregation="per_item") for each in rows]
    card = system_card(rows_of(*rows, facet=SCALE))
    assert [(of.estimate.low, of.estimate.high) for of in figure(card).lines if of.estimate] == [
        (4.3, 4.5)
    ] * 2
    assert card.drawn.reading == "Intervals: these raters, other sources."
