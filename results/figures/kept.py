"""Figures as parts of a page: drawn once per revision of the answers, then kept."""

import hashlib
from collections.abc import Sequence
from urllib.parse import parse_qsl

from django.utils.html import escape
from django.utils.translation import get_language

from results.figures.captions import described
from results.figures.files import draw
from results.figures.inline import LARGEST, PAGE, inline
from results.figures.plots import Nothing
from results.figures.requests import Easel
from results.models import KeptFigure
from results.report.cache import Report
from results.report.newest import is_small
from results.tables.choice import Choice

# Raise it whenever the same numbers would be drawn in another way.
EDITION = 3
# A page waits for so many figures at most; the others are images until it is asked for again.
MOST_AT_ONCE = 24


def figures_for(report: Report, choice: Choice, queries: Sequence[str]) -> dict[str, str]:
    """What a page shows for each figure, by what it is asked for: an SVG, or why there is none;
    empty where that is too large for a page. Of a large study, whose figures are drawn in the
    background, only those that are there."""
    found = _kept(report, queries)
    missing = [query for query in queries if query not in found]
    if missing and is_small(report.study):
        found |= keep_figures(report, choice, missing[:MOST_AT_ONCE])
    return found


def keep_figures(report: Report, choice: Choice, queries: Sequence[str]) -> dict[str, str]:
    """Draw these figures and keep them in the place of those of earlier revisions."""
    easel = Easel(report, choice)
    drawn = {query: _drawn(easel, query) for query in queries}
    known = KeptFigure.objects.filter(study=report.study)
    known.filter(revision__lt=report.revision).delete()
    KeptFigure.objects.bulk_create(
        [
            KeptFigure(
                study=report.study, revision=report.revision, asked=_hash(report, query), svg=svg
            )
            for query, svg in drawn.items()
        ],
        update_conflicts=True,
        unique_fields=["study", "asked"],
        update_fields=["revision", "svg"],
    )
    return drawn


def _kept(report: Report, queries: Sequence[str]) -> dict[str, str]:
    asked = {_hash(report, query): query for query in queries}
    rows = KeptFigure.objects.filter(
        study=report.study, revision=report.revision, asked__in=list(asked)
    )
    return {asked[row.asked]: row.svg for row in rows}


def _drawn(easel: Easel, query: str) -> str:
    asked = dict(parse_qsl(query))
    plot = easel.plot(asked)
    if plot is None:
        return ""
    if isinstance(plot, Nothing):
        return f'<p class="figure__silence">{escape(plot.reason)}</p>'
    title, text = easel.words(asked)
    svg = draw(plot, PAGE, title=title, text=described(text, plot)).decode()
    svg = inline(svg, f"f{_hash(easel.report, query)[:8]}")
    return svg if len(svg) <= LARGEST else ""


def _hash(report: Report, query: str) -> str:
    """The same for the same figure in the same language."""
    text = f"{EDITION} {report.options.hash} {get_language()} {query}"
    return hashlib.sha256(text.encode()).hexdigest()
