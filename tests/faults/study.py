"""The study that faults are made under, in processes with Django on the database under test.

`python -m tests.faults.study set-up UNITS WEBHOOK FOLDER` prints an invitation's token; `ask` wants
an export and an asking of the probe set; `wait` waits for what goes on in the background and prints
for how long; `examine JOURNAL.json` prints what it found as JSON.
"""

import json
import os
import sys
import time
from collections import Counter
from errno import ENOSPC
from pathlib import Path
from typing import Any

from bench.serve import study as served

SLUG, PER_BATCH = "faults", 4
OWNER, PARROT, PROBED = "owner", "parrot", "lexical"
PARROT_DELAY_MS, PROBED_UNITS = 100, 20
BACKGROUND_WITHIN_S = 150.0
EVENTS = ["answer.stored", "run.finished", "export.ready"]


def set_up(units: int, webhook: str, folder: Path) -> str:
    """An open study with a webhook, a slow judge at work, and a judge that is asked for drift."""
    from django.utils import timezone

    from alerts.webhooks import choose_events, set_webhook
    from annotation.models import Member, Study, User
    from judges.definitions.versions import define_judge, judge_for
    from judges.probes.sets import ProbeChoice, begin_series
    from judges.runs.plans.plan import plan_run

    token = served.set_up(SLUG, units, PER_BATCH)
    study, owner = Study.objects.get(slug=SLUG), User.objects.create_user(OWNER)
    Member.objects.create(study=study, user=owner, role=Member.Role.OWNER)
    now = timezone.now()
    set_webhook(of=study, url=webhook, by=owner, now=now)
    choose_events(of=study, events=EVENTS, by=owner, now=now)
    lines = [
        {"unit": key, "reply": '{"sentences": [0]}'}
        for key in study.units.values_list("key", flat=True)
    ]
    file = folder / "replies.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    parameters = {"file": str(file), "delay_ms": PARROT_DELAY_MS}
    parrot = define_judge(study=study, name=PARROT, method="scripted", parameters=parameters)
    plan_run(study=study, judge=parrot, requested_by=owner)
    choice = ProbeChoice(size=PROBED_UNITS)
    begin_series(study=study, judge=judge_for(study, PROBED), choice=choice, by=owner)
    return token


def ask() -> str:
    """As an owner in the middle of all: an export, and the probe set again where it may be."""
    from annotation.models import Study, User
    from exports.choice import ExportChoice
    from exports.jobs import ask_for_export
    from judges.definitions.versions import judge_for
    from judges.probes.askings import ask_again, under_way
    from judges.probes.sets import current_set

    study, owner = Study.objects.get(slug=SLUG), User.objects.get(username=OWNER)
    probe_set = current_set(study, judge_for(study, PROBED))
    assert probe_set is not None
    if not under_way(probe_set):
        ask_again(probe_set=probe_set, by=owner)
    ask_for_export(study=study, format_name="jsonl", choice=ExportChoice(), by=owner)
    return "asked"


def examine(journal: Path) -> dict[str, Any]:
    """What is wrong, by name: every figure is 0 where all is well, but those in `how_many`."""
    sent = json.loads(journal.read_text(encoding="utf-8"))
    return {
        "wrong": {
            **served.compare(journal),
            **_answers(),
            **_ledger(sent["submitted"]),
            **_places(),
            **_background(),
            **_deliveries(sent["told"]),
        },
        "how_many": _how_many(),
        "failed": _failed(),
    }


def wait_for_background() -> float:
    """Until nothing is under way, for a while; the seconds that it took."""
    began = time.monotonic()
    while _unfinished() and time.monotonic() - began < BACKGROUND_WITHIN_S:
        time.sleep(2)
    return round(time.monotonic() - began, 1)


def _unfinished() -> dict[str, int]:
    from alerts.feeds import webhooks_with_feeds
    from alerts.models import WebhookFeed
    from annotation.models import Annotation
    from jobs.models import Job
    from judges.models import JudgeRun

    newest = Annotation.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    return {
        name: number
        for name, number in {
            "jobs": Job.objects.under_way().count(),
            "runs": JudgeRun.objects.exclude(state__in=JudgeRun.ENDED).count(),
            "feeds": WebhookFeed.objects.filter(
                study__webhook__in=webhooks_with_feeds(), through__lt=newest
            ).count(),
        }.items()
        if number
    }


def _answers() -> dict[str, int]:
    """Answers that one rater has given twice to a question."""
    from django.db.models import Count

    from annotation.models import Annotation

    standing = Annotation.objects.filter(superseded_at=None)
    rows = standing.values("question", "rater", "replicate").annotate(n=Count("pk"))
    return {"twice": sum(n - 1 for n in rows.values_list("n", flat=True))}


def _ledger(acknowledged: list[str]) -> dict[str, int]:
    """Batches whose pay is not one row of what was promised, and rows without a batch."""
    from annotation.models import Assignment, LedgerRow

    submitted = Assignment.objects.filter(state=Assignment.State.SUBMITTED)
    promised = dict(submitted.values_list("pk", "base_pay"))
    paid = Counter[int]()
    for key, amount in LedgerRow.objects.values_list("assignment", "amount"):
        paid[key] += 1 if promised.get(key) == amount else 100
    stored = set(submitted.values_list("public_id", flat=True))
    return {
        "ledger": sum(abs(paid[key] - 1) for key in {*promised, *paid}),
        "submissions lost": len(set(acknowledged) - stored),
    }


