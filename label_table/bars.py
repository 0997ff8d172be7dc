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
    them. name: empty for α with the distance of the labels."""

    value: float
    name: str = ""
    judges: Sequence[str] = ()
    above: bool = True


@dataclass(frozen=True)
class Held:
    """One figure beside the bar."""

    row: Row
    bar: Bar

    @property
    def status(self) -> int:
        """FINE, MISSED, or UNTOLD where the figure is undefined."""
        value = self.row.estimate.value
        if value is None:
            return UNTOLD
        reached = value >= self.bar.value if self.bar.above else value <= self.bar.value
        return FINE if reached else MISSED

    @property
    def name(self) -> str:
        """`krippendorff_alpha_nominal of humans~gpt-4o`."""
        group = "".join(f", {key} {value}" for key, value in self.row.group.items())
        return f"{self.row.metric} of {self.row.raters}{group}"

    @property
    def text(self) -> str:
        """The same with its value, the bar and what came of it."""
        value = self.row.estimate.value
        if value is None:
            return f"{self.name} is undefined: {self.row.estimate.undefined}"
        reached = self.status == FINE
        words = ("at least", "below") if self.bar.above else ("at most", "above")
        return f"{self.name} is {value:.4f}, {words[0] if reached else words[1]} {self.bar.value:g}"


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
