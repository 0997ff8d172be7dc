"""How large a study has to be: units and raters for an interval of a given width."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement import Estimate, Pilot, pilot_from, pilot_with, units_needed
from annotation.models import Annotation, Rater, Round, Study
from estimates.catalogue import alpha_of
from estimates.data.database import load_table
from estimates.data.groups import ROUND, belonging
from estimates.data.parties import HUMANS
from estimates.data.ratings import Ratings, ratings_of
from estimates.report.cache import Report
from estimates.report.newest import newest_ratings
from results.reading.rows import RowIndex
from results.reading.steps import MOST_UNITS
from tasktypes.facets import Facet

RATERS = (2, 3, 4, 5)
# Simulated studies per figure: few, since a page waits for them. The width is then known to about a
# tenth of itself.
SIMULATIONS = 300
COUNTING = "the answers are being counted; try again in a minute"
# Stored answers of a round that does not count: reading more takes seconds.
MOST_READ = 20_000
TOO_MANY = (
    f"this round does not count and has more than {MOST_READ:,} answers: plan from the rounds that "
    "count, or without a pilot"
)


@dataclass(frozen=True)
class Size:
    """So many raters per unit, the units that they need, and how many answers that makes.

    units: a whole number, or why there is none.
    """

    raters: int
    units: Estimate

    @property
    def answers(self) -> int | None:
        """Answers to be paid for; None where no number of units is enough."""
        return None if self.units.value is None else int(self.units.value) * self.raters


def pilot_of(report: Report | None, facet: Facet, round_: Round | None = None) -> Pilot:
    """People's answers in a facet so far, as the pilot that studies are simulated from: the α of
    the report, and how often each answer was given.

    report: what was counted last, if anything was. round_: of that round alone. Answers of one
    that does not count are read at once.

    ValueError with the reason where their agreement is undefined, nobody has answered, such a round
    has too many answers to read, or the study was never counted.
    """
    if round_ is not None and not round_.counts:
        return _of_round(facet, round_)
    newest = None if report is None else newest_ratings(report.study, facet)
    if report is None or newest is None:
        raise ValueError(COUNTING)
    of_round = {} if round_ is None else {ROUND: round_.name}
    ratings = _peoples(newest.ratings, report.study)
    values = ratings.take(belonging(ratings, of_round)).values if of_round else ratings.values
    agreement = agreement_of(report, facet, **of_round)
    return pilot_with(agreement, values, distance=facet.distance)


def agreement_of(report: Report, facet: Facet, **group: str) -> Estimate:
    """People's α in the facet's own distance."""
    found = RowIndex(report.rows).of(facet.name).get(alpha_of(facet.distance), HUMANS, **group)
    return found or Estimate.missing("no human answers")


def _of_round(facet: Facet, round_: Round) -> Pilot:
    answers = Annotation.objects.filter(round=round_).order_by()[: MOST_READ + 1]
    if answers.count() > MOST_READ:
        raise ValueError(TOO_MANY)
    table = load_table(round_.study, facet=facet.name, round_=round_)
    ratings = _peoples(ratings_of(table, facet.name), round_.study)
    return pilot_from(ratings.place, ratings.rater, ratings.values, distance=facet.distance)


def _peoples(ratings: Ratings, study: Study) -> Ratings:
    people = study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True)
    return ratings.by(list(people)).once()


def sizes_for(
    pilot: Pilot,
    *,
    width: float,
    raters: Sequence[int] = RATERS,
    most: int = MOST_UNITS,
    simulations: int = SIMULATIONS,
) -> list[Size]:
    """For each number of raters the units that make an interval of alpha no wider than `width`.

    pilot: of a study (`pilot_of`), or written down from assumptions. Sources are what is
    independent: where units share them, read the units as sources. ValueError as `units_needed`.
    """
    return [
        Size(
            raters=number,
            units=units_needed(
                pilot, width=width, raters=number, most=most, simulations=simulations
            ),
        )
        for number in raters
    ]
