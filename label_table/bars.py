"""A figure held against a bar, as continuous integration asks for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from estimates.catalogue import alpha_of, every_metric, metric
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from files.errors import ImportFailure
from label_table.check import Check, pair_with_people

# What a run ends with: as it should be; below the bar; it cannot be told.
FINE, MISSED, UNTOLD = 0, 1, 2


@dataclass(frozen=True)
class Bar:
    """The bar of a metric. above: the figure must not fall below it, else not rise above. judges:
    of whom; empty: people among themselves and every judge, as far as the metric has figures of
    them. name: empty for α with the distance of the labels. bound:
    the worse end of the interval is held against it, and not the value."""

    value: float
    name: str = ""
    judges: Sequence[str] = ()
    above: bool = True
    bound: bool = False


@dataclass(frozen=True)
class Held:
    """One figure beside the bar."""

    row: Row
    bar: Bar

    @property
    def held(self) -> float | None:
        """What is held against the bar: the value, or the worse end of its interval."""
        estimate = self.row.estimate
        if not self.bar.bound or estimate.value is None:
            return estimate.value
        return estimate.low if self.bar.above else estimate.high

    @property
    def status(self) -> int:
        """FINE, MISSED, or UNTOLD where the figure is undefined."""
        held = self.held
        if held is None:
            return UNTOLD
        reached = held >= self.bar.value if self.bar.above else held <= self.bar.value
        return FINE if reached else MISSED

    @property
    def name(self) -> str:
        """`krippendorff_alpha_nominal of humans~gpt-4o`."""
        group = "".join(f", {key} {value}" for key, value in self.row.group.items())
        return f"{self.row.metric} of {self.row.raters}{group}"

    @property
    def text(self) -> str:
        """The same with its value, the bar and what came of it."""
        value, held = self.row.estimate.value, self.held
        if value is None:
            return f"{self.name} is undefined: {self.row.estimate.undefined}"
        if held is None:
            return f"{self.name} is {value:.4f}, and has no interval to hold against the bar"
        words = ("at least", "below") if self.bar.above else ("at most", "above")
        came = f"{words[0] if self.status == FINE else words[1]} {self.bar.value:g}"
        if not self.bar.bound:
            return f"{self.name} is {value:.4f}, {came}"
        end = "lower" if self.bar.above else "upper"
        return f"{self.name} is {value:.4f}, the {end} end of its interval {held:.4f}, {came}"


def hold(check: Check, bar: Bar) -> Sequence[Held]:
    """Every figure that the bar is for. ImportFailure for a bar that is for nothing."""
    path = check.table.name
    name = bar.name or alpha_of(check.facet.distance)
    better = metric(name).better
    if name not in {each.name for each in every_metric()}:
        near = get_close_matches(name, sorted({row.metric for row in check.rows}), n=3)
        hint = f" (do you mean {', '.join(near)}?)" if near else ""
        raise ImportFailure(path, "--metric", f"no metric {name!r}{hint}")
    wrong = "lower" if bar.above else "higher"
    if better == wrong:
        option = "--fail-over" if bar.above else "--fail-under"
        raise ImportFailure(path, "--metric", f"{name}: {better} is better; use {option}")
    held = [Held(row, bar) for row in _rows(check, name, bar)]
    if not held:
        of = ", ".join(bar.judges) or "people or judges"
        there = ", ".join(sorted({row.metric for row in check.rows if not row.group}))
        raise ImportFailure(path, "--metric", f"no {name} of {of} in this table (it has: {there})")
    return held


def _rows(check: Check, name: str, bar: Bar) -> Iterator[Row]:
    if not bar.judges:
        yield from check.rows_of(HUMANS, name)
    for judge in bar.judges or check.judges:
        if judge not in check.judges:
            there = ", ".join(check.judges) or "none"
            reason = f"no judge {judge!r} (there are: {there})"
            raise ImportFailure(check.table.name, "--judge", reason)
        yield from check.rows_of(pair_with_people(judge), name) or check.rows_of(judge, name)


def status_of(held: Sequence[Held]) -> int:
    """Of all together; 0 where there is no bar."""
    statuses = {each.status for each in held}
    return UNTOLD if UNTOLD in statuses else max(statuses, default=FINE)
