"""What a kind of job is, and the list of them all."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.module_loading import import_string

from jobs.limits import Limits, limits_of
from jobs.models import Job
from jobs.reports import Report

JobOutcome = dict[str, Any]


class JobFailed(Exception):
    """The job cannot be done; the text says why, in words for whoever asked."""


class JobPostponed(Exception):
    """The job is to be tried again later, as often as its limits allow. reason: what went wrong."""

    def __init__(self, reason: str, *, until: datetime) -> None:
        super().__init__(reason)
        self.until = until


class Kind:
    """One kind of job. A kind needs a name, a title and `run`.

    is_once: whether somebody who asks for the same meanwhile gets the same job. waits: whether a
    job stays queued while no broker can be reached, instead of failing at once. unreached: what the
    researcher may do then. least: the lowest role in the study that sees the job, and may cancel it
    and start it again. is_private: whether only whoever asked for the job sees what it is about.
    is_listed: whether the lists of background work show it. repeats: whether a job that is done may
    be started again.
    """

    name: str
    title: str
    is_once: bool = True
    waits: bool = False
    unreached: str = "start it again later"
    least: str = "reviewer"
    is_private: bool = False
    is_listed: bool = True
    repeats: bool = False

    @property
    def limits(self) -> Limits:
        """Its row of the table of limits."""
        return limits_of(self.name)

    def run(self, job: Job, report: Report) -> JobOutcome | None:
        """Carry out the job; what came of it. None where this has ended the job itself
        (`Report.end`), in the transaction in which it wrote what it made."""
        raise NotImplementedError

    def asked(self, job: Job, by: models.Model | None) -> None:
        """Somebody has asked for the job, or for another attempt."""

    def cancelled(self, job: Job, by: models.Model | None) -> None:
        """Somebody has cancelled the job."""

    def renew(self, job: Job) -> bool:
        """Take what the job needs for another attempt; False where it cannot be had any more."""
        return True

    def prepare(self, job: Job) -> None:
        """Take back what an attempt has left whose worker was killed."""

    def clear(self, job: Job) -> None:
        """Remove what is needed no more after an attempt; `job.state` is what came of it."""

    def forget(self, now: datetime) -> None:
        """Remove the jobs that ended long ago."""
        Job.objects.filter(kind=self.name, ended_at__lt=now - self.limits.kept).delete()

    def words(self, job: Job) -> str:
        """What the job is about, beside the title."""
        return ""

    def so_far(self, job: Job) -> str:
        """How far a job that runs has come; empty where that is not counted."""
        return ""

    def address(self, job: Job) -> str:
        """The page where the job, or what came of it, is shown; empty without one."""
        return ""


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind of job by name: the tuple `JOB_KINDS` of the settings."""
    every = [import_string(path) for path in settings.JOB_KINDS]
    return {kind.name: kind for kind in every}
