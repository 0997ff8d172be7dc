"""What an asking differs in from the baseline of its probe set, and whether that is drift.

Drift is found where the interval of one of the measures lies apart from no change: of the share of
changed answers wholly above the study's threshold, of a mean difference or of the share of right
answers on one side of 0, of the last with an exact p as small. All intervals of one look have the
confidence of `confidence_at_look`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from agreement import Estimate

CHANGE, MEAN = "drift_change", "drift_mean"
ACCURACY, ACCURACY_P = "drift_accuracy", "drift_accuracy_p"
# With fewer units that have all answers, nothing is said.
LEAST_UNITS = 10


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One comparison. name: of its metric. facet, title: what is compared, in words.

    first, newest: shares of right answers, or means; of a change, the share of answers that differ
    from the first as `newest`, and those of the second replicate as `noise`. p_value: McNemar's.
    """

    name: str
    facet: str
    title: str
    estimate: Estimate
    first: float | None = None
    newest: float | None = None
    noise: float | None = None
    p_value: float | None = None

    def is_found(self, threshold: float) -> bool:
        """Whether its interval lies apart from no change."""
        low, high = self.estimate.low, self.estimate.high
        if low is None or high is None:
            return False
        if self.name == CHANGE:
            return low > threshold
        return (low > 0 or high < 0) and self.is_significant

    @property
    def is_significant(self) -> bool:
        """Whether McNemar's exact p, where there is one, is within the error of the interval. For
        few questions Newcombe's interval misses its truth a little too often."""
        confidence = self.estimate.confidence
        if self.p_value is None or confidence is None:
            return True
        return self.p_value <= 1 - confidence

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The measure that `asdict` wrote."""
        return cls(**{**stored, "estimate": Estimate(**stored["estimate"])})


@dataclass(frozen=True, kw_only=True)
class Drift:
    """An asking compared with the baseline.

    units, questions: with all answers. unanswered: questions that lack one. retired: units of the
    set that are not asked any more; sealed: those of the half that judges are tested on. threshold:
    which share of changed answers is tolerated. found: None where there are too few units to say.
    models: what the backend said it was at the baseline and now, where that differs.
    """

    look: int
    units: int
    questions: int
    unanswered: int
    retired: int
    threshold: float
    confidence: float
    measures: tuple[Measure, ...]
    found: bool | None
    models: tuple[str, str] | None = None
    sealed: int = 0

    def as_json(self) -> dict[str, Any]:
        """As `DriftCheck.figures` keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """What `as_json` wrote."""
        measures = tuple(Measure.from_json(measure) for measure in stored["measures"])
        models = stored.get("models") and tuple(stored["models"])
        return cls(**{**stored, "measures": measures, "models": models})

    @property
    def apart(self) -> list[Measure]:
        """The measures in which drift was found."""
        return [measure for measure in self.measures if measure.is_found(self.threshold)]

    @property
    def headline(self) -> Measure | None:
        """The measure to name first: one that shows drift, else the share of changes."""
        return next(iter([*self.apart, *self.measures]), None)
