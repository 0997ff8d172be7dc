"""How large a study has to be: units and raters for an interval of a given width."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement import Estimate, Pilot, pilot_from, units_needed
from agreement.systems.power import PlannedStatistic
from annotation.models import Rater, Round, Study
from estimates.data.database import load_table
from estimates.data.ratings import ratings_of
from estimates.report.newest import newest_ratings
from tasktypes.facets import Facet

RATERS = (2, 3, 4, 5)
# Simulated studies per figure: the width is known to about 5 % of itself, the units to 10 %.
SIMULATIONS = 1000
COUNTING = "the answers are being counted; try again in a minute"


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


def pilot_of(study: Study, facet: Facet, round_: Round | None = None) -> Pilot:
    """People's answers in a facet so far, as the pilot that studies are simulated from.

    round_: in that round alone, whether it counts or not. Without it, the answers as they were
    counted last, which a large study has at hand.

    ValueError with the reason where their agreement is undefined, nobody has answered, or a large
    study was never counted.
    """
    if round_ is not None:
        ratings = ratings_of(load_table(study, facet=facet.name, round_=round_), facet.name)
    elif newest := newest_ratings(study, facet):
        ratings = newest.ratings
    else:
        raise ValueError(COUNTING)
    people = study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True)
    ratings = ratings.by(list(people)).once()
    return pilot_from(ratings.place, ratings.rater, ratings.values, distance=facet.distance)


def sizes_for(
    pilot: Pilot,
    *,
    width: float,
    statistic: PlannedStatistic = "alpha",
    raters: Sequence[int] = RATERS,
    most: int = 100_000,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    confidence: float = 0.95,
) -> list[Size]:
    """For each number of raters the units that make an interval no wider than `width`.

    pilot: of a study (`pilot_of`), or written down from assumptions. statistic: alpha at the
    pilot's distance, or the mean of numbers. Sources are what is independent: where units share
    them, read the units as sources. ValueError as `units_needed`.
    """
    return [
        Size(
            raters=number,
            units=units_needed(
                pilot,
                width=width,
                raters=number,
                statistic=statistic,
                most=most,
                simulations=simulations,
                seed=seed,
                confidence=confidence,
            ),
        )
        for number in raters
    ]
