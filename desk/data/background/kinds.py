"""The two kinds of background work on answers: to work something out of them, which changes nothing
and is kept, and to do something with what was worked out, which is done once."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from annotation.access import Role, get_role
from annotation.models import Study
from estimates.report.cache import revision_of
from jobs.kinds import JobOutcome, Kind
from jobs.models import Job, JobState
from jobs.queue import digest_of
from jobs.reports import Report

Parameters = Mapping[str, Any]


class JobRefused(Exception):
    """Nothing was done; the text says why, in a sentence for the researcher."""


def _keep_nothing(_study: Study, _parameters: Parameters, _outcome: JobOutcome, _at: int) -> None:
    return None


def _nothing(_parameters: Parameters) -> Parameters:
    return {}


def _no_words(_parameters: Parameters) -> str:
    return ""


def study_of(job: Job) -> Study:
    """The study whose answers the job is about."""
    assert job.study is not None  # these jobs are all of a study
    return job.study


@dataclass(frozen=True, kw_only=True)
class Work(Kind):
    """What both have. title, about: what is done, and by which parameters, in words. asked_on: the
    view on whose page it is asked for. page: the address that shows the outcome."""

    name: str
    title: str
    asked_on: str
    page: Callable[[Study, Parameters], str]
    about: Callable[[Parameters], str] = _no_words

    def words(self, job: Job) -> str:
        """By which parameters."""
        return self.about(job.parameters)

    def address(self, job: Job) -> str:
        """The page of the job, which leads to the outcome."""
        return reverse("desk:background", args=[study_of(job).slug, job.pk])


@dataclass(frozen=True, kw_only=True)
class QueryKind(Work):
    """What is worked out of the answers as of one revision: the same parameters give the same.

    compute: gives plain JSON; it takes long, so that it runs in no transaction. keep: stores a part
    of the outcome elsewhere, in the transaction in which the job ends; its last argument is the
    revision.
    """

    compute: Callable[[Study, Parameters], JobOutcome]
    keep: Callable[[Study, Parameters, JobOutcome, int], None] = _keep_nothing

    def run(self, job: Job, report: Report) -> None:
        """Work it out, and keep it in place of the outcomes of earlier revisions."""
        study, parameters = study_of(job), job.parameters
        revision = revision_of(study)
        outcome = self.compute(study, parameters)
        with transaction.atomic():
            report.end(outcome, revision=revision)
            self.keep(study, parameters, outcome, revision)
            older = Job.objects.filter(
                digest=job.digest, state=JobState.DONE, revision__lt=revision
            )
            older.update(outcome=None)  # nobody reads these any more

    def forget(self, now: datetime) -> None:
        """Remove jobs that ended some time ago, but for outcomes as of the present revision."""
        ended = Job.objects.filter(kind=self.name, ended_at__lt=now - self.limits.kept)
        current = {
            "state": JobState.DONE,
            "revision": F("study__revision"),
            "outcome__isnull": False,
        }
        ended.exclude(pk__in=ended.filter(**current).values("pk")).delete()

    def outcome_at(
        self, study: Study, parameters: Parameters, revision: int | None = None
    ) -> Job | None:
        """The job with the outcome as of that revision, or with the newest one; None where there is
        none."""
        digest = digest_of(self, study, parameters)
        done = Job.objects.filter(digest=digest, state=JobState.DONE, outcome__isnull=False)
        if revision is not None:
            done = done.filter(revision=revision)
        return done.order_by("-revision", "-pk").first()

    def worked_out_for(self, act: Job, parameters: Parameters) -> tuple[JobOutcome, int]:
        """What an act rests on, with its revision: kept as of the present one, or worked out and
        kept as if somebody had asked for it."""
        study, started, now = study_of(act), time.monotonic(), timezone.now()
        # Read before the answers are: what comes in meanwhile makes the outcome outdated at once.
        revision = revision_of(study)
        kept = self.outcome_at(study, parameters, revision)
        if kept is not None and kept.outcome is not None:
            return kept.outcome, revision
        outcome = self.compute(study, parameters)
        with transaction.atomic():
            Job.objects.create(
                study=study,
                kind=self.name,
                parameters=dict(parameters),
                digest=digest_of(self, study, parameters),
                owner=act.owner,
                state=JobState.DONE,
                revision=revision,
                outcome=outcome,
                seconds=time.monotonic() - started,
                asked_at=now,
                ended_at=timezone.now(),
            )
            self.keep(study, parameters, outcome, revision)
        return outcome, revision


@dataclass(frozen=True, kw_only=True)
class ActionKind(Work):
    """What is done with an outcome, in one transaction with the end of the job: once or not at all.

    precondition: what it rests on, which is worked out where it is not kept as of the present
    revision; None: nothing. precondition_parameters: the parameters of that. do: says in a sentence
    what was done; `JobRefused` where it is not to be.
    """

    do: Callable[[Job, JobOutcome], str]
    precondition: QueryKind | None = None
    precondition_parameters: Callable[[Parameters], Parameters] = _nothing

    def run(self, job: Job, report: Report) -> None:
        """Do it. The job's row is locked before what `do` locks."""
        outcome, revision = self._precondition(job)
        try:
            with transaction.atomic():
                report.end(revision=revision)
                _check_role(job)
                done = {"done": self.do(job, outcome)}
                Job.objects.filter(pk=job.pk).update(outcome=done)
        except JobRefused as refused:
            report.end({"refused": str(refused)}, revision=revision)

    def _precondition(self, job: Job) -> tuple[JobOutcome, int]:
        if self.precondition is None:
            return {}, revision_of(study_of(job))
        return self.precondition.worked_out_for(job, self.precondition_parameters(job.parameters))


def _check_role(job: Job) -> None:
    """Refused for somebody who was removed while the job waited."""
    role = None if job.owner is None else get_role(job.owner, study_of(job))
    if role is None or not role.may(Role.REVIEWER):
        raise JobRefused(
            "The account that asked for this no longer has the right to, so nothing was changed."
        )
