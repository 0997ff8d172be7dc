"""How large a study has to be: units and raters for an interval of a given width."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement import Estimate, Pilot, pilot_from, units_needed
from agreement.systems.power import PlannedStatistic
from annotation.models import Rater, Round, Study
from estimates.data.database import load_table
from estimates.data.ratings import ratings_of

RATERS = (2, 3, 4, 5)
# Simulated studies per figure: the width is known to about 5 % of itself, the units to 10 %.
SIMULATIONS = 1000


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


def pilot_of(study: Study, facet: str, round_: Round | None = None) -> Pilot:
    """People's answers in a facet so far, as the pilot that studies are simulated from.

    round_: in that round alone, whether it counts or not.

    ValueError with the reason where their agreement is undefined or nobody has answered.
    """
    table = load_table(study, facet=facet, round_=round_)
    people = study.raters.filter(kind=Rater.Kind.HUMAN).values_list("pk", flat=True)
    ratings = ratings_of(table, facet).by(list(people)).once()
    return pilot_from(ratings.place, ratings.rater, ratings.values, distance=ratings.facet.distance)


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
