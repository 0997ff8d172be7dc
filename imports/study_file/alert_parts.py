"""Parts of a study file that watch the study: its budget, and when its alerts open."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from imports.study_file.doors import drawn
from imports.study_file.parts import Share, StudyFilePart

Amount = Annotated[Decimal, Field(gt=0, max_digits=10, decimal_places=2)]


class BudgetPart(StudyFilePart):
    """What the study may cost: what people have earned, what open batches would earn and, where
    the study pays in USD, what judges have cost.
    """

    amount: Amount = drawn(..., "Budget", control="money", section="budget")
    """In the currency of the study; in quotes."""
    warn_at: Share = drawn(
        0.8, "Warn at this percentage of it", control="percent", section="budget"
    )
    """An alert opens at this share of it."""
    pause: bool = drawn(
        default=False,
        label="When it is spent, pause the study (open batches are paid)",
        section="budget",
    )
    """Whether the study is paused once it is reached: open batches are finished and paid."""

    def as_stored(self) -> dict[str, Any]:
        """The budget as `Study.budget` holds it."""
        return self.model_dump(mode="json")


class AlertsPart(StudyFilePart):
    """When alerts open. An empty value turns one off."""

    agreement_fall: Annotated[float, Field(gt=0, le=2)] | None = drawn(
        0.1, "Agreement (α) has fallen by"
    )
    """Agreement (α) among people is this far below the highest that it was, and the highest lies
    outside of its interval."""
    agreement_below: Annotated[float, Field(ge=-1, le=1)] | None = drawn(
        None, "Agreement (α) is below"
    )
    """Agreement (α) is below this."""
    fast_share: Annotated[float, Field(gt=0, le=1)] | None = drawn(
        0.25, "Faster than % of the expected minutes", control="percent"
    )
    """A worker took less than this share of the expected minutes for a batch without a
    decision."""
    control_accuracy: Annotated[float, Field(gt=0, le=1)] | None = drawn(
        0.6, "Controls answered right, less than %", control="percent"
    )
    """Less than this share of the controls in the newest batches was answered right."""
    judge_failures: Annotated[float, Field(gt=0, le=1)] | None = drawn(
        0.2, "Calls of a judge that fail, above %", control="percent"
    )
    """More than this share of a run's calls failed, or the run did."""
    silent_hours: Annotated[int, Field(ge=1, le=24 * 90)] | None = drawn(
        24, "Hours without a submitted batch"
    )
    """No batch was submitted for so long, though some are left."""
    drift: Annotated[float, Field(ge=0, lt=1)] | None = drawn(
        0.0,
        "A judge’s answers changed beyond chance, above %",
        control="percent",
        most=99,
    )
    """A judge that is asked a probe set again has changed this much larger a share of its answers
    than it changes at once."""

    def as_stored(self) -> dict[str, Any]:
        """The thresholds as `Study.alert_rules` holds them: what is not at its default."""
        return self.model_dump(exclude_defaults=True)
