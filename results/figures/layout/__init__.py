"""Positions of everything in a figure on a page; `results/svg/plot.html` draws it.

Lengths are units of the figure's view box, rounded to a tenth of one. Colours are classes of
`static/css/figure.css`, so that one figure serves light and dark pages. A name that has no room
is cut, and held as a whole beside it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from results.figures.layout.fields import layout_matrix
from results.figures.layout.planes import layout_cloud, layout_curve
from results.figures.layout.rows import layout_boxes, layout_points, layout_ranges
from results.figures.layout.shapes import Layout
from results.figures.plots import Boxes, Cloud, Curve, Matrix, Plot, Points, Ranges

LAYOUTS: Mapping[type, Callable[[Any], Layout]] = {
    Points: layout_points,
    Ranges: layout_ranges,
    Curve: layout_curve,
    Cloud: layout_cloud,
    Boxes: layout_boxes,
    Matrix: layout_matrix,
}


def layout_of(plot: Plot) -> Layout:
    """Where everything of the plot stands."""
    return LAYOUTS[type(plot)](plot)
