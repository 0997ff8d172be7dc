"""Looking after studies: alerts are opened once, and ended when their condition ends."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

from alerts.announcements import announce
from alerts.kinds import BUDGET_SPENT, KINDS
from alerts.models import Alert, AlertMemory, Delivery
from alerts.money import PAUSED
from alerts.watched import Watched
from annotation.models import Study
from annotation.rounds.opening import pause_study
from judges.models import JudgeRun

# Judges run after a study is closed, too; runs that ended so long ago are looked at once more.
RECENT_RUNS = timedelta(hours=1)
LONGEST = 500
Event = Delivery.Event


def studies_to_watch(now: datetime) -> list[int]:
    """The keys of studies that are open, have an alert that is, or have judges at work."""
    runs = JudgeRun.objects.filter(study=OuterRef("pk")).filter(
        Q(ended_at=None) | Q(ended_at__gte=now - RECENT_RUNS)
    )
    alerts = Alert.objects.open().filter(study=OuterRef("pk"))
    watched = Study.objects.filter(tryout_of=None).filter(
        Q(state=Study.State.OPEN) | Exists(alerts) | Exists(runs)
    )
    return list(watched.order_by("pk").values_list("pk", flat=True))


def check_study(*, study_id: int, now: datetime) -> list[Alert]:
    """Look at one study; the alerts that were opened. What the rules read is read outside of any
    transaction, and each alert is opened or ended in a short one."""
    study = Study.objects.filter(pk=study_id).first()
    if study is None:
        return []
    kept = AlertMemory.objects.filter(study=study).first()
    memory = {} if kept is None else kept.memory
    open_ = frozenset(study.alerts.open().values_list("kind", flat=True))
    watched = Watched(study, now, open_, memory)
    messages = {kind.name: kind.check(watched) for kind in KINDS}
    opened = _bring_up(watched, messages)
    AlertMemory.objects.update_or_create(
        study=study, defaults={"checked_at": now, "memory": memory}
    )
    return opened


def _bring_up(watched: Watched, messages: Mapping[str, str | None]) -> list[Alert]:
    """Open, renew and end the alerts of a study; those of kinds that are no more end."""
    opened = []
    for name in (*messages, *(watched.open - messages.keys())):
        message = messages.get(name)
        if message is None:
            _end(watched, name)
        elif name in watched.open:
            _renew(watched, name, message)
        elif (alert := _open(watched, name, message)) is not None:
            opened.append(alert)
    return opened


def _open(watched: Watched, name: str, message: str) -> Alert | None:
    """A new alert, with its messages; None where another process has just opened it."""
    study = watched.study
    try:
        with transaction.atomic():
            alert = Alert.objects.create(
                study=study, kind=name, message=message[:LONGEST], since=watched.now
            )
            if name == BUDGET_SPENT and _pause(watched):
                alert.message = f"{message}{PAUSED}"[:LONGEST]
                alert.save(update_fields=["message"])
            announce(alert=alert, event=Event.OPENED, now=watched.now)
    except IntegrityError:
        return None
    return alert


def _pause(watched: Watched) -> bool:
    """Pause the study if it is to be, once: resumed by a person, it goes on."""
    budget = watched.budget
    if budget is None or not budget.pause:
        return False
    return pause_study(study=watched.study, by=None, now=watched.now)


def _renew(watched: Watched, name: str, message: str) -> None:
    """The figures as they are now; nobody is told again."""
    standing = watched.study.alerts.open().filter(kind=name)
    standing.exclude(message=message[:LONGEST]).update(message=message[:LONGEST])


def _end(watched: Watched, name: str) -> None:
    if name not in watched.open:
        return
    with transaction.atomic():
        alert = watched.study.alerts.open().filter(kind=name).first()
        if alert is None:
            return
        ending = Alert.objects.filter(pk=alert.pk, ended_at=None)
        if ending.update(ended_at=watched.now):  # once, whoever else looks at the study
            alert.ended_at = watched.now
            announce(alert=alert, event=Event.ENDED, now=watched.now)
