"""Write a trace, observations and scores as Langfuse's API gives them, by the types of its SDK.

Run where langfuse is installed: python make.py. No server is asked: the objects are made by hand
and serialised by the SDK (`api_*.json`); `ui_*` and `blob_*` put the same contents under the
columns that the server's own export code and the documentation of its export to storage name.
"""

import csv
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from langfuse.api import (
    GetScoresV3Meta,
    GetScoresV3Response,
    ObservationsV2Meta,
    ObservationsV2Response,
    ObservationV2,
    ScoreSource,
    ScoreSubjectV3_Observation,
    ScoreSubjectV3_Trace,
    ScoreV3_Boolean,
    ScoreV3_Categorical,
    ScoreV3_Numeric,
    ScoreV3_Text,
)

FOLDER = Path(__file__).parent
START = datetime(2026, 1, 31, 10, tzinfo=UTC)
QUESTIONS = [
    "When does the tram run?",
    "When does the pool open?",
    "Does the ferry sail in winter?",
]
ANSWERS = [
    "Line 3 runs until one in the morning.",
    "The pool opens at nine.",
    "The ferry does not sail in winter.",
]


def moment(number: int, seconds: float = 0) -> datetime:
    return START + timedelta(minutes=number, seconds=seconds)


def observation(
    number: int, name: str, type_: str, seconds: float, **fields: object
) -> ObservationV2:
    return ObservationV2(
        id=f"{name}-{number}", trace_id=f"trace-{number}", project_id="p", type=type_, name=name,
        start_time=moment(number, seconds), end_time=moment(number, seconds + 1),
        parent_observation_id=None if name == "answer" else f"answer-{number}",
        environment="default", **fields,
    )  # fmt: skip


def observations(number: int) -> list[ObservationV2]:
    """An agent with a call of a tool, in one of three, and a call of a model."""
    question, answer = QUESTIONS[number], ANSWERS[number]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
    tool = observation(
        number, "timetable", "TOOL", 1, input={"line": 3}, output="Line 3: 5:00 to 1:00"
    )
    return [
        observation(number, "answer", "AGENT", 0, input={"question": question}, output=answer,
                    trace_name="answer", session_id="s-1", tags=["night"]),
        *([tool] if number == 0 else []),
        observation(number, "model", "GENERATION", 2, input=messages, model="larch-1",
                    output={"role": "assistant", "content": answer}),
    ]  # fmt: skip


def score(kind: type, number: int, name: str, value: object, source: ScoreSource, **more: object):
    person = more.pop("by", None)
    subject = more.pop("subject", None) or ScoreSubjectV3_Trace(kind="trace", id=f"trace-{number}")
    types = {ScoreV3_Numeric: "NUMERIC", ScoreV3_Boolean: "BOOLEAN",
             ScoreV3_Categorical: "CATEGORICAL", ScoreV3_Text: "TEXT"}  # fmt: skip
    return kind(
        id=f"{name}-{person or source.value.lower()}-{number}", name=name, value=value,
        data_type=types[kind], project_id="p", source=source, timestamp=moment(number, 30),
        created_at=moment(number, 30), updated_at=moment(number, 30), environment="default",
        author_user_id=person, subject=subject, **more,
    )  # fmt: skip


def scores() -> list:
    people, judge, api = ScoreSource.ANNOTATION, ScoreSource.EVAL, ScoreSource.API
    made = []
    for number, (ada, ben, grade) in enumerate([(5, 4, 0.9), (4, 4, 0.8), (3, 2, 0.25)]):
        looked, share = "I looked.", f"About {grade:.0%} of it."
        tone = "warm" if number else "dry"
        made += [
            score(ScoreV3_Numeric, number, "clarity", ada, people, by="user-ada"),
            score(ScoreV3_Numeric, number, "clarity", ben, people, by="user-ben", comment=looked),
            score(ScoreV3_Categorical, number, "tone", tone, people, by="user-ada"),
            score(ScoreV3_Numeric, number, "relevance", grade, judge, comment=share),
            score(ScoreV3_Boolean, number, "thumbs", number != 2, api),
        ]  # fmt: skip
    made.append(score(ScoreV3_Text, 0, "remark", "Where is this from?", people, by="user-ada"))
    on_model = ScoreSubjectV3_Observation(kind="observation", id="model-1", trace_id="trace-1")
    made.append(score(ScoreV3_Numeric, 1, "fluency", 1.0, judge, subject=on_model))
    return made


