"""What to bear in mind when reading the figures of a report, in words."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from estimates.catalogue import ANSWERED_DIFFERENCE, COMMONEST, SHARED_SOURCES, Table, metric
from estimates.data.options import BOTH, SCORES, Options
from estimates.data.rows import OF_SYSTEMS, SUMMARY, Row

# Of seven systems, two unrelated scores correlate beyond .75 or -.75 in one study of twenty.
FEW_SYSTEMS = 8
NO_BOUNDS = "; none: "
# From this share of one answer on, chance-corrected agreement says little.
LOPSIDED = 0.9


def cautions(rows: Sequence[Row]) -> list[str]:
    """Sentences on these rows, each once; none where there is nothing to bear in mind."""
    said = (caution(row) for row in rows if row.estimate.value is not None for caution in CAUTIONS)
    return list(dict.fromkeys(filter(None, said)))


def intervals_text(options: Options) -> str:
    """What intervals and p values speak of; empty where there are none."""
    if not options.resamples:
        return ""
    if options.resample not in (BOTH, SCORES):
        return _("Intervals and p values speak of other sources and of these raters only.")
    if options.resample == SCORES:
        return _(
            "Intervals and p values of people’s scores speak of other sources and other people, "
            "where three or more answered; those of agreement, and all others, of other sources "
            "and these raters."
        )
    return _(
        "Intervals and p values of people together speak of other sources and other people, where "
        "three or more answered; all others, and those after Wilcoxon, Friedman and Nemenyi, of "
        "other sources and these raters."
    )


def few_systems(number: int) -> str:
    """The caution about correlations of so few systems; empty where they are enough."""
    if number >= FEW_SYSTEMS:
        return ""
    return _(
        "Correlations of %(number)d systems’ means: so few may correlate strongly or not at all "
        "by chance."
    ) % {"number": number}


def _correlated(row: Row) -> str:
    if Table.CORRELATION not in metric(row.metric).tables:
        return ""
    units, pairs = row.estimate.n_units or 0, row.estimate.n_ratings or 0
    if row.aggregation == OF_SYSTEMS:
        return few_systems(units)
    if row.aggregation == SUMMARY and pairs < 3 * units:
        return _(
            "Correlations within sources: many sources have two items, which always correlate to "
            "1 or −1."
        )
    return ""


def _without_interval(row: Row) -> str:
    """Prediction-powered figures from too few answers."""
    method = row.estimate.interval_method or ""
    if not row.metric.endswith("_ppi") or NO_BOUNDS not in method:
        return ""
    about = {"raters": row.raters, "reason": method.partition(NO_BOUNDS)[2]}
    return _("Prediction-powered figures of %(raters)s: %(reason)s.") % about


def _lopsided(row: Row) -> str:
    """Nearly all answers are one and the same, on which chance-corrected agreement rests."""
    share = row.estimate.value
    if row.metric != COMMONEST or row.group or share is None or share < LOPSIDED:
        return ""
    about = {
        "raters": row.raters,
        "facet": row.facet,
        "share": f"{100 * share:.0f}",
        "others": f"{(1 - share) * (row.estimate.n_ratings or 0):.0f}",
    }
    return (
        _(
            "%(raters)s, %(facet)s: %(share)s %% of the answers are one and the same. α and κ then "
            "rest on the other %(others)s answers and say little: they may be low although raters "
            "agree. See Same answer, AC1 and the prevalence index."
        )
        % about
    )


def _unlike_sources(row: Row) -> str:
    """Means by system are over different sources."""
    if row.metric != SHARED_SOURCES:
        return ""
    about = {
        "raters": row.raters,
        "facet": row.facet,
        "share": f"{100 * float(row.estimate):.0f}",
        "number": row.estimate.n_units,
    }
    return (
        _(
            "%(raters)s, %(facet)s: only %(share)s %% of %(number)s sources were rated for every "
            "system. Means by system compare different texts; read the differences on the same "
            "sources."
        )
        % about
    )


def _selected(row: Row) -> str:
    """The sources that people answered are others than the rest."""
    value, low, high = row.estimate.value, row.estimate.low, row.estimate.high
    if row.metric != ANSWERED_DIFFERENCE or value is None or low is None or high is None:
        return ""
    if low <= 0 <= high:
        return ""
    higher = _(
        "%(raters)s: the judge’s mean is higher by %(apart)s for the sources that people answered "
        "than for the others. They were hardly drawn at random, so prediction-powered figures may "
        "be wrong."
    )
    lower = _(
        "%(raters)s: the judge’s mean is lower by %(apart)s for the sources that people answered "
        "than for the others. They were hardly drawn at random, so prediction-powered figures may "
        "be wrong."
    )
    about = {"raters": row.raters, "apart": f"{abs(value):.3g}"}
    return (higher if value > 0 else lower) % about


CAUTIONS: tuple[Callable[[Row], str], ...] = (
    _correlated,
    _lopsided,
    _unlike_sources,
    _without_interval,
    _selected,
)
