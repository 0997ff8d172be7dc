"""The answers of a running assistant, judged each night and checked by people on a sample.

`nightly.py gather`, once a night: new traces of Langfuse and MLflow become units of a study, a
judge answers about all of them, and people get a random share. `nightly.py listen`, all the time:
when the webhook says that a run or a round has ended, it writes the scores back to where each trace
came from, and the figure that people's answers correct to MLflow. Both may be repeated: nothing is
gathered, or written back, twice.
"""

import argparse
import json
import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import mlflow
from langfuse import Langfuse
from langfuse.api import CreateScoreRequest
from mlflow.entities import AssessmentSource

from jurybox.client import Client, Study, is_genuine

HERE = Path(__file__).parent
SLUG, JUDGE, SCORE = "nightly", "grader", "right"
# The share of traces that people get, and for how many days back traces are looked at.
SHARE, DAYS, SEED = 0.5, 2, 1
EVENTS = ["run.finished", "round.finished"]
SECRET = Path(os.environ.get("NIGHTLY_SECRET", "nightly-secret"))
EXPERIMENT = os.environ.get("NIGHTLY_EXPERIMENT", "assistant")


class Trace(NamedTuple):
    """A question to the assistant and its answer. key: where it is from, and its id there."""

    key: str
    question: str
    answer: str


# --- Gathering ------------------------------------------------------------------------------------


def traces() -> Iterator[Trace]:
    """The newest traces of both."""
    since = datetime.now(UTC) - timedelta(days=DAYS)
    api, cursor = Langfuse().api, None
    while True:
        page = api.observations.get_many(
            is_root_observation=True, from_start_time=since, fields="core,basic,io", cursor=cursor
        )
        for seen in page.data:
            yield Trace(f"langfuse/{seen.trace_id}", text_of(seen.input), text_of(seen.output))
        cursor = page.meta.cursor
        if cursor is None:
            break
    experiment = mlflow.get_experiment_by_name(EXPERIMENT)
    if experiment is not None:
        after = f"timestamp_ms > {int(since.timestamp() * 1000)}"
        where = {"locations": [experiment.experiment_id], "filter_string": after}
        for trace in mlflow.search_traces(**where, return_type="list"):
            asked, said = json.loads(trace.data.request), json.loads(trace.data.response)
            yield Trace(f"mlflow/{trace.info.trace_id}", text_of(asked), text_of(said))


def text_of(value: object) -> str:
    """What was asked or said: a text, or the only text of an object."""
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def record(trace: Trace) -> dict[str, object]:
    """The trace as a record of the study. Whether people get it depends on its key alone, so that
    nobody chooses: figures that people correct hold for a random sample only."""
    is_drawn = random.Random(f"{SEED}/{trace.key}").random() < SHARE
    return {
        "source": {"key": trace.key, "query": trace.question},
        "items": [{"key": trace.key, "system": "assistant", "text": trace.answer}],
        "unit": {"key": trace.key, "subsets": ["people"] if is_drawn else ["judge-alone"]},
    }


def gather(client: Client, listener: str) -> None:
    """New traces into the study, then the judge over them."""
    study = client.study(SLUG)
    is_new = not any(row["slug"] == SLUG for row in client.studies())
    there = set() if is_new else {row["key"] for row in study.rows("units", fields=["key"])}
    new = [record(trace) for trace in traces() if trace.key not in there]
    if is_new:
        study = begin(client, new, listener)
    elif new:
        study.add_items(new)
    print(f"{len(new)} new traces")
    if new:
        run = study.wait_for_run(study.run_judge(JUDGE))
        print(f"{JUDGE}: {run['state']}, {run['n_done']} answers")


def begin(client: Client, records: list[dict[str, object]], listener: str) -> Study:
    """The study, on the first night: with its judge, a link for people, and a webhook."""
    study = client.make_study(HERE / "study.yaml")
    study.add_items(records)
    model = os.environ["NIGHTLY_MODEL"]
    study.define_judge(JUDGE, "zero_shot", backend="chat", model=model)
    SECRET.write_text(study.set_webhook(listener, EVENTS))
    study.open()
    print("People come in by", study.invite()[0]["link"])
    return study


# --- Writing back ---------------------------------------------------------------------------------


def write_back(study: Study) -> None:
    """Each trace's scores to where it is from, and the figures of all to MLflow."""
    n = 0
    for answer in study.answers(standing=True):
        if answer["kind"] == "simulated" or answer["excluded_reason"]:
            continue
        origin, _, trace = answer["unit"].partition("/")
        {"langfuse": score_langfuse, "mlflow": score_mlflow}[origin](trace, answer)
        n += 1
    Langfuse().flush()
    figures = {
        row["metric"]: row["value"]
        for row in study.estimates(raters=f"humans~{JUDGE}", group="")
        if row["metric"] in ("mean_ppi", "spearman") and row["value"] is not None
    }
    with mlflow.start_run(run_name=f"jurybox {datetime.now(UTC):%Y-%m-%d}"):
        mlflow.log_metrics(figures)
    print(f"{n} scores written back", json.dumps(figures), flush=True)


def score_langfuse(trace: str, answer: dict[str, object]) -> None:
    """A score under an id of its own, so that the same one again replaces it."""
    score = CreateScoreRequest(
        id=f"jurybox-{SLUG}-{answer['id']}",
        trace_id=trace,
        name=SCORE if answer["kind"] == "judge" else f"{SCORE}-people",
        value=float(answer["answer"]["value"]),
        data_type="NUMERIC",
        metadata={"rater": answer["rater"], "kind": answer["kind"]},
    )
    Langfuse().api.scores.create(request=[score])


def score_mlflow(trace: str, answer: dict[str, object]) -> None:
    """Feedback of the rater, unless it is there."""
    kind = "LLM_JUDGE" if answer["kind"] == "judge" else "HUMAN"
    source = AssessmentSource(source_type=kind, source_id=str(answer["rater"]))
    there = mlflow.get_trace(trace).info.assessments
    if not any((each.name, each.source.source_id) == (SCORE, source.source_id) for each in there):
        value = float(answer["answer"]["value"])
        mlflow.log_feedback(trace_id=trace, name=SCORE, value=value, source=source)


def listen(client: Client, port: int) -> None:
    """Answer the webhook, and write back what it tells of."""

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            signature = self.headers.get("Jurybox-Signature", "")
            known = is_genuine(signature, body, [SECRET.read_text()])
            self.send_response(204 if known else 401)
            self.end_headers()
            self.wfile.flush()
            if known:
                print(json.loads(body)["event"], flush=True)
                write_back(client.study(SLUG))

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", port), Hook)
    print("listening at", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=["gather", "listen"])
    parser.add_argument("--listener", default="https://hooks.example.org/nightly")
    parser.add_argument("--port", type=int, default=8765)
    given = parser.parse_args()
    with Client() as connected:
        if given.act == "gather":
            gather(connected, given.listener)
        else:
            listen(connected, given.port)
