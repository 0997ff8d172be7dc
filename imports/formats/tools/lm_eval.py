"""Samples that lm-evaluation-harness writes with `--log_samples`, a file per task and model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import ObjectRecord, object_of, object_records
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.tools.chats import text_of
from tasktypes.texts.material import Item, Nugget, Sentence, Source
from tasktypes.texts.sentences import cut

_NAME = re.compile(r"samples_(?P<task>.+?)_\d{4}-\d\d-\d\dT[\d.:-]+\.jsonl(\.gz)?")
NONE = "none"


@dataclass(frozen=True)
class _Sample:
    """A line with the task and the model that its file is about."""

    record: ObjectRecord
    task: str
    model: str

    @property
    def where(self) -> RecordPlace:
        return self.record.where


class LmEval(RatedOutputs):
    """One unit per question and model; every metric is a judge"""

    taken = AcceptedFiles(
        "lm-evaluation-harness",
        "The output folder, with a folder per model in it, written with `--log_samples`",
        (".jsonl", ".gz"),
    )

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        return sorted(folder.rglob("samples_*.jsonl"))

    def records(self, watch: Watch = unwatched) -> Iterator[_Sample]:
        for path in self.input.files:
            match = _NAME.fullmatch(path.name)
            task = match["task"] if match else path.name.partition(".")[0]
            for record in object_records(path, watch):
                yield _Sample(record, task, path.resolve().parent.name)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, _Sample)
        where, value = record.where, object_of(record.record)
        if not {"doc_id", "arguments"} <= value.keys() or "resps" not in value:
            missing = next(n for n in ("doc_id", "arguments", "resps") if n not in value)
            reason = "missing: no sample as `--log_samples` of lm-evaluation-harness writes it"
            raise ImportFailure(where, missing, reason)
        source_key = f"{record.task}/{value['doc_id']}"
        key = f"{source_key}/{record.model}"
        try:
            source = _source(source_key, value)
            item = Item(key=key, system=record.model[:200], sentences=_sentences(where, value))
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        return [RatedOutput(where, source, item, _scores(value), Findings())]


def _arguments(value: Mapping[str, Any]) -> list[list[Any]]:
    """What each request to the model was made of."""
    arguments = value["arguments"]
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else list(arguments)
    return [list(r.values()) if isinstance(r, Mapping) else list(r) for r in requests]


def _source(key: str, value: Mapping[str, Any]) -> Source:
    """The prompt, and the right answer as the only fact of a good one."""
    prompts = [request[0] for request in _arguments(value) if request]
    query = str(prompts[0]) if prompts else ""
    target, choices = value.get("target"), _choices(value)
    if choices and str(target).isdecimal() and int(str(target)) < len(choices):
        target = choices[int(str(target))]
    targets = target if isinstance(target, list) else [target]
    vital = [str(text).strip() for text in targets if str(text or "").strip()]
    return Source(key=key, query=query, nuggets=tuple(Nugget(text=t, vital=True) for t in vital))


def _choices(value: Mapping[str, Any]) -> list[str]:
    """The continuations that a model chose from; empty where it wrote its answer."""
    chosen = _likelihoods(value)
    requests = _arguments(value)
    return [str(r[1]).strip() for r in requests] if chosen and all(map(_pair, requests)) else []


def _pair(request: Sequence[Any]) -> bool:
    return len(request) == 2 and isinstance(request[1], str)


def _likelihoods(value: Mapping[str, Any]) -> list[float]:
    """How likely each continuation was to the model; empty where it wrote its answer."""
    replies = value.get("filtered_resps") or ()
    if not replies or not all(isinstance(r, list | tuple) and len(r) == 2 for r in replies):
        return []
    try:
        return [float(reply[0]) for reply in replies]
    except (TypeError, ValueError):
        return []


def _sentences(where: RecordPlace, value: Mapping[str, Any]) -> tuple[Sentence, ...]:
    """What the model answered: the likeliest continuation, or what it wrote first."""
    likely, choices = _likelihoods(value), _choices(value)
    if likely and len(choices) == len(likely):
        text = choices[likely.index(max(likely))]
    else:
        replies = value["resps"]
        while isinstance(replies, list) and replies:
            replies = replies[0]
        text = text_of(replies)
    if not text.strip():
        raise ImportFailure(where, "resps", "empty (the model answered nothing)")
    return cut(text, with_citations=False)


def _scores(value: Mapping[str, Any]) -> list[Score]:
    """The metrics of a sample, each a judge named as in the harness's table of results."""
    chosen = str(value.get("filter") or NONE)
    suffix = "" if chosen == NONE else f",{chosen}"
    metrics = value.get("metrics") or ()
    return [
        Score(f"{metric}{suffix}", "judge", metric, float(value[metric]))
        for metric in metrics
        if isinstance(value.get(metric), bool | int | float)
    ]
