"""Results of promptfoo (`promptfoo eval -o results.json`, or `.jsonl`): outputs with assertions."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ijson

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.streams import RawLine, Watch, lines, opened, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.scales import Measure, ObservedValues, points
from imports.formats.traces.exchanges import item_of, source_of, text_in, value_of
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import PartRecord, content_of
from imports.formats.traces.scores import plain_value, score_of

VERSION = 3
# Whether promptfoo counts an output as passed, which it tells from the assertions.
VERDICT, PASS = "promptfoo", "pass"
_PERSON = "human"
_PASSES = frozenset({0.0, 1.0})
_LONGEST_PROMPT_LABEL = 60
# Assertions that ask a model, of which a test may name the one to ask.
MODEL_GRADED = frozenset(
    ("llm-rubric", "model-graded-closedqa", "model-graded-factuality", "factuality", "g-eval",
     "answer-relevance", "context-faithfulness", "context-recall", "context-relevance",
     "conversation-relevance", "search-rubric", "select-best", "trajectory:goal-success", "pi",
     "similar", "classifier", "moderation")
)  # fmt: skip
_GRADER_FAILED = "graders_without_an_answer"


class PromptfooResults(NamedOutputs):
    """One source per test, one unit per output of a prompt and a provider; assertions are judges"""

    taken = AcceptedFiles(
        "promptfoo",
        "Results, as JSON or JSONL (`promptfoo eval -o results.json`)",
        (".json", ".jsonl", ".gz"),
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        # By file and number of the column: the provider, and the prompt's label.
        self._columns: dict[tuple[Path, int], tuple[str, str]] = {}

    def prepare(self) -> None:
        """The names of systems are told from all columns, so these are read first."""
        for record in self.records():
            try:
                result = _result(record)
                column = record.where.file, int(result["promptIdx"])
                self._columns[column] = _provider(result), _label(result)
            except (ImportFailure, TypeError, ValueError):
                continue  # told where it may be skipped

    def records(self, watch: Watch = unwatched) -> Iterator[RawLine | PartRecord]:
        for path in self.input.files:
            yield from lines(path, watch) if ".jsonl" in path.suffixes else _results(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        result = _result(record)
        where, system, label = record.where, self._system(record, result), _label(result)
        file = f"{where.file.name.partition('.')[0]}/" if len(self.input.files) > 1 else ""
        key = f"{file}{result['testIdx']}/{system}"
        self.refuse_duplicate(where, key, result)
        output = text_in((result.get("response") or {}).get("output"))
        if not output:
            reason = f"empty ({result.get('error') or 'the provider gave nothing'})"
            raise ImportFailure(where, "response.output", reason)
        findings = Findings()
        try:
            source, unused = source_of(self._given(result))
            item = item_of(key, system, output)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        for name in unused:
            self.leave_out(f"vars.{name}", where)
        if self._has_several_prompts:
            item = item.model_copy(update={"condition": label})
        return [RatedOutput(where, source, item, list(_scores(where, result, findings)), findings)]

    def measure(self, facet: str, observed: ObservedValues) -> Measure:
        """Passed and failed make a scale of two points, whichever of them occur."""
        if not observed.labels and observed.numbers <= _PASSES:
            for number in _PASSES:
                observed.add(number)
            return points(facet, observed, "ordinal")
        return super().measure(facet, observed)

    @property
    def _has_several_prompts(self) -> bool:
        return len({label for _, label in self._columns.values()}) > 1

    def _system(self, record: Placed, result: Mapping[str, Any]) -> str:
        """The provider; with its prompt where there are several, and the number of the column where
        that is not enough."""
        named = _provider(result), _label(result)
        name = " / ".join(named) if self._has_several_prompts else named[0]
        alike = [number for (file, number), other in self._columns.items()
                 if other == named and file == record.where.file]  # fmt: skip
        return name if len(alike) < 2 else f"{name} #{result['promptIdx']}"

    def _given(self, result: Mapping[str, Any]) -> Any:
        """What all outputs of a test are about: its variables; the prompt where there is one."""
        if not self._has_several_prompts:
            return value_of((result.get("prompt") or {}).get("raw"))
        return {name: value_of(value) for name, value in (result.get("vars") or {}).items()}


def _results(path: Path, watch: Watch) -> Iterator[PartRecord]:
    """The results of a file that is one object."""
    _refuse_other_versions(path)
    number = -1
    with opened(path, watch) as stream:
        try:
            results = ijson.items(stream, "results.results.item", use_float=True)
            for number, result in enumerate(results):
                place = RecordPlace(f"{path} (result {number})", file=path, raw=result)
                yield PartRecord(place, result)
        except (ijson.JSONError, UnicodeDecodeError) as error:
            reason = str(error).splitlines()[0]
            raise ImportFailure(f"{path} (result {number + 1})", "JSON", reason) from error


def _refuse_other_versions(path: Path) -> None:
    version: Any = None
    with opened(path) as stream:
        try:
            for prefix, event, value in ijson.parse(stream):
                if prefix == "results.version" and event == "number":
                    version = value
                    break
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise ImportFailure(str(path), "JSON", str(error).splitlines()[0]) from error
    if version is None:
        raise ImportFailure(str(path), "results.version", "missing: this is no file of promptfoo")
    if version != VERSION:
        age = "newer" if version > VERSION else "older"
        reason = f"{version} is {age} than what can be read here ({VERSION})"
        raise ImportFailure(str(path), "results.version", reason)


def _result(record: Placed) -> Mapping[str, Any]:
    """The record as a result; ImportFailure where it is none."""
    assert isinstance(record, RawLine | PartRecord)
    result = content_of(record)
    for name in ("testIdx", "promptIdx"):
        if not isinstance(result.get(name), int):
            raise ImportFailure(record.where, name, "missing: this is no result of promptfoo")
    return result


def _provider(result: Mapping[str, Any]) -> str:
    return _named(result.get("provider")) or "provider"


def _named(provider: object) -> str:
    """A provider as results name it: by its label, else by its id."""
    if isinstance(provider, Mapping):
        return str(provider.get("label") or provider.get("id") or "")
    return provider if isinstance(provider, str) else ""


def _label(result: Mapping[str, Any]) -> str:
    """A prompt's label; one without a label has its text for one, which is cut."""
    label = " ".join(str((result.get("prompt") or {}).get("label") or "").split())
    if len(label) <= _LONGEST_PROMPT_LABEL:
        return label or "prompt"
    digest = hashlib.sha256(label.encode()).hexdigest()[:6]
    return f"{label[:_LONGEST_PROMPT_LABEL]}… {digest}"