def _places() -> dict[str, int]:
    """Units that want more answers though everybody has gone, and counts that are not true."""
    from django.db.models import Count, F, Q

    from annotation.models import Place

    places = Place.objects.filter(round__study__slug=SLUG, wanted__gt=0)
    counted = Q(assignment_units__outcome="counted")
    held = Q(assignment_units__holds=True)
    true = places.annotate(
        n_counted=Count("assignment_units", filter=counted, distinct=True),
        n_held=Count("assignment_units", filter=held, distinct=True),
    )
    return {
        "starved": places.filter(counted__lt=F("wanted")).count(),
        "counts wrong": true.exclude(n_counted=F("counted"), n_held=F("held")).count(),
    }


def _background() -> dict[str, int]:
    """What was asked for and is not there: answers of judges, files of exports, drift figures."""
    from django.db.models import Q

    from annotation.models import Annotation, Question
    from exports.jobs import exports_of, path_of
    from jobs.models import JobState
    from jobs.queue import STOPPED
    from judges.models import DriftCheck, JudgeRun, ProbeAnswer

    runs = JudgeRun.objects.filter(study__slug=SLUG)
    probes = runs.filter(probe_set__isnull=False)
    complete = JudgeRun.State.COMPLETE
    asked = Question.objects.filter(study__slug=SLUG).count()
    parrot = Annotation.objects.filter(calls__run__judge__name=PARROT).distinct()
    # Whoever asked was told: Redis was away, so that no worker took it; the disk was full; or
    # the worker was killed in each of three attempts.
    told = Q(attempt=0) | Q(reason__contains=os.strerror(ENOSPC)) | Q(reason=STOPPED)
    exports = list(exports_of(runs[0].study).exclude(told, state=JobState.FAILED))
    answers = sum(run.replicates for run in probes) * PROBED_UNITS
    return {
        "unfinished": sum(_unfinished().values()),
        "runs": runs.filter(~Q(state=complete)).count(),
        "judge's answers": abs(asked - parrot.count()),
        "probe answers": abs(answers - ProbeAnswer.objects.filter(run__in=probes).count()),
        "drift checks": abs(probes.count() - 1 - DriftCheck.objects.count()),
        "exports": sum(not _is_whole(path_of(job)) for job in exports),
    }


def _is_whole(path: Path) -> bool:
    import zipfile

    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (OSError, zipfile.BadZipFile):
        return False


def _deliveries(told: list[dict[str, Any]]) -> dict[str, int]:
    """Answers that the webhook was not told of, or by two messages; messages that were not sent."""
    from alerts.models import Delivery
    from annotation.models import Annotation
    from jobs.models import JobState

    keys = Counter(row["id"] for message in told for row in message.get("answers", ()))
    stored = set(Annotation.objects.filter(study__slug=SLUG).values_list("pk", flat=True))
    unsent = Delivery.objects.exclude(job__state=JobState.DONE)
    return {
        "untold": len(stored - set(keys)),
        "told twice": sum(n - 1 for n in keys.values()),
        "messages": unsent.count(),
    }


def _how_many() -> dict[str, int]:
    from alerts.models import Delivery
    from annotation.models import Annotation, Assignment, LedgerRow
    from exports.jobs import EXPORT
    from jobs.models import Job
    from judges.models import JudgeRun

    people = Annotation.objects.filter(study__slug=SLUG, assignment__isnull=False)
    submitted = Assignment.objects.filter(state=Assignment.State.SUBMITTED)
    return {
        "stored": people.count(),
        "surplus": people.exclude(pk__in=people.counted().values("pk")).count(),
        "submitted": submitted.count(),
        "late": submitted.filter(late=True).count(),
        "ledger rows": LedgerRow.objects.count(),
        "runs": JudgeRun.objects.count(),
        "exports": Job.objects.filter(kind=EXPORT.name).count(),
        "messages": Delivery.objects.count(),
    }


def _failed() -> list[str]:
    """The jobs, runs and calls that ended without what was asked for, with what they say of it."""
    from jobs.models import Job, JobState
    from judges.models import Call, JudgeRun

    jobs = [
        f"{job.kind} {job.pk}, attempt {job.attempt}: {job.state}, {job.reason}"
        for job in Job.objects.filter(state=JobState.FAILED)
    ]
    runs = JudgeRun.objects.exclude(state=JudgeRun.State.COMPLETE)
    calls = Call.objects.filter(run__in=runs, status=Call.Status.ERROR)
    return [
        *jobs,
        *(f"run {run.pk}: {run.state}" for run in runs),
        *(f"call {call.pk}, {call.attempts} attempts: {call.error}" for call in calls[:10]),
    ]


def main(arguments: list[str]) -> None:
    """One of the four."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    verb, *rest = arguments
    if verb == "set-up":
        print(set_up(int(rest[0]), rest[1], Path(rest[2])))
    elif verb == "ask":
        print(ask())
    elif verb == "wait":
        print(wait_for_background())
    else:
        print(json.dumps(examine(Path(rest[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
