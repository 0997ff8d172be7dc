"""The scorecard of a judge: what it lets pass, how far it falls short of people, and where."""

from results.metrics import samples
from results.metrics.scorecard import ceiling, rates
from results.metrics.scorecard.decisions import judged
from results.metrics.statistic import Statistics

SCORECARD: tuple[Statistics, ...] = (
    Statistics(judged, (rates.RATES,)),
    Statistics(samples.judges_beside_people, (rates.BIAS_OF_NUMBERS,)),
    Statistics(samples.judges_among_people, (ceiling.CEILING,)),
)
