"""Jobs of every kind, as the list of background work shows them."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from annotation.access import Role
from annotation.models import Member, User
from jobs.kinds import kinds
from jobs.models import Job, JobState
from jobs.queue import is_stopped

Readable = Callable[[Job], bool]
_ENDED_WITHOUT = (JobState.FAILED, JobState.CANCELLED, JobState.WITHDRAWN)


class Line(NamedTuple):
    """One job. words, address: empty where they are not the reader's business."""

    job: Job
    title: str
    words: str
    address: str
    reason: str
    so_far: str
    stopped: bool
    can_start: bool


def every_job() -> QuerySet[Job]:
    """Those of the installation that are listed, newest first."""
    listed = [name for name, kind in kinds().items() if kind.is_listed]
    jobs = Job.objects.filter(kind__in=listed).select_related("study", "owner")
    return jobs.order_by("-pk")


def jobs_for(member: Member) -> QuerySet[Job]:
    """Those of a study that the member may see."""
    role = Role(member.role)
    seen = [name for name, kind in kinds().items() if role.may(Role(kind.least))]
    private = [name for name, kind in kinds().items() if kind.is_private]
    of_study = every_job().filter(study=member.study_id, kind__in=seen)
    return of_study.filter(~Q(kind__in=private) | Q(owner=member.user_id))


def readable_by(user: User) -> Readable:
    """Which jobs of the installation are also those of a study, or an import, of the operator."""
    roles = dict(Member.objects.filter(user=user).values_list("study", "role"))

    def is_readable(job: Job) -> bool:
        kind, role = kinds()[job.kind], roles.get(job.study_id or 0)
        if kind.is_private:
            return job.owner_id == user.pk
        return role is not None and Role(role).may(Role(kind.least))

    return is_readable


def line_of(job: Job, *, is_readable: bool, now: datetime) -> Line:
    """How a job is shown."""
    kind, stopped = kinds()[job.kind], is_stopped(job, now)
    return Line(
        job=job,
        title=kind.title,
        words=kind.words(job) if is_readable else "",
        address=kind.address(job) if is_readable else "",
        reason=job.reason if is_readable or not kind.is_private else "",
        so_far=kind.so_far(job) if job.state == JobState.RUNNING else "",
        stopped=stopped,
        can_start=not kind.is_private and (stopped or job.state in _ENDED_WITHOUT),
    )
