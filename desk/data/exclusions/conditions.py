"""The conditions of an exclusion rule, as data and in words."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

LONGEST = 200


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """A worker whom any of these describes is excluded; empty ones describe nobody.

    control_accuracy: the share of controls answered right is below this, after `least_controls` of
    them. seconds: the median of seconds per answer is below this. longest_run: the same answer was
    given more often in a row. likeness_q: answers are closer to a judge's than expected, with a q
    below this. rejected: so many batches or more were excluded on review. workers: these numbers.
    """

    control_accuracy: float | None = None
    least_controls: int = 1
    seconds: float | None = None
    longest_run: int | None = None
    likeness_q: float | None = None
    rejected: int | None = None
    workers: tuple[int, ...] = ()

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The conditions that `as_json` wrote."""
        return cls(**{**stored, "workers": tuple(stored.get("workers", ()))})

    def as_json(self) -> dict[str, Any]:
        """What is set, as plain JSON."""
        fields = {name: value for name, value in asdict(self).items() if value not in (None, ())}
        if self.control_accuracy is None:
            fields.pop("least_controls")
        if self.workers:
            fields["workers"] = sorted(set(self.workers))
        return fields

    @property
    def digest(self) -> str:
        """The same for the same conditions."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()

    @property
    def text(self) -> str:
        """The rule in words, as the reason beside every answer that it excludes."""
        text = " or ".join(self._parts())
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

    def _parts(self) -> Iterator[str]:
        if self.control_accuracy is not None:
            least = f" of {self.least_controls} or more" if self.least_controls > 1 else ""
            yield f"fewer than {100 * self.control_accuracy:g} % of controls{least} right"
        if self.seconds is not None:
            yield f"median of less than {self.seconds:g} s per answer"
        if self.longest_run is not None:
            times = "once" if self.longest_run == 1 else f"{self.longest_run} times"
            yield f"the same answer more than {times} in a row"
        if self.likeness_q is not None:
            yield f"more similar to a judge than expected (q < {self.likeness_q:g})"
        if self.rejected is not None:
            yield f"{self.rejected} or more batches excluded on review"
        if self.workers:
            yield f"named: {', '.join(f'worker-{number}' for number in sorted(set(self.workers)))}"
