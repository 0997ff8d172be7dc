"""What a page of results is narrowed to, and who and what it puts first."""

from collections.abc import Mapping
from dataclasses import dataclass

from results.caching import Report
from results.parties import HUMANS, SIMULATED

HEADLINES = ("f1", "mean")


@dataclass(frozen=True)
class Choice:
    """What the page is narrowed to."""

    setting: str = ""
    system: str = ""

    @property
    def group(self) -> dict[str, str]:
        chosen = {"setting": self.setting, "system": self.system}
        return {key: name for key, name in chosen.items() if name}


@dataclass(frozen=True)
class Choices:
    """What the page may be narrowed to."""

    settings: tuple[str, ...]
    systems: tuple[str, ...]

    def pick(self, asked: Mapping[str, str]) -> Choice:
        """What was asked for, as far as it exists."""
        setting, system = asked.get("setting", ""), asked.get("system", "")
        return Choice(
            setting if setting in self.settings else "", system if system in self.systems else ""
        )


def choices_of(report: Report) -> Choices:
    """The subsets and systems that have numbers of their own."""

    def names(key: str) -> tuple[str, ...]:
        found = {row.group[key] for row in report.rows if key in row.group}
        return tuple(sorted(found))

    return Choices(names("setting"), names("system"))


def shown_parties(report: Report) -> list[str]:
    """Who is shown beside each other: those whose figures are given for parts as well."""
    judges = {row.raters for row in report.rows if row.raters.partition("@")[0] in report.versions}
    return [HUMANS, SIMULATED, *sorted(judges)]


def headline(report: Report, facet: str) -> str:
    """The metric that stands for the others; empty where a facet has none of its own."""
    metrics = {row.metric for row in report.rows if row.facet == facet}
    return next((name for name in HEADLINES if name in metrics), "")
