"""What each system wrote for a study and what that took: lengths, citations, evidence, cost.

Texts are the study's items. Tokens, evidence and cost are known of those that `generate` has
written here, from its journals.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import fmean
from typing import Any, NamedTuple

from annotation.models import Item, Study
from generators.journal import study_lines
from judges.runs.plans.amounts import in_usd

# The mean number of passages of evidence that people selected for a claim.
PUBLISHED_EVIDENCE = 3.16
PUBLISHED_IN = "Evaluating Evidence Attribution in Generated Fact Checking Explanations, Table 2"


class Written(NamedTuple):
    """Whose texts: a system, on whose evidence, under which condition."""

    system: str
    evidence_source: str = ""
    condition: str = ""

    def __str__(self) -> str:
        evidence = f"{self.evidence_source} evidence" if self.evidence_source else ""
        return ", ".join(filter(None, (self.system, evidence, self.condition)))


@dataclass(frozen=True)
class TextStatistics:
    """The texts of a system, and what they took.

    words, citations: means of its texts; citations counts the passages that a text cites, each
    once. tokens: mean of the replies that its texts were read from, as the endpoint counts them.
    evidence: mean number of passages that a text was to rest on. calls, tokens_in, tokens_out,
    spent: of all of its conversations, also of those that failed, which `failures` counts by
    reason. None where that is not known.
    """

    of: Written
    texts: int
    words: float | None
    citations: float | None
    tokens: float | None = None
    evidence: float | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    spent: Decimal | None = None
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many conversations came to nothing."""
        return sum(self.failures.values())

    def __str__(self) -> str:
        means = {
            "words": self.words,
            "tokens": self.tokens,
            "citations": self.citations,
            "passages of evidence": self.evidence,
        }
        parts = [f"{value:.2f} {name}" for name, value in means.items() if value is not None]
        took = f"{self.calls:,} calls, tokens {self.tokens_in:,} in, {self.tokens_out:,} out"
        cost = "" if self.spent is None else f", {in_usd(self.spent)}"
        failed = [f"{n} × {reason}" for reason, n in sorted(self.failures.items())]
        return "; ".join(
            [
                f"{self.of}: {self.texts:,} texts",
                *([f"on average {', '.join(parts)}"] if parts else []),
                *([took + cost] if self.calls else []),
                *([f"failed: {', '.join(failed)}"] if failed else []),
            ]
        )


def text_statistics(study: Study) -> list[TextStatistics]:
    """Of every system of the study, by evidence and condition, and of those that only failed."""
    items: dict[Written, list[Item]] = {}
    by_key: dict[str, Written] = {}
    for item in study.items.order_by("pk").iterator(500):
        of = Written(item.system, item.evidence_source, item.condition)
        items.setdefault(of, []).append(item)
        by_key[item.key] = of
    lines: dict[Written, list[Mapping[str, Any]]] = {}
    for line in study_lines(study.slug):
        whose = _whose(line, by_key)
        if whose is not None:
            lines.setdefault(whose, []).append(line)
    return [_of(of, items.get(of, []), lines.get(of, [])) for of in dict.fromkeys([*items, *lines])]


def _whose(line: Mapping[str, Any], by_key: Mapping[str, Written]) -> Written | None:
    """None for a line about something else than a text."""
    if "system" in line:
        return Written(line["system"], line["evidence_source"], line["condition"])
    # Lines of before systems were kept.
    return by_key.get(line["item"]) if "lengths" in line else None


def _of(of: Written, items: Iterable[Item], lines: Iterable[Mapping[str, Any]]) -> TextStatistics:
    texts = [item.material for item in items]
    there, lines = {item.key for item in texts}, list(lines)
    last = {line["item"]: line for line in lines if line["written"] and line["item"] in there}
    calls = [call for line in lines for call in line["calls"]]
    costs = [Decimal(call["cost"]) for call in calls if call["cost"] is not None]
    return TextStatistics(
        of=of,
        texts=len(texts),
        words=_mean(len(item.text.split()) for item in texts),
        citations=_mean(len(item.cited) for item in texts),
        tokens=_mean(line["calls"][-1]["tokens_out"] for line in last.values()),
        evidence=_mean(len(line["written"]["given"]) or None for line in last.values()),
        calls=len(calls),
        tokens_in=sum(call["tokens_in"] or 0 for call in calls),
        tokens_out=sum(call["tokens_out"] or 0 for call in calls),
        spent=sum(costs, Decimal(0)) if costs else None,
        failures=_failures(lines),
    )


def _failures(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Conversations that came to nothing, by the reason of the first call that failed."""
    failures: dict[str, int] = {}
    for line in lines:
        reasons = [call["error"] for call in line["calls"] if call["failure"]]
        if not line["written"] and reasons:
            failures[reasons[0]] = failures.get(reasons[0], 0) + 1
    return failures


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def in_words(statistics: Iterable[TextStatistics]) -> list[str]:
    """A line for each system, and what evidence is compared with where some is known."""
    rows = list(statistics)
    published = (
        f"{PUBLISHED_EVIDENCE} passages of evidence were published for people ({PUBLISHED_IN})"
    )
    known = any(row.evidence is not None for row in rows)
    return [*map(str, rows), *([published] if known else [])]
