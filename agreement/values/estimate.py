"""One statistic with its interval, its n and, where it has no value, the reason."""

import math
from dataclasses import dataclass
from typing import Self, TypedDict

# The bounds of the intervals of an Estimate: its own, the live one, for these raters, for others,
# and the live one for these raters.
BOUNDS = (
    ("low", "high"),
    ("live_low", "live_high"),
    ("these_low", "these_high"),
    ("others_low", "others_high"),
    ("live_these_low", "live_these_high"),
)


class Counts(TypedDict, total=False):
    """The n of an Estimate, to be passed on as keywords."""

    n_units: int
    n_raters: int
    n_ratings: int


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What every statistic returns.

    Exactly one of `value` and `undefined` is set: an undefined statistic carries its reason and
    is never a number, so nobody can average it by mistake. No field is ever NaN or infinite.

    value: the statistic, in its own unit.
    sd, sd_ddof: standard deviation of what was averaged, and its divisor n - sd_ddof.
    low, high: bounds of the interval; both None where none was asked for or none exists, and
        then `interval_method` says why if one was asked for.
    confidence: coverage the interval aims at, in (0, 1).
    live_low, live_high, live_method: the same of the anytime-valid interval, which holds at all
        looks together while answers come in; None where none was asked for.
    these_low, these_high, these_method: the interval for these raters and other sources.
    others_low, others_high, others_method: the interval for raters like them and other sources.
        Both stand beside the interval where several raters answered and both were computed; one
        of them then has the bounds `low` and `high`. None elsewhere.
    live_these_low, live_these_high, live_these_method: the live interval for these raters, where
        that of `live_low` and `live_high` is for raters like them; None elsewhere.
    n_units, n_raters, n_ratings: what entered the statistic; None where the notion does not apply.
    """

    value: float | None = None
    sd: float | None = None
    sd_ddof: int | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    n_units: int | None = None
    n_raters: int | None = None
    n_ratings: int | None = None
    interval_method: str | None = None
    undefined: str | None = None
    live_low: float | None = None
    live_high: float | None = None
    live_method: str | None = None
    these_low: float | None = None
    these_high: float | None = None
    these_method: str | None = None
    others_low: float | None = None
    others_high: float | None = None
    others_method: str | None = None
    live_these_low: float | None = None
    live_these_high: float | None = None
    live_these_method: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError("an Estimate has either a value or a reason why it is undefined")
        if self.undefined == "":
            raise ValueError("an undefined Estimate must say why")
        for name in ("value", "sd", "confidence", *(bound for two in BOUNDS for bound in two)):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} must be finite, not {number}")
        for low, high in BOUNDS:
            if (getattr(self, low) is None) != (getattr(self, high) is None):
                raise ValueError(f"an interval has both bounds or none: {low}, {high}")
        if self.undefined is not None and (self.low is not None or self.sd is not None):
            raise ValueError("an undefined Estimate has no interval and no standard deviation")

    def __float__(self) -> float:
        """The value; ValueError with the reason where there is none."""
        if self.value is None:
            raise ValueError(f"undefined: {self.undefined}")
        return self.value

    @classmethod
    def missing(
        cls,
        reason: str,
        *,
        n_units: int | None = None,
        n_raters: int | None = None,
        n_ratings: int | None = None,
    ) -> Self:
        """An Estimate without a value, and why."""
        return cls(undefined=reason, n_units=n_units, n_raters=n_raters, n_ratings=n_ratings)
