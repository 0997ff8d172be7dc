"""What a published table becomes here: commands, and which figure of their report is which."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What `report --json` printed, read back.
Document = Mapping[str, Any]
Pick = Callable[[Document], float | str]
PER_ITEM, POOLED = "per_item", "pooled"
ELSEWHERE = "computed elsewhere"


@dataclass(frozen=True)
class Figure:
    """One published figure, as it was printed, and how ours is found.

    note: where the two differ, why that is known.
    """

    what: str
    published: str
    pick: Pick
    note: str = ""


@dataclass(frozen=True)
class Step:
    """Commands in their order, the last of them a `report --json`, and the figures it has.

    {data} stands for the folder of published files, {made} for that of files made from them.
    expected: what the figures to be reached are, where they were not published.
    """

    commands: tuple[str, ...]
    figures: tuple[Figure, ...]
    expected: str = "published"


@dataclass(frozen=True)
class Case:
    """One data set.

    key: the folder of its files. prepare: makes files in a form that is read here, as `prepared`
    says.
    """

    key: str
    title: str
    source: str
    steps: tuple[Step, ...]
    prepared: str = ""
    prepare: Callable[[Path, Path], None] | None = None


def report(slug: str, *options: str) -> str:
    """The last command of a step; intervals are left out, since they change no value."""
    return " ".join(["report", slug, "--json --resamples 0", *options])


def row(
    metric: str,
    facet: str,
    raters: str,
    *,
    field: str = "value",
    aggregation: str = POOLED,
    group: Mapping[str, str] | None = None,
    times: float = 1,
) -> Pick:
    """A field of the one row that is about this, multiplied for another unit."""

    def pick(document: Document) -> float:
        wanted = (metric, facet, raters, aggregation, group or {})
        names = ("metric", "facet", "raters", "aggregation", "group")
        (found,) = [
            one for one in document["estimates"] if tuple(one[name] for name in names) == wanted
        ]
        return float(found[field]) * times

    return pick


def verdict(text: str) -> Pick:
    """Whether a conclusion is confirmed by the other study, in the two words of published
    reproductions."""

    def pick(document: Document) -> str:
        conclusions = document["reproduction"]["conclusions"]
        ours = next(each["verdict"] for each in conclusions if each["text"] == text)
        return "confirmed" if ours == "confirmed" else "not confirmed"

    return pick


def repeated(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """What more than one row of a report is about; there must be nothing of the kind."""
    names = ("metric", "facet", "raters", "group", "aggregation", "consensus")
    counts = Counter(tuple(str(row[name]) for name in names) for row in rows)
    return [about for about, count in counts.items() if count > 1]
