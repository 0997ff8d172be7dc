"""The nightly example from end to end: traces of MLflow itself and of a server that holds to the
types of Langfuse's SDK, a judge, people, the webhook, and the scores that are written back."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from alerts.feeds import collect_events
from alerts.models import Webhook
from annotation.models import Assignment, Rater, Study, User
from annotation.work.assignment import lease_batch
from annotation.work.steps import Steps
from annotation.work.submission import submit
from api.scopes import Scope
from api.tokens import make_token
from tests.annotation.workers import answer_step, newcomer
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour
from tests.services.ports import free_port

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "nightly" / "nightly.py"
# What the example needs beside the client, none of which the program needs itself.
PACKAGES = [
    *("mlflow-skinny==3.17.2", "sqlalchemy==2.1.9", "alembic==1.20.1", "langfuse==5.0.4"),
    *("httpx2==2.16.2", "pyyaml==6.0.4"),
]
TRACED = """
import json, sys, mlflow
mlflow.set_experiment("assistant")
for minutes in json.loads(sys.argv[1]):
    with mlflow.start_span("answer") as span:
        span.set_inputs({"question": "How long does it take?"})
        span.set_outputs(f"It takes {minutes} minutes.")
mlflow.flush_trace_async_logging()
"""
FOUND = """
import json, mlflow
experiment = mlflow.get_experiment_by_name("assistant")
traces = mlflow.search_traces(locations=[experiment.experiment_id], return_type="list")
runs = mlflow.search_runs(search_all_experiments=True, output_format="list")
print(json.dumps({
    "traces": [
        [json.loads(trace.data.response), [
            [each.name, each.source.source_type, each.value] for each in trace.info.assessments
        ]] for trace in traces
    ],
    "metrics": [run.data.metrics for run in runs],
}))
"""
# The judge finds each answer so much better than people do.
TOO_HIGH = 20
WAITS_SECONDS = 60.0


@pytest.fixture(scope="module")
def python(request: pytest.FixtureRequest) -> Path:
    """Of an environment with MLflow and the SDK of Langfuse, which is kept between runs."""
    assert request.config.cache is not None
    folder = request.config.cache.mkdir("nightly")
    program, done = folder / "bin" / "python", folder / "packages.json"
    if not done.is_file() or json.loads(done.read_text()) != PACKAGES:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install: list[str | Path] = [program, "-m", "pip", "install", "--quiet", *PACKAGES]
        made = subprocess.run(install, capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.skip(f"MLflow and Langfuse's SDK cannot be installed: {made.stderr[-300:]}")
        done.write_text(json.dumps(PACKAGES))
    return program


class Night:
    """The example as a program of its own, and both tools around it."""

    def __init__(self, python: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self.python, self.folder = python, folder
        self.observations, self.scores = folder / "observations.json", folder / "scores.jsonl"
        self.scores.touch()
        lib = folder / "lib"
        lib.mkdir()
        (lib / "jurybox").symlink_to(ROOT / "jurybox")
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "PYTHONPATH": str(lib),
            "MLFLOW_TRACKING_URI": f"sqlite:///{folder}/mlflow.db",
            "NIGHTLY_SECRET": str(folder / "secret"),
            "NIGHTLY_MODEL": MODEL,
            "LANGFUSE_PUBLIC_KEY": "pk",
            "LANGFUSE_SECRET_KEY": "sk",
            "LANGFUSE_TRACING_ENABLED": "false",
            "NO_PROXY": "*",
            **environment,
        }

    def run(self, *arguments: object) -> str:
        """What the program prints."""
        command = [str(each) for each in (self.python, *arguments)]
        done = subprocess.run(
            command, env=self.environment, cwd=self.folder, capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def trace(self, langfuse: list[int], mlflow: list[int]) -> None:
        """Answers of the assistant since last time, by the minutes that they name."""
        there = json.loads(self.observations.read_text()) if self.observations.is_file() else []
        new = [
            {"trace": f"t{n}", "question": "How long?", "answer": f"It takes {n} minutes."}
            for n in langfuse
        ]
        self.observations.write_text(json.dumps([*there, *new]))
        self.run("-c", TRACED, json.dumps(mlflow))

    @contextmanager
    def started(self, *arguments: object) -> Iterator["subprocess.Popen[str]"]:
        """A program that runs until it is no longer needed."""
        command = [str(each) for each in (self.python, *arguments)]
        with subprocess.Popen(
            command,
            env=self.environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as program:
            try:
                yield program
            finally:
                program.kill()

    @property
    def written(self) -> dict[tuple[str, str], float]:
        """(trace, name of the score) -> value, of what Langfuse was sent; the same id once."""
        sent = [json.loads(line) for line in self.scores.read_text().splitlines()]
        by_id = {each["id"]: each for each in sent}
        return {(each["traceId"], each["name"]): each["value"] for each in by_id.values()}


@pytest.fixture
def night(
    python: Path, researcher: User, live_server: LiveServer, tmp_path: Path
) -> Iterator[Night]:
    _row, token = make_token(owner=researcher, name="night", scopes=list(Scope), days=1)
    port = free_port()
    made = Night(
        python,
        tmp_path,
        {
            "JURYBOX_URL": live_server.url,
            "JURYBOX_TOKEN": token,
            "LANGFUSE_BASE_URL": f"http://127.0.0.1:{port}",
        },
    )
    server = Path(__file__).with_name("langfuse_server.py")
    with made.started(server, port, made.observations, made.scores):
        yield made


def minutes_in(asked: Any) -> int:
    found = re.findall(r"takes (\d+) minutes", json.dumps(asked))
    return int(found[-1])


def people_answer(study: Study) -> int:
    """Somebody answers all that people get, as it is; how many answers those are."""
    person, answers = newcomer(study), 0
    while isinstance(batch := lease_batch(participation=person, now=timezone.now()), Assignment):
        for step in Steps(batch).unanswered:
            answer_step(step, {"value": [str(minutes_in(step.question.payload))]})
            answers += 1
        submit(assignment=batch, now=timezone.now())
    return answers


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAITS_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.usefixtures("worker")
def test_traces_are_judged_checked_by_people_and_scored_where_they_came_from(
    night: Night, endpoint: Opening, settings: Settings
) -> None:
    endpoint(Behaviour(answer=lambda asked: f'{{"value": {minutes_in(asked) + TOO_HIGH}}}'))
    with night.started(EXAMPLE, "listen", "--port", free_port()) as listener:
        assert listener.stdout is not None
        port = int(listener.stdout.readline().split()[-1])
        settings.WEBHOOK_PRIVATE = [("127.0.0.1", port)]
        address = f"http://127.0.0.1:{port}/"
        first, second = list(range(20, 40)), list(range(40, 60))
        night.trace(first, second)
        printed = night.run(EXAMPLE, "gather", "--listener", address)
        assert "40 new traces" in printed
        assert "grader: complete, 40 answers" in printed
        study = Study.objects.get(slug="nightly")
        # The webhook tells of the run, and the judge's scores are written back.
        collect_events(webhook_id=Webhook.objects.get(study=study).pk, now=timezone.now())
        eventually(lambda: len(night.written) == 20)
        assert night.written["t30", "right"] == 30 + TOO_HIGH
        # People answer their sample; the webhook tells that the round is finished.
        answers = people_answer(study)
        assert 10 <= answers < 30
        of_people = study.annotations.filter(rater__kind=Rater.Kind.HUMAN)
        in_langfuse = of_people.filter(question__unit__key__startswith="langfuse/").count()
        collect_events(webhook_id=Webhook.objects.get(study=study).pk, now=timezone.now())
        eventually(lambda: len(night.written) == 20 + in_langfuse)
        found: dict[str, Any] = {}

        def are_found() -> bool:
            found.update(json.loads(night.run("-c", FOUND)))
            return any("mean_ppi" in metrics for metrics in found["metrics"])

        eventually(are_found)
        # Both raters' scores of a trace, each once; the figure is corrected by people.
        said = dict(found["traces"])
        assert ["right", "LLM_JUDGE", 50 + TOO_HIGH] in said["It takes 50 minutes."]
        scores = [score for each in said.values() for score in each]
        assert len(scores) == 20 + answers - in_langfuse
        corrected = next(each for each in found["metrics"] if "mean_ppi" in each)["mean_ppi"]
        assert abs(corrected - mean(first + second)) < TOO_HIGH / 2
        # The next night brings what is new, and nothing twice.
        night.trace([10, 11], [12])
        again = night.run(EXAMPLE, "gather", "--listener", address)
        assert "3 new traces" in again
        assert "grader: complete, 3 answers" in again
        assert "0 new traces" in night.run(EXAMPLE, "gather", "--listener", address)
        assert study.units.count() == 43