def _scores(where: str, result: Mapping[str, Any], findings: Findings) -> Iterator[Score]:
    """What the assertions said, promptfoo's own verdict, and a person's who overrode that."""
    graded = result.get("gradingResult") or {}
    components = [part for part in graded.get("componentResults") or () if part]
    met: Counter[str] = Counter()
    by_people = [part for part in components if _kind(part) == _PERSON]
    for part in components:
        kind, assertion = _kind(part), part.get("assertion") or {}
        value = plain_value(part.get("score", part.get("pass")))
        if kind == _PERSON:
            passed = bool(part.get("pass"))
            yield score_of(
                "reviewer", "human", PASS, float(passed), part.get("comment"), passed=passed
            )
        elif (part.get("metadata") or {}).get("graderError") or value is None:
            findings.note(_GRADER_FAILED, f"{where} ({kind})")
        else:
            met[criterion := str(assertion.get("metric") or kind)] += 1
            several = f" {met[criterion]}" if met[criterion] > 1 else ""
            name = _rater(kind, assertion, result)
            yield score_of(
                name,
                "judge",
                criterion + several,
                value,
                part.get("reason"),
                passed=part.get("pass"),
            )
    if graded:
        passed = _passed(result, components) if by_people else bool(result.get("success"))
        yield score_of(VERDICT, "judge", PASS, float(passed), passed=passed)


def _passed(result: Mapping[str, Any], components: Sequence[Mapping[str, Any]]) -> bool:
    """What promptfoo made of the assertions before a person overrode it."""
    asserted = [part for part in components if _kind(part) != _PERSON]
    threshold = (result.get("testCase") or {}).get("threshold")
    if not isinstance(threshold, int | float):
        return all(part.get("pass") for part in asserted)
    weights = [float((part.get("assertion") or {}).get("weight", 1)) for part in asserted]
    total = sum(
        weight * float(part.get("score") or 0)
        for weight, part in zip(weights, asserted, strict=True)
    )
    return total / (sum(weights) or 1) >= threshold


def _kind(component: Mapping[str, Any]) -> str:
    return str((component.get("assertion") or {}).get("type") or "assertion")


def _rater(kind: str, assertion: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """The kind of assertion, with the model that graded where the file names it."""
    options = (result.get("testCase") or {}).get("options") or {}
    grader = _named(assertion.get("provider")) or _named(options.get("provider"))
    return f"{kind} ({grader})" if grader and kind.removeprefix("not-") in MODEL_GRADED else kind
