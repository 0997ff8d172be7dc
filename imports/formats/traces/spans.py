"""A trace of any tool: its spans, what went in and came out, and what was said of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.tools.chats import tool_call
from imports.formats.traces.exchanges import item_of, source_of, text_in, turns_in
from tasktypes.texts.material import Turn

SpanKind = Literal["model", "tool", "other"]
# What a program does before its answer.
_WORK = ("assistant", "tool")


@dataclass(frozen=True)
class Span:
    """One step of a program. parent: the id of the step that it is part of; empty: of none. start:
    a number by which steps are in order. input, output: None where unknown."""

    id: str
    parent: str = ""
    kind: SpanKind = "other"
    name: str = ""
    input: Any = None
    output: Any = None
    model: str = ""
    start: float = 0


@dataclass(frozen=True)
class Trace:
    """What a program did for one request. input, output: of the whole; None takes those of the
    first step. scores: the id of the step that was scored, empty for the whole, and the score.
    facts: what a good answer says. findings: what of the trace is not imported."""

    where: RecordPlace
    key: str
    spans: Sequence[Span] = ()
    input: Any = None
    output: Any = None
    system: str = ""
    scores: Sequence[tuple[str, Score]] = ()
    facts: Sequence[str] = ()
    findings: Findings | None = None

    @property
    def root(self) -> Span:
        """The step that all others are part of; of several, the first."""
        ids = {span.id for span in self.spans}
        outer = [span for span in self.spans if span.parent not in ids]
        first = min(outer, key=lambda span: span.start, default=Span(""))
        return replace(
            first,
            input=first.input if self.input is None else self.input,
            output=first.output if self.output is None else self.output,
        )

    def below(self, span: Span) -> list[Span]:
        """The steps that are part of a step, directly or not, in order."""
        ids = {span.id}
        parts: list[Span] = []
        for part in sorted(self.spans, key=lambda span: span.start):
            if part.id != span.id and (part.parent in ids or not span.id):
                ids.add(part.id)
                parts.append(part)
        return parts


def outputs_of(trace: Trace) -> list[RatedOutput]:
    """The whole as an output, and every step that was scored by itself."""
    root, by_id = trace.root, {span.id: span for span in trace.spans}
    scored = dict.fromkeys(span for span, _ in trace.scores if span not in ("", root.id))
    outputs = [_output(trace, root, trace.key, ("", root.id), trace.findings)]
    for span in scored:
        if span not in by_id:
            raise ImportFailure(trace.where, "score", f"of span {span!r}, which is not there")
        outputs.append(_output(trace, by_id[span], f"{trace.key}/{span}", (span,)))
    return outputs


def _output(
    trace: Trace, span: Span, key: str, scored: Sequence[str], findings: Findings | None = None
) -> RatedOutput:
    try:
        item = item_of(key, _system(trace, span), text_in(span.output))
        source, unused = source_of(span.input, turns=_conversation(trace, span), facts=trace.facts)
    except ValueError as error:
        raise ImportFailure.of(trace.where, error) from error
    findings = findings or Findings()
    for name in unused:
        findings.note("input_fields_not_imported", f"{trace.where}: {name}")
    scores = [score for of, score in trace.scores if of in scored]
    return RatedOutput(trace.where, source, item, scores, findings)


def _system(trace: Trace, span: Span) -> str:
    """Who wrote the output: the program where it is named, else the model that was asked last."""
    if trace.system:
        return trace.system
    models = [part.model for part in (span, *trace.below(span)) if part.model]
    return models[-1] if models else span.name


def _conversation(trace: Trace, span: Span) -> tuple[Turn, ...]:
    """What came before the output, where tools were called or more than one turn was taken: as a
    model was given it last, or else the request with the steps that are tools folded in."""
    first, parts = turns_in(span.input), trace.below(span)
    histories = [turns_in(part.input) for part in parts if part.kind == "model"]
    last = histories[-1] if histories else ()
    if len(last) > len(first) and any(turn.role in _WORK for turn in last):
        return last
    tools = [part for part in parts if part.kind == "tool"]
    if not tools or any(turn.role in _WORK for turn in first):
        return first
    request = first or (Turn(role="user", text=source_of(span.input)[0].query or "–"),)
    return (*request, *_tool_turns(tools))


def _tool_turns(tools: Iterable[Span]) -> Iterator[Turn]:
    for tool in tools:
        arguments = "" if tool.input is None else tool.input
        yield Turn(role="assistant", calls=(tool_call(tool.name, arguments),))
        if text := text_in(tool.output):
            yield Turn(role="tool", name=tool.name[:200], text=text)


def replicated(scores: Iterable[tuple[str, Score]]) -> list[tuple[str, Score]]:
    """The scores, those of one rater by one criterion about one thing told apart by number."""
    earlier: dict[tuple[str, str, str], int] = {}
    numbered = []
    for of, score in scores:
        slot = (of, score.rater, score.criterion)
        earlier[slot] = earlier.get(slot, -1) + 1
        numbered.append((of, replace(score, replicate=earlier[slot])))
    return numbered
