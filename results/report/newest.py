"""The figures that a page shows at once, however large the study.

A small study is counted while the page waits. Of a larger one the page shows what was counted
last, says as of when, and has the answers that have come since counted in the background.
The limit is the amount of data, never the speed of the machine.
"""

from dataclasses import dataclass
from datetime import datetime

from annotation.models import Annotation, Study
from results.data.database import load_table
from results.data.kept.columns import kept_ratings
from results.data.options import Options
from results.data.ratings import Ratings, ratings_of
from results.data.selection import left_out
from results.report.cache import Report, kept_report, kept_revision, report_of, revision_of
from results.report.live import as_shown
from results.report.recount import ask_for_recount
from tasktypes.facets import Facet

# Up to so many stored answers, and rows of the report before, a page waits for its figures. A row
# takes some milliseconds, most of it for its interval.
SMALL, FEW = 2_000, 300


@dataclass(frozen=True)
class NewestRatings:
    """The ratings of one facet. outdated: what is counted has changed since."""

    ratings: Ratings
    revision: int
    counted_at: datetime | None  # None: just now
    outdated: bool = False


def newest_report(study: Study) -> Report | None:
    """The report to show now; None where none has been computed yet, which is then asked for."""
    report = _newest(study)
    return None if report is None else as_shown(report)


def _newest(study: Study) -> Report | None:
    report = kept_report(study)
    if report is not None and not report.outdated:
        return report
    if (report is None or len(report.rows) <= FEW) and is_small(study):
        return report_of(study)
    ask_for_recount(study=study)
    return report


def newest_ratings(study: Study, facet: Facet) -> NewestRatings | None:
    """The ratings of a facet to show now; None as for a report."""
    revision = revision_of(study)
    if is_small(study):
        return NewestRatings(
            ratings_of(load_table(study, facet=facet.name), facet.name), revision, None
        )
    kept = kept_ratings(study, facet)
    if kept is None or kept.revision != revision:
        ask_for_recount(study=study)
    if kept is None:
        return None
    return NewestRatings(kept.ratings, kept.revision, kept.computed_at, kept.revision != revision)


def narrow_ratings(study: Study, ratings: Ratings, options: Options) -> Ratings:
    """The ratings without those that the options leave out; read anew where excluded ones count."""
    if options.excluded:
        name = ratings.facet.name
        ratings = ratings_of(load_table(study, facet=name, excluded=True), name)
    if not options.only and not options.without:
        return ratings
    return ratings.without(left_out(study.raters.all(), options))


def is_there_newer(study: Study, shown: int | None) -> bool:
    """Whether a page that shows that revision (None: no figures yet) would now show a later one.

    Pages ask again and again: a report is read, and made, only where answers have changed.
    """
    if shown is not None and revision_of(study) <= shown:
        return False
    kept = kept_revision(study)
    if kept is not None and (shown is None or kept > shown):
        return True
    report = _newest(study)
    return report is not None and (shown is None or report.revision > shown)


def is_small(study: Study) -> bool:
    """Whether the study has few answers. Reads no more rows than it takes to tell."""
    rows = Annotation.objects.filter(study=study).order_by()[: SMALL + 1]
    return rows.count() <= SMALL
