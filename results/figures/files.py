"""Figures as files. As SVG: text as outlines and no style sheet, so that any page may show them."""

import io
import re
from functools import cache
from html import escape

from results.figures.drawing import PAPER, THEMES, Theme, figure_of
from results.figures.plots import Plot

FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
DPI = 200

__all__ = ["FORMATS", "THEMES", "draw"]


def draw(
    plot: Plot,
    theme: Theme,
    *,
    kind: str = "svg",
    title: str = "",
    text: str = "",
) -> bytes:
    """The plot as a file: the same plot gives the same bytes.

    title, text: metadata of the file; in an SVG also its description for screen readers.
    """
    _set_up()
    if kind != "svg":
        theme = PAPER
    figure = figure_of(plot, theme)
    out = io.BytesIO()
    metadata = {
        "svg": {"Date": None},
        "pdf": {"CreationDate": None, "Title": title, "Subject": text},
        "png": {"Title": title, "Description": text},
    }
    figure.savefig(out, format=kind, dpi=DPI, transparent=kind == "svg", metadata=metadata[kind])
    if kind != "svg":
        return out.getvalue()
    return _described(_without_styles(out.getvalue().decode()), title, text).encode()


@cache
def _set_up() -> None:
    """Once per process: these settings are global, and requests run in threads."""
    import matplotlib as mpl

    mpl.rcParams.update(
        {
            "svg.fonttype": "path",
            "svg.hashsalt": "jurybox",
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "timezone": "UTC",
        }
    )


def _without_styles(svg: str) -> str:
    """Styles as attributes: a content security policy without inline styles drops the former."""
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    return re.sub(r' style="([^"]*)"', lambda match: _attributes(match.group(1)), svg)


def _attributes(style: str) -> str:
    pairs = (declaration.partition(":") for declaration in style.split(";") if declaration.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in pairs)


def _described(svg: str, title: str, text: str) -> str:
    """With a title and a description as its first elements."""
    elements = f'<title id="title">{escape(title)}</title><desc id="desc">{escape(text)}</desc>'
    about = 'role="img" aria-labelledby="title" aria-describedby="desc"'
    svg = svg.replace("<svg ", f"<svg {about} ", 1)
    return re.sub(r"<svg [^>]*>", lambda match: match.group() + elements, svg, count=1)
