"""How close a worker's answers are to those of judges, beside what is expected: as evidence, with
its uncertainty. Nothing here enters pay or a rule of a round; a researcher may name it in an
exclusion rule, whose effect they then look at before it applies."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agreement import Estimate
from annotation import rater_names
from annotation.models import Rater, Study
from desk.worker_records.agreement import facet_titles
from estimates.catalogue.agreement import (
    JUDGE_SIMILARITY,
    JUDGE_SIMILARITY_Q,
    SIMILARITY_TO_JUDGE,
    SIMILARITY_TO_PEOPLE,
)
from estimates.data.report_names import report_names
from estimates.data.rows import Row
from estimates.report.newest import newest_similarity

LEAST_Q = 0.001


@dataclass(frozen=True)
class BesideJudge:
    """A worker beside a judge in one facet. Without a q there is only the reason why."""

    judge: str
    facet: str
    title: str
    excess: Estimate
    q: float | None = None
    to_judge: float | None = None
    to_people: float | None = None

    @property
    def q_text(self) -> str:
        """q in words of a table: never 0, which no such figure is."""
        if self.q is None:
            return "–"
        return "< 0.001" if self.q < LEAST_Q else f"{self.q:.3f}"

    @property
    def expected(self) -> float | None:
        """The similarity to the judge of somebody as close to other people."""
        if self.to_judge is None or self.excess.value is None:
            return None
        return self.to_judge - self.excess.value


@dataclass(frozen=True)
class BesideJudges:
    """All workers of a study beside its judges, by rater name, as counted last.

    judges: every judge compared with. outdated: answers have come since `counted_at`.
    """

    by_rater: Mapping[str, Sequence[BesideJudge]]
    judges: Sequence[str]
    counted_at: datetime | None = None
    outdated: bool = False

    def of(self, rater: str, judge: str = "") -> list[BesideJudge]:
        """Of one worker, beside one judge or all; what is told apart best comes first."""
        each = [one for one in self.by_rater.get(rater, ()) if judge in ("", one.judge)]
        return sorted(each, key=lambda one: (one.q is None, one.q or 0.0))

    def furthest(self, rater: str, judge: str = "") -> BesideJudge | None:
        """The one with the lowest q, or without any q the first; None where there is none."""
        return next(iter(self.of(rater, judge)), None)


def beside_judges(study: Study) -> BesideJudges | None:
    """What was counted last; None where that has yet to be done. Without judges it is empty."""
    judges = list(study.raters.filter(kind=Rater.Kind.JUDGE))
    if not judges:
        return BesideJudges({}, ())
    report = newest_similarity(study)
    if report is None:
        return None
    titles = facet_titles(study)
    by_rater: dict[str, list[BesideJudge]] = defaultdict(list)
    for (facet, pair), rows in _by_pair(report.rows).items():
        rater, _between, judge = pair.partition(rater_names.BETWEEN)
        by_rater[rater].append(_beside(judge, facet, titles.get(facet, facet), rows))
    names = {report_names(study, judges)[judge.pk] for judge in judges}
    met = {one.judge for each in by_rater.values() for one in each}
    return BesideJudges(by_rater, sorted(names & met), report.computed_at, report.outdated)


def _by_pair(rows: Sequence[Row]) -> Mapping[tuple[str, str], Mapping[str, Estimate]]:
    by_pair: dict[tuple[str, str], dict[str, Estimate]] = defaultdict(dict)
    for row in rows:
        by_pair[row.facet, row.raters][row.metric] = row.estimate
    return by_pair


def _beside(judge: str, facet: str, title: str, rows: Mapping[str, Estimate]) -> BesideJudge:
    q, to_judge, to_people = (
        rows[name].value if name in rows else None
        for name in (JUDGE_SIMILARITY_Q, SIMILARITY_TO_JUDGE, SIMILARITY_TO_PEOPLE)
    )
    return BesideJudge(judge, facet, title, rows[JUDGE_SIMILARITY], q, to_judge, to_people)


def excesses(
    study: Study, participations: Collection[int], judge: str = ""
) -> dict[int, float | None]:
    """Per participation the excess that is told apart best, beside one judge or all, for the order
    of a list."""
    compared = beside_judges(study)
    if compared is None:
        return {}
    raters = Rater.objects.filter(participation__in=participations)
    names = raters.values_list("participation", "name")
    furthest = {key: compared.furthest(name, judge) for key, name in names if key is not None}
    return {key: one.excess.value for key, one in furthest.items() if one is not None}
