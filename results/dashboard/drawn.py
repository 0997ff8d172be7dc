"""The figures of a large study's page, drawn in the background."""

from annotation.models import Study
from results.caching import kept_report
from results.choosing import Choice
from results.dashboard import drawings_of, page_of, sections_of
from results.showing import keep_figures


def keep_page(study: Study) -> None:
    """Draw every figure of the whole study, as its page shows it at first."""
    report, choice = kept_report(study), Choice()
    if report is None:
        return
    page = page_of(study, list(study.blocks.all()), report, choice)
    keep_figures(report, choice, [one.query for one in drawings_of(sections_of(page))])
