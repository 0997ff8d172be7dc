"""The forms in which `report` prints what a paper takes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError

from estimates.report.cache import Report
from estimates.report.live import as_shown
from estimates.report.newest import is_small
from estimates.report.recount import recount
from results.paper.material import panels_of, tables_of, texts_of
from results.paper.shared.page import page_of_results
from results.tables.choice import PARTS, PageFilter, choices_of
from results.tables.formats import TABLES
from results.tables.origin import origin_of

# Name of an option -> the ending of the table format.
OF_TABLES = {"latex": "tex", "markdown": "md"}
# Options that print what the pages show, which need the study itself.
PAGES = (*OF_TABLES, "paper", "html")


def printed(report: Report, options: Mapping[str, Any]) -> str:
    """What one of `PAGES` asks for, with the intervals that pages show."""
    report = as_shown(report)
    if options["html"]:
        if not is_small(report.study):
            recount(study=report.study)  # keeps the ratings that figures are made from
        return page_of_results(report)
    if options["paper"]:
        return _texts(report, options["paper"])
    name = next(ending for option, ending in OF_TABLES.items() if options[option])
    return _tables(report, name, options["panel"], _choice(report, options))


def _texts(report: Report, form: str) -> str:
    texts = texts_of(report)
    if form == "bibtex":
        return texts.bibtex(tables_of(report, PageFilter()))
    return texts.as_latex() if form == "latex" else texts.as_markdown()


def _tables(report: Report, name: str, keys: Sequence[str] | None, choice: PageFilter) -> str:
    form, panels = TABLES[name], panels_of(report, choice)
    unknown = {*(keys or ())} - {panel.key for panel in panels}
    if unknown:
        there = ", ".join(panel.key for panel in panels)
        raise CommandError(f"--panel: no table {', '.join(sorted(unknown))} (there are: {there})")
    texts = []
    for panel in panels:
        if keys is None or panel.key in keys:
            origin = origin_of(report, choice, whole=panel.whole, key=panel.key, form=form.option)
            texts.append(form.write(panel.alone, origin))
    return "\n".join(texts)


def _choice(report: Report, options: Mapping[str, Any]) -> PageFilter:
    """The part that tables are narrowed to, with the options that files name."""
    asked = {name: getattr(report.options, name) for name in ("only", "without")}
    part = dict(entry.partition("=")[::2] for entry in options["part"] or ())
    chosen = choices_of(report).pick(part)
    if chosen.group != part:
        keys = ", ".join([*PARTS, *report.study.group_by])
        raise CommandError(f"--part: KEY=NAME with {keys} and a name that the report has")
    return replace(
        chosen,
        **asked,
        excluded="1" if report.options.excluded else "",
        resample=""
        if report.options.resample == PageFilter().options.resample
        else report.options.resample,
    )
