"""Two studies side by side, as tables."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimates.catalogue.scores import CV_STAR
from results.reading.titles import key_title, metric_title, party_title
from results.reading.wording import number_text, plain, sized
from results.studies.comparison import Comparison, Reproduction, caution_of
from results.studies.conclusions import Conclusion, PairVerdict, StudyVerdict
from results.tables.grids import Cell, Grid, GridLine

OUTCOMES = {
    StudyVerdict.HOLDS: gettext_lazy("holds"),
    StudyVerdict.OPPOSITE: gettext_lazy("opposite"),
    StudyVerdict.NOT_SETTLED: gettext_lazy("not settled"),
    StudyVerdict.NO_FIGURES: gettext_lazy("no figures"),
}
VERDICTS = {
    PairVerdict.CONFIRMED: gettext_lazy("confirmed"),
    PairVerdict.OPPOSITE: gettext_lazy("opposite"),
    PairVerdict.NOT_SETTLED: gettext_lazy("not settled"),
    PairVerdict.UNDECIDED: gettext_lazy("undecided"),
}


@dataclass(frozen=True)
class NamedGrid:
    """A table by its key in the page's address, and what it says in words."""

    key: str
    grid: Grid
    words: tuple[str, ...] = ()


def grids_of(reproduction: Reproduction) -> list[NamedGrid]:
    """Figures by system first, then agreement, then conclusions, as far as there are any."""
    return [
        *(
            _compared(reproduction, comparison, at)
            for at, comparison in enumerate(reproduction.comparisons)
        ),
        *_alphas(reproduction),
        *_conclusions(reproduction),
    ]


def _compared(reproduction: Reproduction, comparison: Comparison, at: int) -> NamedGrid:
    lines = [
        GridLine(
            pair.system,
            [
                Cell.of(pair.here, n=True),
                Cell.of(pair.there, n=True),
                Cell.of(pair.cv_star),
            ],
        )
        for pair in comparison.systems
    ]
    about = filter(
        None, [metric_title(comparison.metric), comparison.facet, party_title(comparison.raters)]
    )
    heads = [reproduction.study, reproduction.against, metric_title(CV_STAR)]
    grid = Grid(heads, lines, ", ".join(about), key_title("system"))
    return NamedGrid(f"compared-{at}", grid, tuple(_correlations(comparison)))


def _correlations(comparison: Comparison) -> Iterator[str]:
    for name, estimate in comparison.correlations.items():
        if estimate.value is None:
            yield f"{metric_title(name)}: {estimate.undefined}"
        else:
            size = plain(sized(estimate))
            n = _(" over systems, %(n)s") % {"n": size} if size else ""
            yield f"{metric_title(name)}: {number_text(estimate.value)}{n}"
    if caution := caution_of(comparison):
        yield caution


def _alphas(reproduction: Reproduction) -> Iterator[NamedGrid]:
    lines = [
        GridLine(
            ", ".join(filter(None, [pair.facet, metric_title(pair.metric)])),
            [None if each is None else Cell.of(each, n=True) for each in (pair.here, pair.there)],
        )
        for pair in reproduction.alphas
    ]
    if lines:
        title = _("Agreement of people in both")
        yield NamedGrid("alphas", Grid([reproduction.study, reproduction.against], lines, title))


def _conclusions(reproduction: Reproduction) -> Iterator[NamedGrid]:
    lines = [
        GridLine(
            conclusion.text,
            [
                Cell(str(OUTCOMES[conclusion.here.outcome])),
                Cell(str(OUTCOMES[conclusion.there.outcome])),
                Cell(_verdict(conclusion)),
            ],
        )
        for conclusion in reproduction.conclusions
    ]
    if lines:
        heads = [reproduction.study, reproduction.against, _("Verdict")]
        grid = Grid(heads, lines, _("Conclusions that the studies’ files state"), _("Conclusion"))
        yield NamedGrid("conclusions", grid)


def _verdict(conclusion: Conclusion) -> str:
    verdict = str(VERDICTS[conclusion.verdict])
    if not conclusion.by_figures_alone:
        return verdict
    return _("%(verdict)s, by published figures alone") % {"verdict": verdict}
