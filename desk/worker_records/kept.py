"""The figures of all workers of a large study, kept so that lists of workers show them at once.

They go through every answer of the workers and of those who answered the same. Of a small study
that happens while the page waits. Of a large one a worker in the background does it after answers
have changed; until then pages show the figures kept last, and say as of when. Nothing here is
money, batches or states, which pages read as they are.
"""

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from annotation.models import Study
from annotation.work.control_answers import Score
from desk.models import KeptFigures
from desk.worker_records.agreement import agreement
from desk.worker_records.paradata import Conduct, conduct
from desk.worker_records.record import Figures, figures_of
from desk.worker_records.sameness import Run, Spread
from desk.worker_records.timing import Pace
from estimates.report.cache import revision_of
from estimates.report.newest import is_small
from jobs.messages import send_task

KEEP = "desk.tasks.keep_worker_figures"
# A message that no worker took by then expires, and may be sent again.
PATIENCE = timedelta(seconds=30)
# The task's own limit: a worker that has not ended by then was killed.
LONGEST = timedelta(minutes=30)
# So many people at a time: their answers, and those to the same questions, are in memory.
PEOPLE = 25


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
        figures = figures_of(study, participations, agreement(study))
        return NewestFigures(figures, conduct(study))
    kept = KeptFigures.objects.filter(study=study).first()
    outdated = kept is None or kept.revision != revision_of(study)
    if outdated:
        ask_for_figures(study=study)
    if kept is None or kept.revision is None:
        return None
    return NewestFigures(
        {int(key): _figures(value) for key, value in kept.figures.items()},
        {int(key): Conduct(*v["conduct"]) for key, v in kept.figures.items() if v["conduct"]},
        kept.kept_at,
        outdated,
    )


def ask_for_figures(*, study: Study) -> bool:
    """Let a worker compute them, unless one was asked just now or computes them; whether a message
    was sent."""
    now = timezone.now()
    row, _ = KeptFigures.objects.defer("figures").get_or_create(study=study)
    if any(until is not None and until > now for until in (row.requested_until, row.running_until)):
        return False
    due = KeptFigures.objects.filter(_past("requested_until", now), study=study)
    if not due.update(requested_until=now + PATIENCE):
        return False
    if send_task(KEEP, study.pk, expires=PATIENCE):
        return True
    KeptFigures.objects.filter(study=study).update(requested_until=None)
    return False


def keep_figures(*, study: Study) -> bool:
    """Compute and keep the figures as of now; False where another process does, or they are there.
    Afterwards the study rests for as long as that took."""
    now = timezone.now()
    row, _ = KeptFigures.objects.defer("figures").get_or_create(study=study)
    # Not by the study: after a withdrawal there may be another row, which these are not for.
    rows = KeptFigures.objects.filter(pk=row.pk)
    if not rows.filter(_past("running_until", now)).update(running_until=now + LONGEST):
        return False
    started, revision = time.monotonic(), revision_of(study)
    rests = timedelta()
    try:
        # A later computation has written a later revision; a withdrawal has removed the row.
        older = rows.filter(Q(revision=None) | Q(revision__lt=revision))
        if not older.exists():
            return False
        written = older.update(
            revision=revision, figures=dict(_computed(study)), kept_at=timezone.now()
        )
        rests = timedelta(seconds=time.monotonic() - started)
        return bool(written)
    finally:
        rows.update(running_until=timezone.now() + rests)


def drop_figures(study: Study, **_signal: object) -> None:
    """Keep no figures of a study until they are computed anew: answers were erased."""
    KeptFigures.objects.filter(study=study).delete()


def _past(field: str, now: datetime) -> Q:
    return Q(**{field: None}) | Q(**{f"{field}__lte": now})


def _computed(study: Study) -> Iterator[tuple[str, dict[str, Any]]]:
    conducts, agreed = conduct(study), agreement(study)
    keys = list(study.participations.order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(keys), PEOPLE):
        for key, figures in figures_of(study, keys[at : at + PEOPLE], agreed).items():
            counts = [*vars(conducts[key]).values()] if key in conducts else None
            yield str(key), {**_plain(figures), "conduct": counts}


def _plain(figures: Figures) -> dict[str, Any]:
    return {
        "controls": [figures.controls.right, figures.controls.met],
        "agreement": [[*facet, value] for facet, value in figures.agreement.items()],
        "pace": None if figures.pace is None else [*vars(figures.pace).values()],
        "runs": [[*vars(run).values()] for run in figures.runs],
        "spreads": [[*vars(spread).values()] for spread in figures.spreads],
    }


def _figures(plain: Mapping[str, Any]) -> Figures:
    return Figures(
        controls=Score(*plain["controls"]),
        agreement={(block, facet): value for block, facet, value in plain["agreement"]},
        pace=None if plain["pace"] is None else Pace(*plain["pace"]),
        runs=[Run(*values) for values in plain["runs"]],
        spreads=[Spread(*values) for values in plain["spreads"]],
    )
