"""What the rules of alerts look at."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotation.models import Study
from imports.study_file.alert_parts import AlertsPart, BudgetPart


@dataclass(frozen=True)
class Watched:
    """A study at one check.

    open: the kinds of alerts that are open. memory: what a rule remembers, by its kind; changes of
    it are kept.
    """

    study: Study
    now: datetime
    open: frozenset[str] = frozenset()
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def thresholds(self) -> AlertsPart:
        return AlertsPart.model_validate(self.study.alert_rules)

    @property
    def budget(self) -> BudgetPart | None:
        return BudgetPart.model_validate(self.study.budget) if self.study.budget else None

    @property
    def is_open(self) -> bool:
        """Whether batches are given out."""
        return self.study.state == Study.State.OPEN and self.study.paused_at is None
