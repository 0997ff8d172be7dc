"""Two studies side by side, as tables."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from results.metrics.catalogue import CV_STAR
from results.studies.comparison import Comparison, Reproduction
from results.studies.conclusions import CONFIRMED, NOT_CONFIRMED, UNDECIDED
from results.tables.grids import Cell, Grid, Line
from results.tables.wording import key_title, metric_title, number_text, party_title


@dataclass(frozen=True)
class NamedGrid:
    """A table by its key in the page's address, and what it says in words."""

    key: str
    grid: Grid
    words: tuple[str, ...] = ()


def grids_of(found: Reproduction) -> list[NamedGrid]:
    """Figures by system first, then agreement, then conclusions; what there is of them."""
    return [
        *(_compared(found, one, at) for at, one in enumerate(found.comparisons)),
        *_alphas(found),
        *_conclusions(found),
    ]


def _compared(found: Reproduction, one: Comparison, at: int) -> NamedGrid:
    lines = [
        Line(
            pair.system,
            [
                Cell.of(pair.here, n=True),
                Cell.of(pair.there, n=True),
                Cell.of(pair.cv_star),
            ],
        )
        for pair in one.systems
    ]
    about = filter(None, [metric_title(one.metric), one.facet, party_title(one.raters)])
    heads = [found.study, found.against, metric_title(CV_STAR)]
    grid = Grid(heads, lines, ", ".join(about), key_title("system"))
    return NamedGrid(f"compared-{at}", grid, tuple(_correlations(one)))


def _correlations(one: Comparison) -> Iterator[str]:
    for name, estimate in one.correlations.items():
        if estimate.value is None:
            yield f"{metric_title(name)}: {estimate.undefined}"
        else:
            yield f"{metric_title(name)}: {number_text(estimate.value)}"


def _alphas(found: Reproduction) -> Iterator[NamedGrid]:
    lines = [
        Line(
            ", ".join(filter(None, [one.facet, metric_title(one.metric)])),
            [None if each is None else Cell.of(each) for each in (one.here, one.there)],
        )
        for one in found.alphas
    ]
    if lines:
        title = _("Agreement of people in both")
        yield NamedGrid("alphas", Grid([found.study, found.against], lines, title))


def _conclusions(found: Reproduction) -> Iterator[NamedGrid]:
    holds = {True: _("holds"), False: _("does not hold"), None: _("no figures")}
    verdicts = {
        CONFIRMED: _("confirmed"),
        NOT_CONFIRMED: _("not confirmed"),
        UNDECIDED: _("undecided"),
    }
    lines = [
        Line(
            one.text,
            [Cell(holds[one.here]), Cell(holds[one.there]), Cell(verdicts[one.verdict])],
        )
        for one in found.conclusions
    ]
    if lines:
        heads = [found.study, found.against, _("Verdict")]
        grid = Grid(heads, lines, _("Conclusions that the studies’ files state"), _("Conclusion"))
        yield NamedGrid("conclusions", grid)
