"""OpenAI evals: output items of a run, as the API lists them, and logs that `oaieval` writes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from files.errors import ImportFailure
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.exchanges import item_of, source_of, text_in
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import PartRecord, Record, content_of, records_of
from imports.formats.traces.scores import plain_value, score_of

OUTPUT_ITEM = "eval.run.output_item"
_EVENT = ("sample_id", "type", "data")
_CORRECT = "match"
_FINAL, _SPEC = "final_report", "spec"


class OpenAiEvals(NamedOutputs):
    """One unit per output item, or per sample of a log; every grader is a judge"""

    taken = AcceptedFiles(
        "OpenAI evals",
        "Output items of a run as JSON or JSONL, or a log of `oaieval`",
        (".json", ".jsonl", ".gz"),
    )

    def records(self, watch: Watch = unwatched) -> Iterator[PartRecord]:
        for path in self.input.files:
            samples: dict[str, PartRecord] = {}
            for record in records_of(path, watch):
                yield from self._parts(record, samples)
            yield from samples.values()

    def _parts(self, record: Record, samples: dict[str, PartRecord]) -> Iterator[PartRecord]:
        """Output items; events of a log are gathered by their samples."""
        content = content_of(record)
        if isinstance(content.get("data"), list):  # a page of the API
            yield from (PartRecord(record.where, part) for part in content["data"])
        elif content.get("object") == OUTPUT_ITEM:
            yield PartRecord(record.where, content)
        elif all(name in content for name in _EVENT):
            key = str(content["sample_id"])
            events = samples.setdefault(key, PartRecord(record.where, {"sample_id": key}))
            events.value.setdefault(str(content["type"]), content["data"])
        elif _FINAL not in content and _SPEC not in content:
            reason = "missing: this is no output item and no log of OpenAI evals"
            raise ImportFailure(record.where, "object", reason)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, PartRecord)
        content, where = record.value, record.where
        of_log = "sample_id" in content
        key = str(content["sample_id"] if of_log else content.get("id") or "")
        if not key:
            raise ImportFailure(where, "id", "missing")
        self.refuse_duplicate(where, key, content)
        given, system, output = _logged(content) if of_log else _listed(content)
        try:
            source, _ = source_of(given)
            item = item_of(key, system, output)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        scores = list(_of_log(content) if of_log else _of_item(content))
        return [RatedOutput(where, source, item, scores)]


def _listed(item: Mapping[str, Any]) -> tuple[Any, str, str]:
    """What the model was given, its name and its answer."""
    sample = item.get("sample") or {}
    given = sample.get("input") or item.get("datasource_item") or {}
    return given, str(sample.get("model") or ""), text_in(sample.get("output"))


def _logged(events: Mapping[str, Any]) -> tuple[Any, str, str]:
    sampling = events.get("sampling") or {}
    sampled = sampling.get("sampled") or (events.get("match") or {}).get("sampled")
    first = sampled[0] if isinstance(sampled, list) and sampled else sampled
    return sampling.get("prompt"), str(sampling.get("model") or ""), text_in(first)


def _of_item(item: Mapping[str, Any]) -> Iterator[Score]:
    for result in item.get("results") or ():
        value = plain_value(result.get("score", result.get("passed")))
        name = str(result.get("name") or "grader")
        if value is not None:
            yield score_of(name, "judge", name, value, passed=result.get("passed"))


def _of_log(events: Mapping[str, Any]) -> Iterator[Score]:
    if isinstance((events.get("match") or {}).get("correct"), bool):
        correct = events["match"]["correct"]
        yield score_of(_CORRECT, "judge", _CORRECT, float(correct), passed=correct)
    for name, value in (events.get("metrics") or {}).items():
        if (number := plain_value(value)) is not None:
            yield score_of(name, "judge", name, number)
