"""Server time of the desk's home and overview: 200 studies, one of 50,000 units with 5 answers.

Run by itself, on a database of its own, which a folder that is named keeps for the next time:

    python -m bench.desk_pages [FOLDER]
"""

import os
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

UNITS, ANSWERS, STUDIES, BATCH, PEOPLE = 50_000, 5, 200, 10, 100
TIMES = 7


def main() -> None:
    """Fill a database, then time each page."""
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="jurybox-desk-")
    os.environ |= {"JURYBOX_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.ALLOWED_HOSTS, settings.STORAGES = ["*"], {**settings.STORAGES, "staticfiles": plain}
    call_command("migrate", verbosity=0)
    from annotation.models import User

    user = User.objects.filter(username="researcher").first() or _fill(UNITS)
    print(f"{'page':44}{'median ms':>10}{'worst':>8}{'queries':>9}{'kB':>6}")
    for name, path in PAGES.items():
        _report(name, *_timed(user, path, keeps=name == AGAIN))
    print("data in", Path(folder))


AGAIN = "overview again, groups kept for a minute"
PAGES = {
    "home": "/",
    "home, all states, page 3": "/?page=3&sort=title",
    "home, search": "/?q=large",
    "overview of 50,000 x 5": "/studies/large/",
    AGAIN: "/studies/large/",
    "settings": "/studies/large/settings/",
    "invited people": "/studies/large/invited/",
}


def _timed(user: Any, path: str, *, keeps: bool) -> tuple[list[float], int, int]:
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    client.force_login(user)
    client.get(path)
    seconds = []
    for _ in range(TIMES):
        if not keeps:
            cache.clear()
        started = time.perf_counter()
        response = client.get(path)
        seconds.append(time.perf_counter() - started)
        assert response.status_code == 200, response
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return seconds, len(captured), len(response.content) // 1024


def _report(name: str, seconds: list[float], queries: int, kilobytes: int) -> None:
    worst = 1000 * max(seconds)
    print(f"{name:44}{1000 * median(seconds):10.0f}{worst:8.0f}{queries:9}{kilobytes:6}")


def _fill(n_units: int) -> Any:
    from annotation.models import Member, User
    from tests.cast import make_study

    user = User.objects.create_user("researcher", password="researcher")
    for at in range(STUDIES - 1):
        made = make_study(f"small-{at}", sources=20, overlap=3)
        made.title = f"A small study, number {at}"
        made.save()
        Member.objects.create(study=made, user=user, role=Member.Role.OWNER)
    large = make_study(
        "large", sources=n_units, overlap=ANSWERS, blocks=[("slider", {})], per_batch=BATCH
    )
    Member.objects.create(study=large, user=user, role=Member.Role.OWNER)
    _answer(large)
    return user


def _answer(study: Any) -> None:
    """Nearly all answers of all units, by people in batches over 30 days; some batches are open."""
    from django.db import connection
    from django.utils import timezone

    from annotation.models import (
        Annotation,
        Assignment,
        AssignmentUnit,
        LedgerRow,
        Participation,
        Place,
        Question,
        Rater,
        Round,
        Worker,
    )

    now, round_ = timezone.now(), Round.objects.get(study=study)
    workers = Worker.objects.bulk_create(
        Worker(panel="bench", external_id=f"w{n}") for n in range(PEOPLE)
    )
    people = Participation.objects.bulk_create(
        Participation(study=study, worker=worker, number=n + 1, round=round_)
        for n, worker in enumerate(workers)
    )
    raters = Rater.objects.bulk_create(
        Rater(study=study, name=f"worker-{n + 1}", kind="human", participation=person)
        for n, person in enumerate(people)
    )
    places = list(Place.objects.filter(round=round_).order_by("shuffle", "pk"))
    questions = dict(Question.objects.filter(study=study).values_list("unit", "pk"))
    batches: list[tuple[int, int, list[Any], Any]] = []
    for turn in range(ANSWERS):
        for at in range(0, len(places), BATCH):
            n = len(batches)
            share = n / (ANSWERS * len(places) / BATCH)
            when = now - timedelta(days=30 * (1 - share))
            batches.append((n, (n * 7 + turn) % PEOPLE, places[at : at + BATCH], when))
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                round=round_,
                participation=people[who],
                seed=n,
                state="submitted",
                leased_at=when - timedelta(minutes=7),
                submitted_at=when,
                lease_until=when + timedelta(hours=1),
            )
            for n, who, _, when in batches
        ],
        batch_size=1000,
    )
    with connection.constraint_checks_disabled():
        for start in range(0, len(batches), 500):
            part = list(zip(assignments, batches, strict=True))[start : start + 500]
            Annotation.objects.bulk_create(
                [
                    Annotation(
                        study=study,
                        question_id=questions[place.unit_id],
                        rater=raters[who],
                        replicate=n // (len(places) // BATCH),
                        answer={"value": 40},
                        round=round_,
                        assignment=row,
                    )
                    for row, (n, who, chosen, _) in part
                    for place in chosen
                ],
                batch_size=2000,
            )
            LedgerRow.objects.bulk_create(
                LedgerRow(
                    participation=people[who],
                    assignment=row,
                    kind="base",
                    amount="1.00",
                    currency="USD",
                )
                for row, (n, who, _, _) in part
            )
    # Only the first turn's units: nobody meets a source twice, and the page counts by batches.
    AssignmentUnit.objects.bulk_create(
        [
            AssignmentUnit(
                assignment=row,
                place=place,
                unit_id=place.unit_id,
                source_id=place.source_id,
                worker_id=workers[who].pk,
                position=position,
                holds=False,
                outcome="counted",
            )
            for row, (n, who, chosen, _) in zip(assignments, batches, strict=True)
            if n < len(places) // BATCH
            for position, place in enumerate(chosen, start=1)
        ],
        batch_size=2000,
    )
    Place.objects.filter(round=round_).update(counted=ANSWERS - 1)
    spread = Annotation.objects.filter(study=study).order_by("-pk").values_list("pk", flat=True)
    Annotation.objects.filter(pk__in=list(spread[:1000])).update(created_at=now)


if __name__ == "__main__":
    main()
