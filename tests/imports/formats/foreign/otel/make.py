"""Write spans of generative AI with the SDK of OpenTelemetry, by newer and older conventions.

Run where opentelemetry-sdk and opentelemetry-exporter-otlp-json-file are installed:
python make.py. Nothing asks a model.
"""

import json
from pathlib import Path

from opentelemetry.exporter.otlp.json.file import FileSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    ConsoleSpanExporter,
    SimpleSpanProcessor,
)
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as ai
from opentelemetry.trace import SpanKind, Tracer

FOLDER = Path(__file__).parent
ANSWERS = {
    "When does the tram run?": "Line 3 runs until one in the morning.",
    "When does the pool open?": "The pool opens at nine.",
    "Does the ferry sail in winter?": "The ferry does not sail in winter.",
}
GRADES = [0.9, 0.8, 0.25]


def text(role: str, words: str, **more: object) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": words}], **more}


def ask(tracer: Tracer, number: int, question: str, answer: str) -> None:
    """An agent that calls a tool, in one of three, and a model; the conventions since 1.37."""
    with tracer.start_as_current_span("invoke_agent", kind=SpanKind.INTERNAL) as agent:
        agent.set_attribute(ai.GEN_AI_OPERATION_NAME, "invoke_agent")
        agent.set_attribute(ai.GEN_AI_AGENT_NAME, "timetables")
        messages = [text("user", question)]
        if number == 0:
            call = {"type": "tool_call", "id": "c", "name": "timetable", "arguments": {"line": 3}}
            with tracer.start_as_current_span("execute_tool timetable") as tool:
                tool.set_attribute(ai.GEN_AI_OPERATION_NAME, "execute_tool")
                tool.set_attribute(ai.GEN_AI_TOOL_NAME, "timetable")
                tool.set_attribute(ai.GEN_AI_TOOL_CALL_ARGUMENTS, json.dumps({"line": 3}))
                tool.set_attribute(ai.GEN_AI_TOOL_CALL_RESULT, "Line 3: 5:00 to 1:00")
            said = {"type": "tool_call_response", "id": "c", "response": "Line 3: 5:00 to 1:00"}
            messages += [{"role": "assistant", "parts": [call]}, {"role": "tool", "parts": [said]}]
        with tracer.start_as_current_span("chat larch-1", kind=SpanKind.CLIENT) as chat:
            chat.set_attribute(ai.GEN_AI_OPERATION_NAME, "chat")
            chat.set_attribute(ai.GEN_AI_REQUEST_MODEL, "larch-1")
            chat.set_attribute(ai.GEN_AI_RESPONSE_ID, f"r-{number}")
            chat.set_attribute(ai.GEN_AI_INPUT_MESSAGES, json.dumps(messages))
            said = json.dumps([text("assistant", answer, finish_reason="stop")])
            chat.set_attribute(ai.GEN_AI_OUTPUT_MESSAGES, said)
        agent.add_event("gen_ai.evaluation.result", {
            ai.GEN_AI_EVALUATION_NAME: "Relevance",
            ai.GEN_AI_EVALUATION_SCORE_VALUE: GRADES[number],
            ai.GEN_AI_EVALUATION_SCORE_LABEL: "pass" if GRADES[number] > 0.5 else "fail",
            ai.GEN_AI_EVALUATION_EXPLANATION: f"About {GRADES[number]:.0%} of it.",
        })  # fmt: skip


def ask_older(tracer: Tracer, question: str, answer: str) -> None:
    """A call of a model with a message per event, the conventions from 1.28 to 1.36."""
    with tracer.start_as_current_span("chat birch-2", kind=SpanKind.CLIENT) as chat:
        chat.set_attribute(ai.GEN_AI_OPERATION_NAME, "chat")
        chat.set_attribute(ai.GEN_AI_SYSTEM, "example")
        chat.set_attribute(ai.GEN_AI_RESPONSE_MODEL, "birch-2")
        chat.add_event("gen_ai.system.message", {"content": "Be brief."})
        chat.add_event("gen_ai.user.message", {"content": question})
        message = json.dumps({"role": "assistant", "content": answer})
        chat.add_event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": message})


def ask_oldest(tracer: Tracer, question: str, answer: str) -> None:
    """The same with two events for all messages, as before 1.28."""
    with tracer.start_as_current_span("chat elm-1", kind=SpanKind.CLIENT) as chat:
        chat.set_attribute(ai.GEN_AI_SYSTEM, "example")
        chat.set_attribute(ai.GEN_AI_REQUEST_MODEL, "elm-1")
        prompt = json.dumps([{"role": "user", "content": question}])
        chat.add_event("gen_ai.content.prompt", {ai.GEN_AI_PROMPT: prompt})
        said = json.dumps([{"role": "assistant", "content": answer}])
        chat.add_event("gen_ai.content.completion", {ai.GEN_AI_COMPLETION: said})


resource = Resource({"service.name": "timetables"})
kept = InMemorySpanExporter()
(FOLDER / "otlp.jsonl").unlink(missing_ok=True)
provider = TracerProvider(resource=resource)
provider.add_span_processor(BatchSpanProcessor(FileSpanExporter(FOLDER / "otlp.jsonl")))
provider.add_span_processor(SimpleSpanProcessor(kept))
for number, (question, answer) in enumerate(ANSWERS.items()):
    ask(provider.get_tracer("example"), number, question, answer)
provider.shutdown()

with (FOLDER / "sdk.jsonl").open("w", encoding="utf-8") as file:
    older = TracerProvider(resource=resource)
    printed = ConsoleSpanExporter(out=file, formatter=lambda s: s.to_json(indent=None) + "\n")
    older.add_span_processor(SimpleSpanProcessor(printed))
    for question, answer in ANSWERS.items():
        ask_older(older.get_tracer("example"), question, answer)
        ask_oldest(older.get_tracer("example"), question, answer)
    older.shutdown()

values = [
    event.attributes[ai.GEN_AI_EVALUATION_SCORE_VALUE]
    for span in kept.get_finished_spans()
    for event in span.events
]
report = {"spans": len(kept.get_finished_spans()), "evaluations": len(values),
          "mean relevance": sum(values) / len(values)}  # fmt: skip
(FOLDER / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
