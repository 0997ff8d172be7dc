"""What the pages of writing show: the kinds of text, the texts that there are, a job."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from annotation.models import Study
from generators.jobs.work import PROPOSE_LISTS, WRITE_TEXTS
from generators.kinds import BY_NAME, KINDS, TextKind
from generators.text_statistics import PUBLISHED_EVIDENCE, PUBLISHED_IN, text_statistics
from imports.preparation.counts import unprepared
from imports.preparation.targets import blocks_to_prepare
from jobs.models import Job
from jobs.queue import is_stopped
from jobs.workers.health import worker_alive

JOBS_SHOWN = 10
# The statistics of more texts are read when they are asked for.
MOST_READ = 2000
_PUBLISHED = f"{PUBLISHED_EVIDENCE} passages for a claim ({PUBLISHED_IN})"
_NAMES = {"claim": ("claim", "claims"), "query": ("query", "queries")}


@dataclass(frozen=True)
class OfferedKind:
    """A kind of text, and how many sources or texts of the study there are to make it from."""

    kind: TextKind
    number: int

    @property
    def made_from(self) -> str:
        """Those, in words."""
        one, several = _NAMES.get(self.kind.of, ("text", "texts"))
        return f"{self.number} {one if self.number == 1 else several}"


def offered_kinds(study: Study) -> list[OfferedKind]:
    """All kinds of text."""
    originals = study.items.filter(perturbed_from=None).exclude(system="").count()
    counts = {kind.of: study.sources.exclude(**{kind.of: ""}).count() for kind in KINDS if kind.of}
    return [OfferedKind(kind, counts.get(kind.of, originals)) for kind in KINDS]


def chosen_kind(offered: list[OfferedKind], name: str) -> TextKind:
    """The kind of that name, or the first one that the study has something for."""
    if name in BY_NAME:
        return BY_NAME[name]
    return next((one.kind for one in offered if one.number), offered[0].kind)


def overview(study: Study, *, everything: bool = False) -> dict[str, Any]:
    """What is written by now, and by which jobs. everything: the statistics of many texts, too."""
    n_texts = study.items.count()
    shows = n_texts <= MOST_READ or everything
    rows = text_statistics(study) if shows else []
    jobs = Job.objects.filter(study=study, kind=WRITE_TEXTS.name).order_by("-pk")
    return {
        "study": study,
        "sources": study.sources.count(),
        "n_texts": n_texts,
        "statistics": rows,
        "published": _PUBLISHED if any(row.evidence is not None for row in rows) else "",
        "jobs": [(job, WRITE_TEXTS.words(job)) for job in jobs[:JOBS_SHOWN]],
        "usd": study.writing_costs.aggregate(sum=Sum("usd"))["sum"],
        "lists": blocks_to_prepare(study),
        "unprepared": unprepared(study),
    }


def job_context(study: Study, job: Job) -> dict[str, Any]:
    """How a job stands, and what has come of it."""
    now, kind = timezone.now(), PROPOSE_LISTS if job.kind == PROPOSE_LISTS.name else WRITE_TEXTS
    outcome: Mapping[str, Any] = job.outcome or {}
    shares = outcome.get("shares", [])
    spent = outcome.get("spent") if outcome else job.progress.get("spent")
    is_texts = kind is WRITE_TEXTS
    return {
        "study": study,
        "job": job,
        "title": kind.title,
        "about": kind.words(job),
        "is_texts": is_texts,
        "thing": "text" if is_texts else "list",
        "things": "texts" if is_texts else "lists",
        "part_of": "desk:write-texts" if is_texts else "desk:preparation",
        "shares": shares,
        "missing": sum(max(0, row["wanted"] - row["written"]) for row in shares),
        "spent": None if spent is None else Decimal(spent),
        "stopped": is_stopped(job, now),
        "worker": not job.is_under_way or worker_alive(now),
    }
