"""The scorecard of a judge: what it lets pass, how far it falls short of people, and where."""

from estimates.scorecard import ceiling, differences, probabilities, rates, slices, spread
from estimates.scorecard.decisions import judged
from estimates.scorecard.near import judges_near_people
from estimates.statistics import samples
from estimates.statistics.statistic import Statistics

SCORECARD: tuple[Statistics, ...] = (
    Statistics(judged, (rates.RATES,)),
    Statistics(samples.judges_beside_people, (rates.BIAS_OF_NUMBERS, spread.SPREAD)),
    Statistics(samples.judges_in_other_facets, (probabilities.SCORES,)),
    Statistics(
        judges_near_people,
        (ceiling.CEILING, differences.DIFFERENCES, differences.ADVANTAGES, slices.SLICES),
    ),
)
