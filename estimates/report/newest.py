"""The figures that a page shows at once, however large the study.

Where counting takes a moment, the page waits. Otherwise it shows what was counted last, says as of
when, and has the answers that have come since counted in the background. Of a small study that no
worker counts, a later request does.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from annotation.models import Annotation, Study
from annotation.queries.group_keys import OF_RATERS
from estimates.data.database import load_table, rater_records
from estimates.data.options import RATER_GROUPS, SIMILARITY, Options
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.selection import left_out
from estimates.kept.columns import kept_ratings
from estimates.report.cache import Report, kept_report, kept_revision, report_of, revision_of
from estimates.report.live import as_shown
from estimates.report.recount import ask_for_recount, seconds_waited
from jobs.runner import work
from tasktypes.facets import Facet

# Up to so many stored answers a request may count: other figures than usual, the ratings of a
# facet, and those that no worker has begun to count after so many seconds: soon when a page asks
# for newer figures behind its reader's back, late while somebody waits for the page.
SMALL, UNTAKEN, UNTAKEN_BY_PAGES = 2_000, 3.0, 60.0
# What an answer of a study that was never counted is expected to take.
SECONDS_PER_ANSWER = 0.003


@dataclass(frozen=True)
class NewestRatings:
    """The ratings of one facet. outdated: what is counted has changed since."""

    ratings: Ratings
    revision: int
    counted_at: datetime | None  # None: just now
    outdated: bool = False


def newest_report(study: Study, *, untaken: float = UNTAKEN_BY_PAGES) -> Report | None:
    """The report to show now; None where none has been computed yet, which is then asked for.
    untaken: after how many seconds a small study is counted here, as no worker does."""
    report = _newest(study, untaken)
    return None if report is None else as_shown(report)


def _newest(study: Study, untaken: float) -> Report | None:
    report = kept_report(study)
    if report is not None and not report.outdated:
        return report
    if is_quick(study, report):
        return report_of(study)
    job = ask_for_recount(study=study)
    if job is not None and seconds_waited(job) > untaken and is_small(study):
        work(job_id=job.pk)
        return kept_report(study)
    return report


def newest_similarity(study: Study) -> Report | None:
    """Likewise of people beside judges; outdated figures stay until the newer ones are counted."""
    return _newest_beside(study, SIMILARITY)


def newest_rater_groups(study: Study) -> Report | None:
    """Likewise of groups of people by what files tell of them; None where the study has none."""
    if not any(key.startswith(OF_RATERS) for key in study.group_by):
        return None
    report = _newest_beside(study, RATER_GROUPS)
    return None if report is None else as_shown(report)


def _newest_beside(study: Study, options: Options) -> Report | None:
    report = kept_report(study, options)
    if report is not None and not report.outdated:
        return report
    if is_quick(study, report):
        return report_of(study, options)
    ask_for_recount(study=study)
    return report


def is_quick(study: Study, report: Report | None) -> bool:
    """Whether counting the study is expected to take no longer than a page may wait, going by the
    last time, or the number of its answers."""
    most: float = settings.RESULTS_WAIT_SECONDS
    if report is None or report.seconds is None:
        return _has_at_most(study, min(SMALL, int(most / SECONDS_PER_ANSWER)))
    return report.seconds <= most and is_small(study)


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
    return ratings.without(left_out(rater_records(study), options))


def is_there_newer(study: Study, shown: int | None) -> bool:
    """Whether a page that shows that revision (None: no figures yet) would now show a later one.

    Pages ask again and again: a report is read, and made, only where answers have changed.
    """
    if shown is not None and revision_of(study) <= shown:
        return False
    kept = kept_revision(study)
    if kept is not None and (shown is None or kept > shown):
        return True
    report = _newest(study, UNTAKEN)
    return report is not None and (shown is None or report.revision > shown)


def is_small(study: Study) -> bool:
    """Whether the study has few answers."""
    return _has_at_most(study, SMALL)


def _has_at_most(study: Study, answers: int) -> bool:
    """Reads no more rows than it takes to tell."""
    rows = Annotation.objects.filter(study=study).order_by()[: answers + 1]
    return rows.count() <= answers
