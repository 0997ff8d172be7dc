"""Which intervals speak of other raters, where a report was asked to draw raters too."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agreement import RESAMPLES
from results.data.options import Options
from results.data.rows import Row

BOOTSTRAP = "bootstrap"
RATERS_DRAWN = re.compile(r" and \d+ raters?\b")
NOT_DRAWN = "raters not resampled"


def say_what_was_drawn(rows: Iterable[Row], options: Options) -> Iterator[Row]:
    """Rows as they are, but where raters were to be drawn and a bootstrap did not (of one rater,
    of a pair, of a statistic that cannot), its `interval_method` says so."""
    for row in rows:
        yield row if options.resample == RESAMPLES[0] else _noted(row)


def _noted(row: Row) -> Row:
    method = row.estimate.interval_method
    if method is None or BOOTSTRAP not in method or RATERS_DRAWN.search(method):
        return row
    estimate = replace(row.estimate, interval_method=f"{method}; {NOT_DRAWN}")
    return replace(row, estimate=estimate)
