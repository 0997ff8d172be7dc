"""The figures of all workers that a page shows at once, however large the study.

They go through every answer of the workers and of those who answered the same. Of a small study
that happens while the page waits. Of a large one a job does it after answers have changed; until
then pages show what the last one came to, and say as of when. Nothing here is money, batches or
states, which pages read as they are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from pydantic import TypeAdapter

from annotation.models import Study
from desk.data.background.kinds import Parameters, QueryKind
from desk.worker_records.agreement import agreement
from desk.worker_records.given import signs_of_all
from desk.worker_records.paradata import Conduct, conduct
from desk.worker_records.record import Figures, figures_of
from desk.worker_records.signs import Sign
from estimates.report.cache import revision_of
from estimates.report.newest import is_small
from jobs.kinds import JobOutcome
from jobs.models import Job
from jobs.queue import ask_unless_resting

# So many people at a time: their answers, and those to the same questions, are in memory.
PEOPLE = 25
# What a job keeps, by participation.
Stored = tuple[Figures, Conduct | None]
STORED = TypeAdapter(dict[int, Stored])


class WorkerFigures(QueryKind):
    """The figures of everybody in a study, which pages show until there are newer ones."""

    waits = True

    def forget(self, now: datetime) -> None:
        """Remove jobs that ended some time ago, but for the newest outcome."""
        ended = Job.objects.filter(kind=self.name, ended_at__lt=now - self.limits.kept)
        ended.filter(outcome__isnull=True).delete()


def _page(study: Study, _parameters: Parameters) -> str:
    return reverse("desk:workers", args=[study.slug])


def _computed(study: Study, _parameters: Parameters) -> JobOutcome:
    outcome: JobOutcome = STORED.dump_python(dict(_figures_of_all(study)), mode="json")
    return outcome


FIGURES = WorkerFigures(
    name="worker_figures",
    title="Figures of workers",
    asked_on="desk:workers",
    page=_page,
    compute=_computed,
)


@dataclass(frozen=True)
class NewestFigures:
    """The figures to show now, by participation. kept_at: as of when; None: now. outdated: what
    they rest on has changed since."""

    figures: Mapping[int, Figures]
    conducts: Mapping[int, Conduct]
    kept_at: datetime | None = None
    outdated: bool = False


def newest_figures(study: Study, participations: Collection[int]) -> NewestFigures | None:
    """Of these people at least; None where a large study's were never computed. Whoever came since
    they were kept has none."""
    if is_small(study):
        figures = figures_of(study, participations, agreement(study), signs_of_all(study))
        return NewestFigures(figures, conduct(study))
    kept = FIGURES.outcome_at(study, {})
    outdated = kept is None or kept.revision != revision_of(study)
    if outdated:
        ask_unless_resting(FIGURES, study=study)
    if kept is None or kept.outcome is None:
        return None
    stored = STORED.validate_python(kept.outcome)
    figures = {key: of for key, (of, _) in stored.items()}
    conducts = {key: own for key, (_, own) in stored.items() if own is not None}
    return NewestFigures(figures, conducts, kept.ended_at, outdated)


def newest_signs(study: Study) -> Mapping[int, Sequence[Sign]] | None:
    """The signs alone, of everybody with one; None where a large study's were never computed."""
    if is_small(study):
        return signs_of_all(study)
    newest = newest_figures(study, ())
    return None if newest is None else {key: of.signs for key, of in newest.figures.items()}


def _figures_of_all(study: Study) -> Iterator[tuple[int, Stored]]:
    conducts, agreed, signs = conduct(study), agreement(study), signs_of_all(study)
    keys = list(study.participations.order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(keys), PEOPLE):
        for key, figures in figures_of(study, keys[at : at + PEOPLE], agreed, signs).items():
            yield key, (figures, conducts.get(key))
