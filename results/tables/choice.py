"""The part of a study that a page of results is narrowed to, and its main parties and metric."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from agreement import RESAMPLES
from annotation.models import Study
from annotation.queries.group_keys import OF_RATERS
from estimates.catalogue import first_headline
from estimates.data.options import SCORES, Options
from estimates.data.own_groups import in_order
from estimates.data.parties import HUMANS, MOST_SINGLE, SIMULATED, judge_in
from estimates.report import newest
from estimates.report.cache import Report, report_of
from estimates.report.live import as_shown
from results.reading.titles import key_title

# Parts that a report has figures for; the others of a choice make another report.
PARTS = ("setting", "system", "evidence_source", "round")


@dataclass(frozen=True)
class PageFilter:
    """What the page is narrowed to. only, without: a person whose answers alone count, or do not;
    excluded: "1" where excluded answers count as well. resample: sources where intervals are to
    speak of these raters only. own: a group by an own column, each with the column's key."""

    setting: str = ""
    system: str = ""
    evidence_source: str = ""
    round: str = ""
    only: str = ""
    without: str = ""
    excluded: str = ""
    resample: str = ""
    own: tuple[tuple[str, str], ...] = ()

    @property
    def group(self) -> dict[str, str]:
        """The part of the study whose figures are shown."""
        return {key: name for key in PARTS if (name := getattr(self, key))} | dict(self.own)

    @property
    def asked(self) -> dict[str, str]:
        """The choice as parameters of an address."""
        named = [field.name for field in fields(self) if field.name != "own"]
        return {name: asked for name in named if (asked := getattr(self, name))} | dict(self.own)

    @property
    def options(self) -> Options:
        """Which answers count."""
        return Options(
            only=self.only,
            without=self.without,
            excluded=bool(self.excluded),
            resample=self.resample or SCORES,
        )

    @property
    def counts_others(self) -> bool:
        """Whether other answers count than by default."""
        return bool(self.only or self.without or self.excluded)


class OwnFilter(NamedTuple):
    """The groups by an own column. title: of the column; groups: each with the column's key."""

    key: str
    title: str
    groups: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageFilters:
    """What the page may be narrowed to. recounts: other answers may be counted while it waits.
    crowded: there are too many people to choose one of them. own: by own columns."""

    settings: tuple[str, ...]
    systems: tuple[str, ...]
    evidence_sources: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    recounts: bool = False
    crowded: bool = False
    own: tuple[OwnFilter, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to choose."""
        parts = (self.settings, self.systems, self.evidence_sources, self.rounds, self.raters)
        return self.recounts or any(parts) or bool(self.own)

    def pick(self, parameters: Mapping[str, str]) -> PageFilter:
        """What was asked for, as far as it exists."""

        def offered(key: str, names: tuple[str, ...]) -> str:
            name = parameters.get(key, "")
            return name if name in names else ""

        only = offered("only", self.raters)
        return PageFilter(
            setting=offered("setting", self.settings),
            system=offered("system", self.systems),
            evidence_source=offered("evidence_source", self.evidence_sources),
            round=offered("round", self.rounds),
            only=only,
            without="" if only else offered("without", self.raters),
            excluded="1" if self.recounts and parameters.get("excluded") else "",
            resample=offered("resample", RESAMPLES if self.recounts else ()),
            own=tuple(
                group
                for each in self.own
                for group in each.groups
                if group == (each.key, parameters.get(each.key))
            ),
        )


def choices_of(
    report: Report, raters: tuple[str, ...] = (), *, recounts: bool = False
) -> PageFilters:
    """The parts that have numbers of their own."""

    def names(key: str) -> tuple[str, ...]:
        present = {row.group[key] for row in report.rows if key in row.group}
        return tuple(sorted(present))

    settings, systems, evidence_sources, rounds = (names(key) for key in PARTS)
    own = tuple(
        OwnFilter(key, key_title(key), tuple((key, name) for name in in_order(there)))
        for key in report.study.group_by
        if (there := names(key))
    )
    return PageFilters(settings, systems, evidence_sources, rounds, raters, recounts, own=own)


def choices_for(study: Study, report: Report) -> PageFilters:
    """The same with the people whom a small study may be narrowed to."""
    if not newest.is_small(study):
        return choices_of(report)
    people = _people(study)
    few = len(people) <= MOST_SINGLE
    choices = choices_of(report, people if few else (), recounts=True)
    return choices if few else replace(choices, crowded=True)


def _people(study: Study) -> tuple[str, ...]:
    """By name; no more than it takes to tell that there are too many to choose from."""
    people = study.known_people.order_by("kind", "name")
    return tuple(dict.fromkeys(people.values_list("name", flat=True)[: MOST_SINGLE + 1]))


def recounting(study: Study, parameters: Mapping[str, str]) -> Options:
    """Which answers are to count, as far as a page may ask for others than usual."""
    other = any(parameters.get(name) for name in ("only", "without", "excluded"))
    if not other or not newest.is_small(study):
        return Options()
    people = _people(study)
    raters = people if len(people) <= MOST_SINGLE else ()
    return PageFilters((), (), raters=raters, recounts=True).pick(parameters).options


def chosen_report(report: Report, choice: PageFilter) -> Report:
    """The report of the answers that are to count."""
    if choice.options == Options():
        return report
    other = as_shown(report_of(report.study, choice.options))
    if not any(key.startswith(OF_RATERS) for row in report.rows for key in row.group):
        return other
    grouped = replace(choice.options, rater_groups=True)
    return other.with_rows(as_shown(report_of(report.study, grouped)))


def has_figures(report: Report, choice: PageFilter) -> bool:
    """Whether figures are given for that part: some parts of parts have none."""
    return not choice.group or any(row.group == choice.group for row in report.rows)


def shown_parties(report: Report) -> list[str]:
    """The parties shown beside each other: those that have figures for parts too."""
    judges = {row.raters for row in report.rows if judge_in(row.raters, report.versions)}
    return [HUMANS, SIMULATED, *sorted(judges)]


def headline(report: Report, facet: str) -> str:
    """The headline metric of a facet; empty where it has none."""
    return first_headline({row.metric for row in report.rows if row.facet == facet})