def plain(thing: object) -> dict:
    return json.loads(thing.json())


def write(name: str, text: str) -> None:
    (FOLDER / name).write_text(text, encoding="utf-8")


seen = [row for number in range(3) for row in observations(number)]
given = scores()
write(
    "api_observations.json",
    json.dumps(plain(ObservationsV2Response(data=seen, meta=ObservationsV2Meta())), indent=1)
    + "\n",
)
write(
    "api_scores.json",
    json.dumps(plain(GetScoresV3Response(data=given, meta=GetScoresV3Meta(limit=100))), indent=1)
    + "\n",
)

# The tables of its pages: traces with a column for each score, and scores, as
# worker/src/features/database-read-stream of langfuse/langfuse writes their columns.
with (FOLDER / "ui_traces.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file)
    table.writerow(["id", "timestamp", "name", "userId", "sessionId", "tags", "input", "output",
                    "metadata", "level", "observationCount", "clarity"])  # fmt: skip
    for number in range(3):
        row = [f"trace-{number}", moment(number).isoformat(), "answer", "", "s-1", '["night"]']
        table.writerow([*row, json.dumps({"question": QUESTIONS[number]}), ANSWERS[number], "{}",
                        "DEFAULT", 2, "[4.5]"])  # fmt: skip
with (FOLDER / "ui_scores.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file)
    table.writerow(["id", "traceId", "sessionId", "datasetRunId", "timestamp", "source", "name",
                    "dataType", "value", "stringValue", "comment", "metadata", "observationId",
                    "traceName", "userId", "traceTags", "environment",
                    "authorUserName"])  # fmt: skip
    for one in given:
        labelled = one.data_type in ("CATEGORICAL", "TEXT")
        number = one.subject.id.rpartition("-")[2]
        table.writerow([
            one.id, f"trace-{number}", "", "", one.timestamp.isoformat(), one.source.value,
            one.name, one.data_type, 0 if labelled else float(one.value),
            one.value if labelled else "",
            one.comment or "", "{}", one.subject.id if one.subject.kind == "observation" else "",
            "answer", "", '["night"]', "default", (one.author_user_id or "").removeprefix("user-"),
        ])  # fmt: skip

# Its export to storage: a line per observation and per score, names with underscores.
lines = [
    {"id": o.id, "trace_id": o.trace_id, "type": o.type, "name": o.name,
     "parent_observation_id": o.parent_observation_id, "start_time": str(o.start_time)[:26],
     "input": o.input if isinstance(o.input, str) else json.dumps(o.input),
     "output": o.output if isinstance(o.output, str) else json.dumps(o.output),
     "provided_model_name": o.model, "trace_name": o.trace_name, "tags": o.tags or []}
    for o in seen
]  # fmt: skip
write("blob_observations.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
lines = [
    {"id": s.id, "timestamp": str(s.timestamp)[:26], "project_id": "p", "environment": "default",
     "trace_id": f"trace-{s.subject.id.rpartition('-')[2]}", "session_id": None,
     "observation_id": s.subject.id if s.subject.kind == "observation" else None,
     "dataset_run_id": None, "name": s.name, "source": s.source.value, "data_type": s.data_type,
     "value": None if isinstance(s.value, str) else float(s.value),
     "string_value": s.value if isinstance(s.value, str) else None, "comment": s.comment,
     "author_user_id": s.author_user_id}
    for s in given
]  # fmt: skip
write("blob_scores.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
clarity = [float(s.value) for s in given if s.name == "clarity"]
report = {
    "traces": 3,
    "observations": len(seen),
    "scores": len(given),
    "mean clarity": sum(clarity) / len(clarity),
}
write("report.json", json.dumps(report, indent=1) + "\n")
