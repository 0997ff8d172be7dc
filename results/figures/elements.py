"""Figures as parts of a page: SVG elements in the page's own colours."""

import hashlib
from collections.abc import Sequence
from urllib.parse import parse_qsl

from django.template.loader import render_to_string
from django.utils.html import format_html

from results.figures.captions import described
from results.figures.layout import layout_of
from results.figures.plots import Nothing, Plot
from results.figures.requests import Plotter

# How what stands in place of a figure begins.
EMPTY = '<p class="figure__empty">'
# A figure of more characters is linked as an image: docs/decisions/0013.
LARGEST = 100_000


def figures_for(plotter: Plotter, queries: Sequence[str]) -> dict[str, str]:
    """The element of each figure on a page, by the figure's query."""
    return {query: figure_element(plotter, query) for query in queries}


def figure_element(plotter: Plotter, query: str) -> str:
    """The figure as SVG, or the reason why there is none; empty where it cannot be part of a page:
    too large, or its ratings are still being counted."""
    parameters = dict(parse_qsl(query))
    plot = plotter.plot(parameters)
    if plot is None:
        return ""
    if isinstance(plot, Nothing):
        return format_html(f"{EMPTY}{{}}</p>", plot.reason)
    title, text = plotter.words(parameters)
    element = element_of(plot, query, title, text)
    return element if len(element) <= LARGEST else ""


def element_of(plot: Plot, key: str, title: str, text: str) -> str:
    """The plot as SVG under that title, described by the text and by its numbers. key: different
    for every figure of a page."""
    shown = {
        "layout": layout_of(plot),
        "id": _id(key),
        "title": title,
        "text": described(text, plot),
    }
    return render_to_string("results/svg/plot.html", shown)


def _id(query: str) -> str:
    """Different for every figure of a page."""
    return f"f{hashlib.sha256(query.encode()).hexdigest()[:8]}"
