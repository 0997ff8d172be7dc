"""Write traces with assessments, an evaluation table, and what MLflow counts of them.

Run where mlflow is installed: python make.py
"""

import json
from getpass import getuser
from pathlib import Path
from tempfile import mkdtemp

import mlflow
import pandas as pd
from mlflow.entities import AssessmentSource, SpanType
from mlflow.metrics import MetricValue, make_metric

FOLDER = Path(__file__).parent
WORK = mkdtemp()
mlflow.set_tracking_uri(f"sqlite:///{WORK}/mlflow.db")
EXPERIMENT = mlflow.create_experiment("opening hours", artifact_location=f"{WORK}/artifacts")
mlflow.set_experiment(experiment_id=EXPERIMENT)

ANSWERS = {
    "When does the tram run?": "Line 3 runs until one in the morning.",
    "When does the pool open?": "The pool opens at nine.",
    "Does the ferry sail in winter?": "The ferry does not sail in winter.",
}
# Question -> (ada's clarity and verdict, ben's, what the judge says, its reason).
SAID = {
    "When does the tram run?": ((5, True), (4, True), "yes", "It names the hour."),
    "When does the pool open?": ((4, True), (4, False), "yes", "It names the hour."),
    "Does the ferry sail in winter?": ((3, False), (2, False), "no", "It names no source."),
}


@mlflow.trace(span_type=SpanType.TOOL)
def timetable(line: int) -> str:
    return f"Line {line}: 5:00 to 1:00"


@mlflow.trace(span_type=SpanType.CHAT_MODEL)
def model(messages: list[dict[str, str]]) -> dict[str, object]:
    mlflow.get_current_active_span().set_attribute("mlflow.llm.model", "larch-1")
    question = messages[-1]["content"]
    return {"choices": [{"message": {"role": "assistant", "content": ANSWERS[question]}}]}


@mlflow.trace(name="answer", span_type=SpanType.AGENT)
def answer(question: str) -> str:
    if "tram" in question:
        timetable(3)
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
    return model(messages)["choices"][0]["message"]["content"]


def assess(trace: str, question: str) -> None:
    """Feedback of two people, of a judge, and of code; and an expectation."""
    ada, ben, judged, reason = SAID[question]
    for name, (clarity, correct) in (("ada@example.org", ada), ("ben@example.org", ben)):
        person = AssessmentSource(source_type="HUMAN", source_id=name)
        mlflow.log_feedback(trace_id=trace, name="clarity", value=clarity, source=person)
        mlflow.log_feedback(
            trace_id=trace, name="correct", value=correct, source=person, rationale="I looked."
        )
    judge = AssessmentSource(source_type="LLM_JUDGE", source_id="birch-2")
    mlflow.log_feedback(
        trace_id=trace, name="grounded", value=judged, source=judge, rationale=reason
    )
    code = AssessmentSource(source_type="CODE", source_id="length")
    mlflow.log_feedback(trace_id=trace, name="words", value=len(question.split()), source=code)
    mlflow.log_expectation(
        trace_id=trace, name="expected_response", value=ANSWERS[question],
        source=AssessmentSource(source_type="HUMAN", source_id="ada@example.org"),
    )  # fmt: skip


for question in ANSWERS:
    answer(question)
    mlflow.flush_trace_async_logging()
    assess(mlflow.get_last_active_trace_id(), question)
# A person corrects what the judge said; the older feedback is valid no more.
first = mlflow.search_traces(locations=[EXPERIMENT], return_type="list", order_by=["timestamp ASC"])
grounded = first[0].search_assessments(name="grounded")[0]
mlflow.override_feedback(
    trace_id=first[0].info.trace_id, assessment_id=grounded.assessment_id, value="no",
    rationale="The timetable is of last year.",
    source=AssessmentSource(source_type="HUMAN", source_id="ben@example.org"),
)  # fmt: skip

traces = mlflow.search_traces(
    locations=[EXPERIMENT], return_type="list", order_by=["timestamp ASC"]
)
# Without the temporary folder, and whoever runs this.
lines = [trace.to_json().replace(WORK, "mlruns") for trace in traces]
lines = [line.replace(f'"mlflow.user": "{getuser()}"', '"mlflow.user": "ada"') for line in lines]
(FOLDER / "traces.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def values(name: str) -> list[float]:
    found = [a for trace in traces for a in trace.search_assessments(name=name, type="feedback")]
    return [float(assessment.value) for assessment in found]


def graded(predictions: pd.Series, targets: pd.Series) -> MetricValue:
    scores = [float(p == t) for p, t in zip(predictions, targets, strict=True)]
    said = ["It is the same." if score else "It is another." for score in scores]
    return MetricValue(scores=scores, justifications=said,
                       aggregate_results={"mean": sum(scores) / len(scores)})  # fmt: skip


table = pd.DataFrame({
    "inputs": list(ANSWERS),
    "outputs": list(ANSWERS.values()),
    "targets": ["Line 3 runs until one in the morning.", "At nine.", "Not in winter."],
})  # fmt: skip
with mlflow.start_run():
    result = mlflow.models.evaluate(
        data=table, predictions="outputs", targets="targets", evaluators="default",
        extra_metrics=[
            make_metric(eval_fn=graded, greater_is_better=True, name="same", version="v1")
        ],
    )  # fmt: skip
    path = mlflow.artifacts.download_artifacts(
        artifact_uri=result.artifacts["eval_results_table"].uri
    )
(FOLDER / "table.json").write_text(Path(path).read_text(encoding="utf-8") + "\n", encoding="utf-8")
counted = {
    "mlflow": mlflow.__version__,
    "traces": len(traces),
    "assessments": sum(len(trace.search_assessments(type="feedback")) for trace in traces),
    "mean clarity": sum(values("clarity")) / len(values("clarity")),
    "table": result.metrics,
}
(FOLDER / "report.json").write_text(json.dumps(counted, indent=1) + "\n", encoding="utf-8")
