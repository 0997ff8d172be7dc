"""The figures of a large study's page, drawn in the background."""

from annotation.models import Study
from results.dashboard import drawings_of, page_of, sections_of
from results.figures.kept import keep_figures
from results.report.cache import kept_report
from results.tables.choice import Choice


def keep_page(study: Study) -> None:
    """Draw every figure of the whole study, as its page shows it at first."""
    report, choice = kept_report(study), Choice()
    if report is None:
        return
    page = page_of(study, list(study.blocks.all()), report, choice)
    keep_figures(report, choice, [one.query for one in drawings_of(sections_of(page))])
