"""What Prometheus reads, who may read it, and what it costs."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as program
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import Study
from desk.installation.health import figures
from desk.installation.health.faults import note_fault
from jobs.models import Heartbeat, Job, JobState
from judges.models import Call, Chunk, Judge, JudgeRun
from telemetry.counters import count_request, count_save

TOKEN = "a token for monitoring"
DASHBOARD = Path(program.BASE_DIR) / "docs" / "grafana-dashboard.json"
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
# Of queries of a scrape, and at most so many whatever there is.
MOST_QUERIES = 14

Samples = dict[tuple[str, str], float]


@pytest.fixture(autouse=True)
def token(settings: Any) -> str:
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


def scrape() -> Samples:
    reply = Client(REMOTE_ADDR="10.0.0.7").get(
        "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    assert reply.status_code == 200
    found = SAMPLE.findall(reply.content.decode())
    return {(name, labels): float(number) for name, labels, number in found}


def test_without_a_token_only_this_machine_reads_metrics(db: None, settings: Any) -> None:
    settings.METRICS_TOKEN, settings.ALLOWED_HOSTS = "", ["localhost"]

    def status(**more: Any) -> int:
        headers = more.pop("headers", {})
        client = Client(HTTP_HOST="localhost", **more)
        return client.get("/metrics", headers=headers).status_code

    assert status() == status(REMOTE_ADDR="::1") == 200
    assert status(REMOTE_ADDR="10.0.0.7") == 403
    assert status(REMOTE_ADDR="") == 403
    # A proxy on this machine brings strangers.
    for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
        assert status(headers={header: "1.2.3.4"}) == 403
    settings.ALLOWED_HOSTS = ["localhost", "jurybox.example.org"]
    assert status() == 403


def test_with_a_token_whoever_has_it_reads_metrics(db: None) -> None:
    assert ("jurybox_workers", "") in scrape()
    for wrong in ("", TOKEN, "Bearer", "Bearer x", f"Bearer {TOKEN}é"):
        reply = Client().get("/metrics", headers={"Authorization": wrong})
        assert reply.status_code == 403
        assert "METRICS_TOKEN" in reply.content.decode()


def test_a_superuser_in_a_browser_is_no_monitoring_program(
    admin_client: Client,
) -> None:
    assert admin_client.get("/metrics").status_code == 403


def test_requests_and_saves_are_counted_without_a_query(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        count_request(route="annotation:draft", method="POST", status=200, seconds=0.01)
        count_save("draft")
        Client().get("/healthz")
    assert list(queries) == []
    samples = scrape()
    assert samples["jurybox_saves_total", 'what="draft"'] >= 1
    labels = 'method="POST",route="annotation:draft",status="200"'
    assert samples["jurybox_requests_total", labels] >= 1


def make_run(study: Study, *, ended: bool, failures: int) -> JudgeRun:
    number = JudgeRun.objects.count()
    judge = Judge.objects.create(study=study, name=f"j{number}", version=1, method="lexical")
    rater = study.raters.create(name=f"r{number}", kind="judge")
    run = JudgeRun.objects.create(
        study=study, judge=judge, rater=rater, spent="0.25",
        state=JudgeRun.State.COMPLETE if ended else JudgeRun.State.RUNNING,
        ended_at=timezone.now() if ended else None,
    )  # fmt: skip
    chunk = Chunk.objects.create(run=run, position=0, state="done" if ended else "queued")
    question = study.blocks.earliest("pk").questions.first()
    Call.objects.bulk_create(
        Call(run=run, chunk=chunk, question=question, sample=n, status=Call.Status.TIMEOUT)
        for n in range(failures)
    )
    return run


def test_figures_say_what_the_database_knows(study: Study) -> None:
    now = timezone.now()
    Heartbeat.objects.create(worker="host:1", at=now)
    waiting = {"asked_at": now - timedelta(minutes=5)}
    Job.objects.create(kind="export", state=JobState.QUEUED, **waiting)
    Job.objects.create(kind="export", state=JobState.FAILED, asked_at=now, ended_at=now)
    note_fault("desk:study", ValueError("what somebody typed"))
    note_fault("desk:study", ValueError("what somebody typed"))
    run = make_run(study, ended=False, failures=2)
    make_run(study, ended=True, failures=1)
    samples = scrape()
    assert samples["jurybox_workers", ""] == 1
    assert samples["jurybox_broker_up", ""] == 1
    assert samples["jurybox_queue_depth", 'kind="export"'] == 1
    assert samples["jurybox_queue_depth", 'kind="chunk"'] == 1
    assert samples["jurybox_queue_age_seconds", 'kind="export"'] == pytest.approx(300, abs=60)
    assert samples["jurybox_jobs", 'kind="export",state="failed"'] == 1
    assert samples["jurybox_judge_calls", 'status="timeout"'] == 3
    assert samples["jurybox_judge_cost_usd", ""] == 0.5
    error = 'error="ValueError",place="desk:study"'
    assert samples["jurybox_errors_last_day", error] == 2
    assert samples["jurybox_database_bytes", ""] > 0
    assert samples["jurybox_disk_free_bytes", 'folder="exports"'] > 0
    # A run under way is counted anew each time, and one that ended once more where it went on.
    Call.objects.filter(run=run).update(status=Call.Status.ANSWERED)
    assert scrape()["jurybox_judge_calls", 'status="answered"'] == 2


def test_a_scrape_asks_as_much_of_a_large_installation_as_of_a_small_one(study: Study) -> None:
    def queries() -> int:
        figures.call_counts.__init__()  # type: ignore[misc]
        with CaptureQueriesContext(connection) as asked:
            scrape()
        return len(asked)

    small = queries()
    now = timezone.now()
    for number in range(5):
        make_run(study, ended=number % 2 == 0, failures=3)
        Job.objects.create(kind=f"kind {number}", state=JobState.QUEUED, asked_at=now)
        Heartbeat.objects.create(worker=f"host:{number}", at=now)
        note_fault(f"desk:{number}", KeyError())
    assert queries() <= small + 1  # the calls of the first run
    assert small <= MOST_QUERIES


def expressions(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["expr"]] if isinstance(part.get("expr"), str) else []
        return own + [text for value in part.values() for text in expressions(value)]
    return [text for value in part for text in expressions(value)] if isinstance(part, list) else []


def fill(study: Study) -> None:
    """Have something of every metric."""
    count_save("draft")
    count_request(route="desk:home", method="GET", status=200, seconds=0.01)
    make_run(study, ended=False, failures=1)
    Job.objects.create(kind="export", state=JobState.QUEUED, asked_at=timezone.now())
    note_fault("desk:study", ValueError())


def test_the_dashboard_asks_for_metrics_that_there_are_and_for_all_kinds_of_them(
    study: Study,
) -> None:
    fill(study)
    there = {name for name, _labels in scrape()}
    asked = {
        name
        for text in expressions(json.loads(DASHBOARD.read_text(encoding="utf-8")))
        for name in re.findall(r"\bjurybox_\w+", text)
    }
    assert asked - there == set()
    own = {name for name in there if name.startswith("jurybox_")}
    parts = ("_created", "_sum", "_count")
    assert {name for name in own - asked if not name.endswith(parts)} <= {"jurybox_info"}


def test_the_dashboard_asks_for_labels_and_kinds_of_metrics_that_there_are(study: Study) -> None:
    fill(study)
    reply = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    families = list(text_string_to_metric_families(reply.content.decode()))
    kinds = {sample.name: family.type for family in families for sample in family.samples}
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    for target in (target for panel in panels for target in panel["targets"]):
        query = target["expr"]
        (name,) = set(re.findall(r"\bjurybox_\w+", query))
        grouped = re.findall(r"\bby \(([^)]*)\)", query)
        asked = {label.strip() for group in grouped for label in group.split(",")}
        asked |= set(re.findall(r"{(\w+)=", query))
        assert asked <= labels[name], query
        # What the legend names is left after adding up.
        left = {label.strip() for label in grouped[0].split(",")} if grouped else labels[name]
        assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= left, query
        # A counter begins anew with its process, a gauge may fall.
        assert ("rate(" in query) == (kinds[name] in {"counter", "histogram"}), query
        assert ("histogram_quantile(" in query) == name.endswith("_bucket"), query
        assert "le" in asked or not name.endswith("_bucket"), query
        # Each web server tells the same of the database.
        assert kinds[name] != "gauge" or not re.match(r"sum[^(]*\(jurybox", query), query


def test_the_metrics_to_watch_are_those_that_there_are(study: Study) -> None:
    fill(study)
    there = {name for name, _labels in scrape()}
    page = (DASHBOARD.parent / "operations.md").read_text(encoding="utf-8")
    told = set(re.findall(r"\bjurybox_\w+", page))
    assert {"jurybox_beat_up", "jurybox_workers"} <= told
    assert {name for name in told if not {name, f"{name}_bucket"} & there} == set()
