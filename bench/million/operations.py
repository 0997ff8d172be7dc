"""What people and workers do with a large study, each with what it costs."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.desk.pages import PAGES, TABLE, UNITS, signed_in
from bench.desk.study import RESEARCHER, SLUG
from bench.million.measuring import Cost, Meter

TURNS, PAGE_TURNS = 20, 3
FORMATS = ("jsonl", "csv", "parquet")
QUEUE = f"/studies/{SLUG}/adjudication/"
POSTED = {"score-label_from_text": ["supported"], "score-clarity": ["2"]}
# What a table of many rows is asked for; the other filters cost no more.
ROWS: tuple[str, ...] = ("first page", "last page", "state open", "answers at least")
ROWS += ("people apart",)
ROWS += ("a judge differs", "search a rare word", "search two words", "by distance")
ROWS += ("by answers, last", "filters and order")
SEEN = ("overview", "workers", "a worker", "reviews", "pay", "exports", "alerts", "controls")


def _study() -> Any:
    from annotation.models import Study

    return Study.objects.get(slug=SLUG)


def answering() -> Iterator[Cost]:
    """Newcomers take a batch, answer its questions and submit it."""
    from django.utils import timezone

    from annotation.entry.arrival import arrive
    from annotation.entry.invitations import invite
    from annotation.work.assignment import lease_batch
    from annotation.work.drafts import save_draft, show_question
    from annotation.work.steps import Steps
    from annotation.work.submission import submit

    study, meter, batches = _study(), Meter(), list[Any]()
    invitation = invite(study=study, created_by=None)
    people = [arrive(study=study, invitation=invitation) for _ in range(TURNS + 1)]
    batches.append(lease_batch(participation=people.pop(), now=timezone.now()))
    yield meter.measure(
        "taking a batch",
        lambda: batches.append(lease_batch(participation=people.pop(), now=timezone.now())),
        times=TURNS,
    )
    steps = [step for batch in batches for step in Steps(batch).unanswered]
    drafts = [(step, show_question(step=step, now=timezone.now())) for step in steps]

    def save() -> None:
        step, draft = drafts.pop()
        save_draft(
            assignment=step.assignment,
            question=step.question,
            posted=POSTED,
            revision=draft.revision,
            draft=draft,
        )

    yield meter.measure("saving an answer", save, times=len(drafts))
    yield meter.measure(
        "submitting a batch",
        lambda: submit(assignment=batches.pop(), now=timezone.now()),
        times=TURNS,
    )


def texts() -> Iterator[Cost]:
    """The words of the material, for the search."""
    from desk.data.units.search import keep_texts

    study = _study()
    yield Meter().measure("background: texts for the search", lambda: keep_texts(study=study))


def estimates() -> Iterator[Cost]:
    """The numbers of the results."""
    from estimates.report.recount import recount

    study = _study()
    yield Meter().measure("background: estimates", lambda: recount(study=study))


def distances() -> Iterator[Cost]:
    """How far apart people, and judges, are about each unit."""
    from results.units.distances import keep_distances

    study = _study()
    yield Meter().measure("background: distances", lambda: keep_distances(study=study))


def figures() -> Iterator[Cost]:
    """How every worker works."""
    from desk.people.workers.newest import FIGURES
    from jobs.queue import ask
    from jobs.runner import work

    job = ask(FIGURES, study=_study(), parameters={}, send=False)
    yield Meter().measure("background: figures of workers", lambda: work(job_id=job.pk))


def looking() -> Iterator[Cost]:
    """Pages, as whole requests without the network; nothing is left in the cache."""
    from django.core.cache import cache

    study, meter = _study(), Meter()
    client = signed_in(_researcher())
    table = {f"units: {what}": f"{UNITS}?{TABLE[what]}" for what in ROWS}
    half = study.units.count() // 2
    unit = study.units.order_by("pk")[half].pk
    judge = study.raters.get(kind="judge").pk
    pages = {what: PAGES[what] for what in SEEN} | table
    pages |= {
        "units: deep page": f"{UNITS}?after={unit}~&at={half}",
        "one unit": f"{UNITS}{unit}/",
        "results": PAGES["results"],
        "results: everything": PAGES["all results"],
        "adjudication": QUEUE,
    }
    for what, address in pages.items():
        yield from _request(meter, client, what, address.format(judge=judge), before=cache.clear)


def deciding() -> Iterator[Cost]:
    """The adjudication queue is filled, a case is taken; an audit; what a rule would exclude."""
    study, meter = _study(), Meter()
    client = signed_in(_researcher())
    client.get(QUEUE)
    audit = {"audit-block": study.blocks.get().pk, "audit-size": 100, "audit-seed": 5}
    contested = f"{QUEUE}contested/"
    yield from _asked(meter, client, "contested questions", contested, {"contested-most": 50})
    yield from _asked(meter, client, "an audit sample", f"{QUEUE}audit/", audit)
    yield from _asked(
        meter, client, "exclusion by pace", f"/studies/{SLUG}/exclusions/", {"seconds": 8}
    )
    answered = list[Any]()
    yield meter.measure(
        "taking a case", lambda: answered.append(client.post(f"{QUEUE}next/")), times=1
    )
    assert answered[0].status_code == 302
    yield from _request(meter, client, "a case", answered[0].url)


def _asked(
    meter: Meter, client: Any, what: str, address: str, posted: dict[str, Any]
) -> Iterator[Cost]:
    """A request, and the job that it asks for where it does."""
    from jobs.models import Job, JobState
    from jobs.runner import work

    answered = list[Any]()
    yield meter.measure(f"{what}, asked for", lambda: answered.append(client.post(address, posted)))
    assert answered[0].status_code == 302, answered[0].status_code

    def work_all() -> None:
        for job in Job.objects.filter(state=JobState.QUEUED, kind__in=kinds):
            work(job_id=job.pk)
            job.refresh_from_db()
            assert job.state == JobState.DONE, (job.kind, job.reason)

    waiting = re.search(r"/background/(\d+)/", answered[0].url)
    if waiting is not None:
        kinds = [Job.objects.get(pk=waiting[1]).kind]
        yield meter.measure(f"{what}, in the background", work_all)


def _request(meter: Meter, client: Any, what: str, address: str, **how: Any) -> Iterator[Cost]:
    assert client.get(address).status_code == 200, address
    yield meter.measure(what, lambda: client.get(address), times=PAGE_TURNS, **how)


def exporting(name: str) -> Iterator[Cost]:
    """A file of everything, as a worker writes it."""
    from django.utils import timezone

    from exports.choice import WHOLE
    from exports.jobs import EXPORT, path_of
    from jobs.models import Job
    from jobs.runner import work

    parameters = {"format_name": name, "choice": vars(WHOLE)}
    job = Job.objects.create(
        kind=EXPORT.name,
        study=_study(),
        parameters=parameters,
        owner=_researcher(),
        asked_at=timezone.now(),
    )
    cost = Meter().measure(f"export as {name}", lambda: work(job_id=job.pk))
    job.refresh_from_db()
    assert job.state == "done", job.reason
    cost.note = f"{path_of(job).stat().st_size / 1e6:,.1f} MB"
    path_of(job).unlink()
    yield cost


def deleting() -> Iterator[Cost]:
    """All of it goes; what is owed for it has gone before."""
    from annotation.models import LedgerRow
    from imports.material.removal import remove_study

    study = _study()
    LedgerRow.objects.all().delete()
    yield Meter().measure("deleting the study", lambda: remove_study(study=study))


def _researcher() -> Any:
    from annotation.models import User

    return User.objects.get(username=RESEARCHER)


PARTS: dict[str, Callable[[], Iterator[Cost]]] = {
    "answering": answering,
    "texts": texts,
    "estimates": estimates,
    "distances": distances,
    "figures": figures,
    "looking": looking,
    "deciding": deciding,
    **{f"export-{name}": partial(exporting, name) for name in FORMATS},
    "deleting": deleting,
}
