"""Spans of OpenTelemetry, as its SDK writes them, by conventions of several years."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from tests.imports import formats
from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

FOLDER = Path(formats.__file__).parent / "foreign" / "otel"
OTLP, PRINTED = FOLDER / "otlp.jsonl", FOLDER / "sdk.jsonl"
REPORT = json.loads((FOLDER / "report.json").read_text())


def attributes(**values: str) -> list[dict[str, Any]]:
    return [
        {"key": f"gen_ai.{name.replace('__', '.')}", "value": {"stringValue": value}}
        for name, value in values.items()
    ]


def span(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "traceId": "aa",
        "spanId": f"b{number}",
        "name": "chat",
        "startTimeUnixNano": str(number),
        "attributes": attributes(operation__name="chat", prompt="When?", completion="At nine."),
    } | changes


def spans(*of: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [*of]}]}]}


def logs(*of: Any) -> dict[str, Any]:
    return {"resourceLogs": [{"resource": {}, "scopeLogs": [{"scope": {}, "logRecords": [*of]}]}]}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "spans.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def speakers(study: Study) -> list[list[str]]:
    return [[t.speaker for t in s.material.turns] for s in study.sources.all() if s.material.turns]


def test_evaluations_are_those_that_the_sdk_recorded() -> None:
    study = import_files("otel", OTLP)
    given = [answer["value"] for answer in answers_of(study, "Relevance").values()]
    assert (len(given), sum(given) / len(given)) == (
        REPORT["evaluations"],
        pytest.approx(REPORT["mean relevance"]),
    )
    assert study.imported["counts"]["units"] == 3
    assert study.annotations.order_by("pk").last().reasons == ["About 25% of it."]  # type: ignore[union-attr]


def test_an_agent_with_a_tool_is_one_conversation() -> None:
    study = import_files("otel", OTLP)
    assert speakers(study) == [["user", "assistant", "tool"]]
    assert {item.system for item in study.items.all()} == {"timetables"}
    assert {s.material.query for s in study.sources.all() if not s.material.turns} == {
        "When does the pool open?",
        "Does the ferry sail in winter?",
    }


def test_messages_of_older_conventions_are_read_from_events() -> None:
    study = import_files("otel", PRINTED)
    assert sorted(speakers(study)) == [["system", "user"]] * 3
    assert {item.system for item in study.items.all()} == {"birch-2", "elm-1"}
    texts = {item.sentences[0]["text"] for item in study.items.filter(system="elm-1")}
    assert "The pool opens at nine." in texts


def test_messages_may_be_numbered_attributes(tmp_path: Path) -> None:
    numbered = attributes(
        prompt__0__role="system",
        prompt__0__content="Be brief.",
        prompt__1__role="user",
        prompt__1__content="When?",
        completion__0__role="assistant",
        completion__0__content="At nine.",
    )
    study = import_files("otel", written(tmp_path, spans(span(attributes=numbered))))
    assert speakers(study) == [["system", "user"]]


def test_an_evaluation_may_be_logged_beside_its_span(tmp_path: Path) -> None:
    answered = span()
    answered["attributes"] += attributes(response__id="r1")
    said = attributes(evaluation__name="tone", evaluation__score__label="warm", response__id="r1")
    lost = attributes(evaluation__name="tone", evaluation__score__label="dry", response__id="r9")
    record = {"eventName": "gen_ai.evaluation.result", "attributes": said, "body": {}}
    lines = spans(answered), logs(record, record | {"attributes": lost})
    study = import_files("otel", written(tmp_path, *lines))
    assert list(answers_of(study, "tone").values()) == [{"scores": {"tone": "warm"}}]
    assert study.imported["counts"]["evaluations_without_a_span"] == 1


def test_a_call_within_an_agent_is_a_unit_where_it_was_evaluated(tmp_path: Path) -> None:
    value = {"key": "gen_ai.evaluation.score.value", "value": {"intValue": "4"}}
    named = attributes(evaluation__name="tone")
    evaluated = {"name": "gen_ai.evaluation.result", "attributes": [*named, value]}
    inner = span(2, parentSpanId="b1", events=[evaluated])
    outer = span(1, attributes=attributes(operation__name="invoke_agent", agent__name="guide"))
    study = import_files("otel", written(tmp_path, spans(outer, inner)))
    assert sorted(study.items.values_list("key", flat=True)) == ["aa/b1", "aa/b1/b2"]
    (unit,) = answers_of(study, "tone")
    assert unit == "aa/b1/b2"


def test_spans_of_other_programs_are_counted_and_left_out(tmp_path: Path) -> None:
    other = span(7, attributes=[], name="GET /")
    study = import_files("otel", written(tmp_path, spans(span(), other)))
    assert study.imported["counts"]["spans_without_gen_ai"] == 1
    assert study.units.count() == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [{"spans": []}],
            ":1: resourceSpans: missing: this is no line of OTLP JSON, and no span of an SDK",
        ),
        ([spans(span(spanId=""))], ":1: spanId: missing"),
        (
            [spans(span()), spans(span())],
            ":2 (span b1): id: duplicate: 'span b1' stands at spans.jsonl:1 (span b1) already",
        ),
        (
            [spans(span(attributes=attributes(operation__name="chat", prompt="When?")))],
            ":1 (span b1): output: empty (it ended without an answer, or in an error)",
        ),
        ([spans(span(attributes=[]))], ": records: none in this file"),
    ],
)
def test_what_cannot_be_used_is_named(lines: list[Any], message: str, tmp_path: Path) -> None:
    assert refusal("otel", written(tmp_path, *lines)) == f"spans.jsonl{message}"
