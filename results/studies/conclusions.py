"""Conclusions of a study about its systems, and whether the figures support them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agreement.values.rounding import even_pair
from estimates.catalogue import metric
from estimates.catalogue.scores import F1, MEAN, MEAN_RANK, SHARE, STRENGTH, WIN_SHARE
from estimates.catalogue.systems import DIFFERENCE_P, MEAN_DIFFERENCE, THESE_P
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.published import AGGREGATION as PUBLISHED
from estimates.data.rows import Row
from estimates.metrics.systems.differences import OTHER
from estimates.report.cache import Report
from results.reading.bounds import overlap
from results.reading.rows import RowIndex

# Metrics by which systems are told apart on the sources that both were rated on.
PAIRED = frozenset({MEAN, F1, SHARE, STRENGTH, WIN_SHARE, MEAN_RANK})


class StudyVerdict(StrEnum):
    """What the figures of one study say of a conclusion."""

    HOLDS = "holds"
    OPPOSITE = "opposite"
    NOT_SETTLED = "not settled"
    NO_FIGURES = "no figures"


class PairVerdict(StrEnum):
    """What the figures of two studies say of it together."""

    CONFIRMED = "confirmed"
    OPPOSITE = "opposite"
    NOT_SETTLED = "not settled"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Figures:
    """The figures of two systems. apart: the better one's minus the worse one's."""

    better: Row
    worse: Row

    @property
    def apart(self) -> float:
        better, worse = even_pair(float(self.better.estimate), float(self.worse.estimate))
        return better - worse

    @property
    def are_published(self) -> bool:
        """Whether nothing but the figures themselves is known."""
        return PUBLISHED in (self.better.aggregation, self.worse.aggregation)

    @property
    def overlap(self) -> bool:
        """Whether their intervals overlap, or there are none."""
        return overlap(self.better.estimate, self.worse.estimate) is not False


@dataclass(frozen=True)
class Statement:
    """One system is better than another by a metric, which may name its facet: facet/metric."""

    metric: str
    better: str
    worse: str

    def holds(self, rows: Sequence[Row]) -> bool | None:
        """Whether the figures of people alone, without their uncertainty, support it; None where
        there are no figures."""
        figures = self._figures(rows)
        return None if figures is None else self._turned(figures.apart) > 0

    def outcome(self, rows: Sequence[Row], level: float) -> StudyVerdict:
        """Whether the figures of people settle it: by the test of the two systems with p below
        the level, for raters like these or of one rater for this one; where there is none by
        intervals that do not overlap. Published figures have
        neither, and are compared as they are."""
        figures = self._figures(rows)
        if figures is None:
            return StudyVerdict.NO_FIGURES
        if figures.are_published:
            return _by_sign(self._turned(figures.apart))
        tests = [self._of_pair(rows, figures, name) for name in (DIFFERENCE_P, THESE_P)]
        test = next((p for p in tests if p is not None), None) if self._name in PAIRED else None
        if test is None:
            return _by_sign(0 if figures.overlap else self._turned(figures.apart))
        difference = self._of_pair(rows, figures, MEAN_DIFFERENCE)
        # The row holds the system first in the alphabet minus the other.
        apart = (difference or 0) * (1 if self.better < self.worse else -1)
        return _by_sign(self._turned(apart) if test < level else 0)

    def rests_on_figures_alone(self, rows: Sequence[Row]) -> bool:
        """Whether the answers behind the figures are not there."""
        figures = self._figures(rows)
        return figures is not None and figures.are_published

    @property
    def _name(self) -> str:
        return self.metric.rpartition("/")[2]

    def _turned(self, apart: float) -> float:
        """Above 0 where it speaks for the statement."""
        return -apart if metric(self._name).better == "lower" else apart

    def _figures(self, rows: Sequence[Row]) -> Figures | None:
        better, worse = (self._row(rows, name) for name in (self.better, self.worse))
        return None if better is None or worse is None else Figures(better, worse)

    def _row(self, rows: Sequence[Row], system: str) -> Row | None:
        """The one row of that system; None where there is none, or where facets differ in it."""
        facet, _slash, name = self.metric.rpartition("/")
        rows_of = RowIndex(rows).where(name, HUMANS, group={SYSTEM: system})
        own = [row for row in rows_of if not facet or row.facet in (facet, "")]
        return own[0] if len(own) == 1 and own[0].estimate.value is not None else None

    def _of_pair(self, rows: Sequence[Row], figures: Figures, name: str) -> float | None:
        """A figure of the two systems together in the same facet; None where it is not there."""
        first, second = sorted((self.better, self.worse))
        same = RowIndex(rows).of(figures.better.facet)
        estimate = same.get(name, **{SYSTEM: first, OTHER: second})
        return None if estimate is None else estimate.value


def _by_sign(apart: float) -> StudyVerdict:
    if apart == 0:
        return StudyVerdict.NOT_SETTLED
    return StudyVerdict.HOLDS if apart > 0 else StudyVerdict.OPPOSITE


@dataclass(frozen=True)
class ConclusionFinding:
    """What one study says of a conclusion. holds: by its figures alone, whatever their uncertainty.
    published: there are only published figures, which have none."""

    outcome: StudyVerdict
    holds: bool | None
    published: bool


@dataclass(frozen=True)
class Conclusion:
    """A sentence, the statements that make it up, and what each study says of them."""

    text: str
    statements: tuple[Statement, ...]
    here: ConclusionFinding
    there: ConclusionFinding

    @property
    def verdict(self) -> PairVerdict:
        """Confirmed where both studies settle that it holds; opposite where one settles that it, or
        a part of it, does not; undecided where a study has no figures."""
        outcomes = {self.here.outcome, self.there.outcome}
        if StudyVerdict.NO_FIGURES in outcomes:
            return PairVerdict.UNDECIDED
        if StudyVerdict.OPPOSITE in outcomes:
            return PairVerdict.OPPOSITE
        return (
            PairVerdict.CONFIRMED if outcomes == {StudyVerdict.HOLDS} else PairVerdict.NOT_SETTLED
        )

    @property
    def by_figures_alone(self) -> bool:
        """Whether a study has published figures only, so that chance is not ruled out."""
        return self.here.published or self.there.published


def conclusions_of(here: Report, there: Report) -> tuple[Conclusion, ...]:
    """The conclusions that the files of either study state. Those with the same text are one,
    which holds where all of its statements do."""
    stated: dict[str, dict[Statement, None]] = {}
    for text, statement in (*_stated(there), *_stated(here)):
        stated.setdefault(text, {})[statement] = None
    return tuple(
        Conclusion(text, tuple(statements), _finding(here, statements), _finding(there, statements))
        for text, statements in ((text, list(each)) for text, each in stated.items())
    )


def _stated(report: Report) -> Iterator[tuple[str, Statement]]:
    for conclusion in report.study.conclusions:
        yield (
            conclusion["text"],
            Statement(conclusion["metric"], conclusion["better"], conclusion["worse"]),
        )


def _finding(report: Report, statements: Sequence[Statement]) -> ConclusionFinding:
    level = 1 - report.options.confidence
    return ConclusionFinding(
        outcome=_together([statement.outcome(report.rows, level) for statement in statements]),
        holds=_all([statement.holds(report.rows) for statement in statements]),
        published=any(statement.rests_on_figures_alone(report.rows) for statement in statements),
    )


def _together(outcomes: Sequence[StudyVerdict]) -> StudyVerdict:
    """The worst of them: the opposite of a part is enough."""
    worst = (StudyVerdict.OPPOSITE, StudyVerdict.NO_FIGURES, StudyVerdict.NOT_SETTLED)
    return next((outcome for outcome in worst if outcome in outcomes), StudyVerdict.HOLDS)


def _all(held: Sequence[bool | None]) -> bool | None:
    """False where any is false, even if others are unknown."""
    if False in held:
        return False
    return None if None in held else True
