"""The metrics in the text form that Prometheus reads."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils import timezone

from desk.installation.health import figures
from desk.installation.health.faults import faults_since
from jobs.workers.health import beat_alive, workers_alive
from jurybox import __version__
from telemetry.counters import all_processes

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

Sample = tuple[tuple[str, ...], float]


def exposition() -> tuple[bytes, str]:
    """The metrics of the web processes and of the installation, with their content type."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    registry = CollectorRegistry()
    registry.register(_Installation())
    text = generate_latest(all_processes()) + generate_latest(registry)
    return text, CONTENT_TYPE_LATEST


class _Installation:
    """What the database, the broker and the disk say when it is asked for."""

    def collect(self) -> "Iterator[GaugeMetricFamily]":
        yield from _of_workers()
        yield from _of_queues()
        yield from _of_judges()
        yield from _of_the_machine()

    def describe(self) -> list[Any]:
        return []  # else registering it would ask for all figures


def _gauge(
    name: str, text: str, labels: list[str], samples: Sequence[Sample]
) -> "GaugeMetricFamily":
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(f"jurybox_{name}", text, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family


def _one(name: str, text: str, number: float) -> "GaugeMetricFamily":
    return _gauge(name, text, [], [((), number)])


def _of_workers() -> "Iterator[GaugeMetricFamily]":
    now = timezone.now()
    alive = len(workers_alive(now))
    yield _one("workers", "Background workers heard of within 15 seconds.", alive)
    yield _one("beat_up", "Whether beat was heard of within two minutes.", beat_alive(now))
    waiting = figures.broker_messages()
    yield _one("broker_up", "Whether the broker answers.", waiting is not None)
    if waiting is not None:
        yield _one("broker_messages", "Messages that wait for a worker.", waiting)


def _of_queues() -> "Iterator[GaugeMetricFamily]":
    now = timezone.now()
    found = figures.queues(now)
    depth = [((queue.kind,), queue.waiting) for queue in found]
    ages = [
        ((queue.kind,), 0.0 if queue.oldest is None else (now - queue.oldest).total_seconds())
        for queue in found
    ]
    counted = figures.job_counts()
    yield _gauge("queue_depth", "Jobs and chunks that wait, by kind.", ["kind"], depth)
    yield _gauge("queue_age_seconds", "How long the oldest has waited.", ["kind"], ages)
    jobs = [(key, number) for key, number in counted.items()]
    yield _gauge("jobs", "Jobs that are kept, by kind and state.", ["kind", "state"], jobs)


def _of_judges() -> "Iterator[GaugeMetricFamily]":
    calls = [((status,), number) for status, number in figures.call_counts.by_status().items()]
    yield _gauge("judge_calls", "Calls of stored runs, by status.", ["status"], calls)
    yield _one("judge_cost_usd", "What stored runs have spent.", float(figures.spent()))


def _of_the_machine() -> "Iterator[GaugeMetricFamily]":
    now = timezone.now()
    met = [((each.place, each.error), each.times) for each in faults_since(now - figures.DAY)]
    yield _gauge("errors_last_day", "Errors nobody expected.", ["place", "error"], met)
    space = figures.free_space()
    free = [((name,), free) for name, (_folder, free, _all) in space.items()]
    yield _gauge("disk_free_bytes", "Free space where files are written.", ["folder"], free)
    yield _one("database_bytes", "Size of the database.", figures.database_bytes())
    made = figures.last_backup()
    age = float("nan") if made is None else (now - made).total_seconds()
    yield _one("backup_age_seconds", "Since the last backup; NaN: there is none.", age)
    names = (__version__, settings.COMMIT)
    yield _gauge("info", "The version that runs.", ["version", "commit"], [(names, 1)])
