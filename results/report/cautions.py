"""What to bear in mind when reading correlations of few systems, in words."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from results.data.rows import OF_SYSTEMS, SUMMARY, Row
from results.metrics.catalogue import Table, metric

# Of seven systems, two unrelated scores correlate beyond .75 or -.75 in one study of twenty.
FEW_SYSTEMS = 8


def cautions(rows: Sequence[Row]) -> list[str]:
    """Sentences on the correlations among these rows; none where there are enough systems."""
    return list(dict.fromkeys(_each(rows)))


def few_systems(number: int) -> str:
    """The caution about correlations of so few systems; empty where they are enough."""
    if number >= FEW_SYSTEMS:
        return ""
    return _(
        "Correlations of %(number)d systems’ means: so few may correlate strongly or not at all "
        "by chance."
    ) % {"number": number}


def _each(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        estimate = row.estimate
        if estimate.value is None or Table.CORRELATION not in metric(row.metric).tables:
            continue
        units, pairs = estimate.n_units or 0, estimate.n_ratings or 0
        if row.aggregation == OF_SYSTEMS and (caution := few_systems(units)):
            yield caution
        elif row.aggregation == SUMMARY and pairs < 3 * units:
            yield _(
                "Correlations within sources: many sources have two items, which always "
                "correlate to 1 or −1."
            )
