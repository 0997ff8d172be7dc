"""A crowd of workers who do all that a crowd does, through the very verbs that the pages call.

``python -m tests.annotation.crowd set-up|work|look …`` does it in a process of its own.
"""

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

POSTED = {"citation_recovery": {"sentences": ["0"]}, "slider": {"value": ["40"]}}
RIGHT = {"sentences": ["0", "2"]}
SLUG = "crowded"


def set_up(*, units: int, overlap: int) -> None:
    from annotation.entry.invitations import invite
    from tests.cast import make_study

    study = make_study(
        SLUG,
        sources=units,
        overlap=overlap,
        positive=5,
        per_batch=3,
        lease_minutes=10,
        max_batches_per_worker=3,
    )
    # Some are removed on the way, and their units go to others.
    study.rounds.update(keep_accuracy=0.5, min_controls=2)
    invite(study=study, created_by=None)


def work(*, workers: int, seed: int) -> None:
    """Let so many workers come one after the other, each until there is nothing left for them."""
    from annotation.entry.arrival import arrive
    from annotation.entry.consent import consent_hash, give_consent
    from annotation.models import Study

    rng = Random(seed)
    study = Study.objects.get(slug=SLUG)
    invitation = study.invitations.get()
    for _ in range(workers):
        participation = arrive(study=study, invitation=invitation)
        give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
        while _one_batch(participation, rng):
            pass


def _one_batch(participation: Any, rng: Random) -> bool:
    from django.utils import timezone

    from annotation.models import Assignment
    from annotation.rights.withdrawal import leave
    from annotation.work.assignment import NothingLeft, Reason, lease_batch
    from annotation.work.leases import renew_lease
    from annotation.work.submission import submit

    now = timezone.now()
    mood = rng.choices(["prompt", "late", "revived", "walks off", "leaves"], [75, 9, 9, 5, 2])[0]
    leased_at = now if mood in ("prompt", "leaves") else now - timedelta(hours=1)
    batch = lease_batch(participation=participation, now=leased_at)
    if isinstance(batch, NothingLeft):
        if batch.why == Reason.HELD_BY_OTHERS:
            time.sleep(0.1)
            return True
        return False
    if mood == "walks off":
        return False
    if mood == "leaves":
        leave(participation=participation)
        return False
    _answer(batch, careful=rng.random() < 0.6)
    if mood == "revived":
        renew_lease(assignment=batch, now=now)
    if rng.random() < 0.2:
        # A double click: two requests, each with a copy of its own.
        _at_once(lambda: submit(assignment=Assignment.objects.get(pk=batch.pk), now=now), times=2)
    submit(assignment=batch, now=now)
    return True


def _answer(batch: Any, *, careful: bool) -> None:
    from annotation.work.drafts import save_draft, show_question
    from annotation.work.steps import Steps

    for part in (1, 2):
        for step in [one for one in Steps(batch).all if one.part == part]:
            draft = show_question(step=step, now=batch.leased_at)
            posted = POSTED[step.question.block.task_type_slug]
            if careful and part == 1:
                posted = RIGHT
            save_draft(
                assignment=batch, question=step.question, posted=posted, revision=draft.revision
            )


def _at_once(call: Callable[[], object], *, times: int) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        from django.db import connection

        try:
            call()
        except BaseException as failure:  # noqa: BLE001 (reported by the main thread)
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def look() -> dict[str, Any]:
    """What the database holds in the end."""
    from django.db.models import Count

    from annotation.models import (
        Annotation,
        Assignment,
        AssignmentUnit,
        LedgerRow,
        Participation,
        Place,
    )

    answers = Annotation.objects.filter(question__unit__role="normal")
    counted = answers.standing()
    per_question = Counter(counted.values_list("question", flat=True))
    submitted = Assignment.objects.filter(state="submitted")
    n_blocks = 2
    return {
        "wanted": sorted(set(Place.objects.filter(role="normal").values_list("wanted", flat=True))),
        "counted per question": sorted(set(per_question.values())),
        "questions with answers": len(per_question),
        "counted per place": sorted(
            set(Place.objects.filter(role="normal").values_list("counted", flat=True))
        ),
        "still held": AssignmentUnit.objects.filter(holds=True).count()
        + sum(Place.objects.values_list("held", flat=True)),
        "answered twice by one worker": answers.values("question", "rater")
        .annotate(n=Count("pk"))
        .filter(n__gt=1)
        .count(),
        "submitted": submitted.count(),
        "late": submitted.filter(late=True).count(),
        "surplus": answers.filter(surplus=True).count(),
        "lost": sum(
            n_units * n_blocks - n_answers
            for n_units, n_answers in submitted.annotate(
                n_units=Count("assignment_units", distinct=True),
                n_answers=Count("annotations", distinct=True),
            ).values_list("n_units", "n_answers")
        ),
        "not paid once": submitted.annotate(n=Count("ledger")).exclude(n=2).count(),
        "paid": LedgerRow.objects.count(),
        "removed": Participation.objects.filter(state="removed").count(),
        "expired": Assignment.objects.filter(state="expired").count(),
        "returned": Assignment.objects.filter(state="returned").count(),
    }


def main(arguments: list[str]) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    command, numbers = arguments[0], [int(text) for text in arguments[1:]]
    if command == "set-up":
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        set_up(units=numbers[0], overlap=numbers[1])
    elif command == "work":
        work(workers=numbers[0], seed=numbers[1])
    else:
        print(json.dumps(look()))


if __name__ == "__main__":
    main(sys.argv[1:])
