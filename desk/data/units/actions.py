"""Actions on many units: proposed with what would follow, confirmed, and done in chunks.

Each chunk is one short transaction that changes units and marks them as done. A job that was
stopped, or is started again, only does what is left. Lock order: the action, then what the verb
locks.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotation.models import Study, Unit, User
from annotation.models.changes import log_change
from annotation.queries.inserts import insert_rows
from annotation.rounds.subsets import add_to_subset, open_setting, remove_from_subset
from annotation.work.demand import ask_again, prioritise_units, reinstate_units, retire_units
from desk.data.adjudication.queue import send_to_adjudication
from desk.data.units.consequences import title_of
from desk.models import UnitAction, UnitActionUnit
from jobs.kinds import Kind as JobKind
from jobs.models import Job
from jobs.queue import ask, digest_of
from jobs.reports import Report
from jobs.runner import work

# So many units are changed in one transaction, and in the request where there are no more.
CHUNK = 500
# Actions that nobody has confirmed are forgotten.
KEPT = timedelta(days=1)
Kind = UnitAction.Kind


@dataclass(frozen=True)
class Progress:
    """How far an action has come."""

    n: int
    done: int
    changed: int

    @property
    def left(self) -> int:
        """Units that are still to be changed."""
        return self.n - self.done


@transaction.atomic
def propose_action(
    *,
    study: Study,
    units: QuerySet[Unit],
    kind: str,
    parameters: dict[str, Any],
    by: User,
    query: str = "",
    undoes: UnitAction | None = None,
) -> UnitAction:
    """Note an action on these units, as they are chosen now. Nothing changes yet."""
    keys = list(units.order_by("pk").values_list("pk", flat=True))
    action = UnitAction.objects.create(
        study=study,
        by=by,
        kind=kind,
        parameters=parameters,
        query=query,
        undoes=undoes,
        n_units=len(keys),
    )
    for at in range(0, len(keys), 10 * CHUNK):
        some = keys[at : at + 10 * CHUNK]
        insert_rows(UnitActionUnit, ("action_id", "unit_id"), [(action.pk, key) for key in some])
    return action


def confirm_action(*, action: UnitAction, by: User) -> Job:
    """Do an action, or what is left of it, and nothing twice: at once where it is about few units,
    otherwise by a worker; the job."""
    _begin(action, by)
    is_direct = action.n_units <= CHUNK
    done = {"action": action.pk, "n": action.n_units, "words": title_of(action)}
    job = ask(ACT, study=action.study, by=by, parameters=done, about=action.pk, send=not is_direct)
    if is_direct:
        work(job_id=job.pk)
        job.refresh_from_db()
    return job


def job_of(action: UnitAction) -> Job | None:
    """The newest job that does an action; None where it is not confirmed, or the job is no longer
    kept."""
    digest = digest_of(ACT, action.study, action.pk)
    return Job.objects.filter(digest=digest).order_by("-pk").first()


class Act(JobKind):
    """What is left of an action, chunk by chunk; parameters: `action`, `n` units, `words`."""

    name, title, waits, least = "unit_action", "Action on units", True, "editor"

    def run(self, job: Job, report: Report) -> None:
        """Do it. The job ends together with the action."""
        actions = UnitAction.objects.select_related("study", "by")
        action = actions.exclude(confirmed_at=None).get(pk=job.parameters["action"])
        done = progress_of(action).done
        while n := _next_chunk(action):
            report(done=(done := done + n))
        with transaction.atomic():
            report.end()
            _end(action)

    def forget(self, now: datetime) -> None:
        """Remove old jobs, and actions that were proposed long ago and never confirmed."""
        UnitAction.objects.filter(confirmed_at=None, proposed_at__lt=now - KEPT).delete()
        super().forget(now)

    def words(self, job: Job) -> str:
        """The action."""
        return str(job.parameters["words"])

    def so_far(self, job: Job) -> str:
        """How many units it has come to."""
        return f"{job.progress.get('done', 0):,} of {job.parameters['n']:,} units"

    def address(self, job: Job) -> str:
        """The page of the action."""
        assert job.study is not None  # every action is on units of a study
        return reverse("desk:unit-action", args=[job.study.slug, job.parameters["action"]])


ACT = Act()


def progress_of(action: UnitAction) -> Progress:
    """How far an action has come; one query."""
    counts = action.action_units.aggregate(
        done=Count("pk", filter=Q(changed__isnull=False)),
        changed=Count("pk", filter=Q(changed=True)),
    )
    return Progress(action.n_units, counts["done"], counts["changed"])


@transaction.atomic
def _begin(action: UnitAction, by: User) -> None:
    proposed = UnitAction.objects.filter(pk=action.pk, confirmed_at=None)
    if proposed.update(confirmed_at=timezone.now()):
        log_change(
            study=action.study,
            by=by,
            action=f"units.{action.kind}",
            subject=f"{action.n_units} units",
            detail={**action.parameters, "action": action.pk, "filter": action.query},
        )


@transaction.atomic
def _next_chunk(action: UnitAction) -> int:
    """Do the next units; how many."""
    # The action alone: who submits locks places before the study, as the verbs do.
    rows_of_action = UnitAction.objects.select_for_update(no_key=True, of=("self",))
    locked = rows_of_action.select_related("study").get(pk=action.pk)
    rows = locked.action_units.filter(changed=None).order_by("pk")
    units = list(rows.values_list("unit", flat=True)[:CHUNK])
    if not units:
        return 0
    changed = set(_VERBS[Kind(locked.kind)](locked, units))
    chunk = locked.action_units.filter(unit__in=units)
    chunk.filter(unit__in=changed).update(changed=True)
    chunk.filter(changed=None).update(changed=False)
    return len(units)


def _end(action: UnitAction) -> None:
    if action.kind == Kind.ADD:
        open_setting(study=action.study, name=action.parameters["subset"])
    UnitAction.objects.filter(pk=action.pk, ended_at=None).update(ended_at=timezone.now())


Verb = Callable[[UnitAction, Collection[int]], Iterable[int]]


def _adjudicate(action: UnitAction, units: Collection[int]) -> list[int]:
    if action.by is None:
        return []  # the account is gone
    waiting = {"questions__adjudication_cases__state": "open"}
    before = set(Unit.objects.filter(pk__in=units, **waiting).values_list("pk", flat=True))
    new = [unit for unit in Unit.objects.filter(pk__in=units) if unit.pk not in before]
    send_to_adjudication(study=action.study, units=new, by=action.by)
    return [unit.pk for unit in new]


_VERBS: dict[UnitAction.Kind, Verb] = {
    Kind.RETIRE: lambda action, units: retire_units(study=action.study, units=units),
    Kind.REINSTATE: lambda action, units: reinstate_units(study=action.study, units=units),
    Kind.ADD: lambda action, units: add_to_subset(
        study=action.study, units=units, name=action.parameters["subset"]
    ),
    Kind.REMOVE: lambda action, units: remove_from_subset(
        study=action.study, units=units, name=action.parameters["subset"]
    ),
    Kind.ASK_AGAIN: lambda action, units: ask_again(
        study=action.study, units=units, more=action.parameters["more"]
    ),
    Kind.PRIORITY: lambda action, units: prioritise_units(
        study=action.study, units=units, priority=action.parameters["priority"]
    ),
    Kind.ADJUDICATE: _adjudicate,
}
