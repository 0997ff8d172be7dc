"""What to bear in mind when reading the figures of a report."""

from collections.abc import Callable, Sequence

from annotation.rounds.collection import Standing
from estimates.catalogue import Table, metric
from estimates.catalogue.judges import ANSWERED_DIFFERENCE
from estimates.catalogue.reliability import COMMONEST
from estimates.catalogue.systems import SHARED_SOURCES
from estimates.data.options import BOTH, SCORES, Options
from estimates.data.rows import OF_SYSTEMS, SUMMARY, Row
from results.reading.bounds import excludes

# Of seven systems, two unrelated scores correlate beyond .75 or -.75 in one study of twenty.
FEW_SYSTEMS = 8
NO_BOUNDS = "; none: "
# From this share of one answer on, chance-corrected agreement says little.
LOPSIDED = 0.9

# What the intervals of headline figures are, by how the study stands.
OF_STANDING = {
    Standing.COLLECTING: (
        "Answers are still to come, so these figures will change. Intervals of headline numbers "
        "are wider, so that you may look often; they become final when all planned answers are in."
    ),
    Standing.STOPPED: (
        "The study was closed before all planned answers were in. Its end depended on what was "
        "seen, so intervals of headline numbers remain those that hold at every look."
    ),
    Standing.BEYOND: (
        "More answers were counted than were planned when the study opened, so intervals of "
        "headline numbers are again those that hold at every look."
    ),
}


def standing_text(standing: Standing | None) -> str:
    """Why intervals are those that hold at every look; empty where they are not."""
    return OF_STANDING.get(standing, "") if standing else ""


def cautions(rows: Sequence[Row]) -> list[str]:
    """Sentences on these rows, each once; none where there is nothing to bear in mind."""
    said = (caution(row) for row in rows if row.estimate.value is not None for caution in CAUTIONS)
    return list(dict.fromkeys(filter(None, said)))


def intervals_text(options: Options) -> str:
    """Whom intervals and p values are about; empty where there are none."""
    if not options.resamples:
        return ""
    if options.resample not in (BOTH, SCORES):
        return "Intervals and p-values hold for new sources and these raters only."
    if options.resample == SCORES:
        return (
            "Intervals and p-values of people’s scores hold for new sources and raters like these, "
            "where three or more answered; all others, as those of agreement, for new sources and "
            "these raters."
        )
    return (
        "Intervals and p-values of people together hold for new sources and raters like these, "
        "where three or more answered; all others, and those after Wilcoxon, Friedman and Nemenyi, "
        "for new sources and these raters."
    )


def few_systems(number: int) -> str:
    """The caution about correlations of so few systems; empty where they are enough."""
    if number >= FEW_SYSTEMS:
        return ""
    return f"Only {number} systems: their means may correlate strongly, or not at all, by chance."


def _correlated(row: Row) -> str:
    if Table.CORRELATION not in metric(row.metric).tables:
        return ""
    units, pairs = row.estimate.n_units or 0, row.estimate.n_ratings or 0
    if row.aggregation == OF_SYSTEMS:
        return few_systems(units)
    if row.aggregation == SUMMARY and pairs < 3 * units:
        return "Many sources have two items only, which always correlate to 1 or −1."
    return ""


def _without_interval(row: Row) -> str:
    """Prediction-powered figures from too few answers."""
    method = row.estimate.interval_method or ""
    if not row.metric.endswith("_ppi") or NO_BOUNDS not in method:
        return ""
    return f"Prediction-powered figures of {row.raters}: {method.partition(NO_BOUNDS)[2]}."


def _lopsided(row: Row) -> str:
    """Nearly all answers are one and the same, on which chance-corrected agreement rests."""
    share = row.estimate.value
    if row.metric != COMMONEST or row.group or share is None or share < LOPSIDED:
        return ""
    others = f"{(1 - share) * (row.estimate.n_ratings or 0):.0f}"
    return (
        f"{row.raters}, {row.facet}: {100 * share:.0f} % of the answers are the same. α and κ then "
        f"depend on the other {others} answers and may be low although raters agree. See Same "
        "answer, AC1 and the prevalence index."
    )


def _unlike_sources(row: Row) -> str:
    """Means by system are over different sources."""
    if row.metric != SHARED_SOURCES:
        return ""
    return (
        f"{row.raters}, {row.facet}: only {100 * float(row.estimate):.0f} % of "
        f"{row.estimate.n_units} sources were rated for every system. Means by system compare "
        "different texts; read the differences on the same sources."
    )


def _selected(row: Row) -> str:
    """The sources that people answered are others than the rest."""
    if row.metric != ANSWERED_DIFFERENCE or not excludes(row.estimate):
        return ""
    apart = float(row.estimate)
    return (
        f"{row.raters}: the judge’s mean is {'higher' if apart > 0 else 'lower'} by "
        f"{abs(apart):.3g} for the sources that people answered than for the others. They are "
        "probably not a random sample, so prediction-powered figures may be wrong."
    )


CAUTIONS: tuple[Callable[[Row], str], ...] = (
    _correlated,
    _lopsided,
    _unlike_sources,
    _without_interval,
    _selected,
)
