"""Parts of a study file about its results: conclusions to be checked, and when it closes."""

from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from agreement import DISTANCES
from imports.study_file.parts import Part, Text


class ConclusionPart(Part):
    """A published sentence that says one system is better than another by a metric."""

    text: Text
    """The sentence; several entries with one text are one conclusion."""
    metric: Text
    """By which, such as `mean` or `coverage/mean_rank`."""
    better: Text
    """The two systems."""
    worse: Text
    """The two systems."""


# Metrics with intervals that hold at every look, on which a rule may rest.
LIVE_METRICS = (
    *(f"krippendorff_alpha_{distance}" for distance in DISTANCES),
    *("raw_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"),
    *("fleiss_kappa", "gwet_ac1", "gwet_ac2", "precision", "recall", "f1", "mean", "share"),
    *("win_share", "mean_difference"),
)


class StopPart(Part):
    """When the study closes by itself: nothing more is given out, open batches may be submitted."""

    metric: Text
    """Of which figure, such as `krippendorff_alpha_nominal` or `mean_difference`."""
    facet: str = ""
    """Of the figure; empty where one facet has it."""
    raters: Text = "humans"
    """`humans`, or a pair such as `humans~lexical`."""
    group: dict[str, str] = {}
    """Of the figure, such as `{system: a, other_system: b}`; without it the whole study."""
    half_width: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Narrow enough: half of the interval that holds at every look is at most this."""
    excludes: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Decided: this value lies outside that interval; 0 for a difference."""

    @field_validator("metric")
    @classmethod
    def _is_live(cls, metric: str) -> str:
        if metric not in LIVE_METRICS:
            known = ", ".join(LIVE_METRICS)
            raise ValueError(f"{metric!r} has no interval that holds at every look ({known})")
        return metric

    @model_validator(mode="after")
    def _has_one_end(self) -> Self:
        if (self.half_width is None) == (self.excludes is None):
            raise ValueError("half_width: give either half_width or excludes")
        return self

    def as_stored(self) -> dict[str, Any]:
        """The rule as `Study.stop_rule` holds it."""
        return self.model_dump(exclude_none=True)
