"""The scorecard of a judge: what it lets pass, how far it falls short of people, and where."""

from results.metrics import samples
from results.metrics.scorecard import ceiling, differences, rates, slices
from results.metrics.scorecard.decisions import judged
from results.metrics.scorecard.near import judges_near_people
from results.metrics.statistic import Statistics

SCORECARD: tuple[Statistics, ...] = (
    Statistics(judged, (rates.RATES,)),
    Statistics(samples.judges_beside_people, (rates.BIAS_OF_NUMBERS,)),
    Statistics(
        judges_near_people,
        (ceiling.CEILING, differences.DIFFERENCES, differences.ADVANTAGES, slices.SLICES),
    ),
)
