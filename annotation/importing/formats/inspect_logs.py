"""Logs of inspect_ai (`.eval`, or the same as `.json`): samples with the scores of its scorers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipInfo, is_zipfile

from annotation.importing.errors import ImportFailure, RecordPlace
from annotation.importing.files.archives import json_members, json_text
from annotation.importing.files.documents import whole_object
from annotation.importing.files.first_reads import note_read
from annotation.importing.files.json_values import json_value
from annotation.importing.files.streams import Watch, refuse_nul, unwatched
from annotation.importing.formats.chats import text_of, turns_of
from annotation.importing.formats.contract import Taken
from annotation.importing.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from annotation.importing.formats.scales import Measure, ObservedValues, points
from annotation.importing.skipped import Placed
from tasktypes.material import Item, Nugget, Sentence, Source
from tasktypes.sentences import split

NEWEST = 2
# The numbers that inspect_ai takes these grades for.
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
CORRECT = "correct"


@dataclass(frozen=True)
class LoggedSample:
    """A sample of a log, by the model that was evaluated."""

    where: RecordPlace
    model: str
    content: Mapping[str, Any]


class InspectLogs(RatedOutputs):
    """One unit per sample, epoch and model; every scorer is a judge"""

    taken = Taken(
        "inspect_ai", "Logs, as `.eval` or JSON, of one or several models", (".eval", ".json")
    )

    def records(self, watch: Watch = unwatched) -> Iterator[LoggedSample]:
        for path in self.input.files:
            yield from _samples(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, LoggedSample)
        content, where = record.content, record.where
        epoch = content.get("epoch", 1)
        key = f"{content['id']}/{record.model}{f'/{epoch}' if epoch != 1 else ''}"
        try:
            item = sample_item(content, key, record.model)
            return [RatedOutput(where, sample_source(content, key), item, _scores(content))]
        except ValueError as error:
            raise ImportFailure.of(where, error) from error

    def measure(self, facet: str, observed: ObservedValues) -> Measure:
        """Grades make a scale from wrong to right, whichever of them occur."""
        if not observed.labels and observed.numbers <= set(GRADES.values()):
            observed.add(GRADES["C"])
            observed.add(GRADES["I"])
            return points(facet, observed, "ordinal")
        return super().measure(facet, observed)


def _samples(path: Path, watch: Watch) -> Iterator[LoggedSample]:
    """The samples of a log in either form."""
    if is_zipfile(path):
        members = json_members(path)
        header = _member(path, members, "header.json")
        samples = [name for name in members if name.startswith("samples/")]
        watch(path.stat().st_size)
        contents: Iterator[Any] = _contents(path, members, samples)
    else:
        header = whole_object(path, watch, with_nan=True)
        contents = iter(header.get("samples") or ())
    model = _evaluated(path, header)
    for number, content in enumerate(contents):
        if not isinstance(content, Mapping) or "id" not in content:
            raise ImportFailure(f"{path} (sample {number})", "id", "missing")
        where = f"{path} (sample {content['id']}, epoch {content.get('epoch', 1)})"
        yield LoggedSample(RecordPlace(where, file=path, raw=content), model, content)


def _contents(path: Path, members: Mapping[str, ZipInfo], names: Sequence[str]) -> Iterator[Any]:
    for number, name in enumerate(names, start=1):
        yield _member(path, members, name)
        note_read(path, path.stat().st_size * number // len(names))


def _evaluated(path: Path, header: Mapping[str, Any]) -> str:
    """The model that a log is about; ImportFailure where it is no log, or a newer one."""
    version, about = header.get("version"), header.get("eval")
    if not isinstance(about, Mapping) or "model" not in about:
        raise ImportFailure(str(path), "eval", "missing: this is no log of inspect_ai")
    if not isinstance(version, int) or version > NEWEST:
        reason = f"{version} is newer than what can be read here (up to {NEWEST})"
        raise ImportFailure(str(path), "version", reason)
    return str(about["model"])


def _member(path: Path, members: Mapping[str, ZipInfo], name: str) -> Any:
    if name not in members:
        raise ImportFailure(str(path), name, "missing: this is no whole log of inspect_ai")
    text = json_text(path, members[name])
    where = f"{path} ({name})"
    refuse_nul(where, text)
    try:
        return json_value(text)
    except ValueError as error:
        raise ImportFailure(where, "JSON", str(error)) from error


def sample_item(content: Mapping[str, Any], key: str, model: str) -> Item:
    """The answer of a sample; ValueError where it has none."""
    text = text_of((content.get("output") or {}).get("completion", ""))
    if not text:
        reason = "empty (the sample has no answer, or ended in an error)"
        raise ValueError(f"output.completion: {reason}")
    sentences = tuple(Sentence(text=sentence) for sentence in split(text))
    return Item(key=key, system=model, sentences=sentences)


def sample_source(content: Mapping[str, Any], item: str) -> Source:
    """What the model was given. Turns that it made itself before its answer belong to the source
    of this one output."""
    messages = content.get("messages") or []
    last = max((n for n, m in enumerate(messages) if m.get("role") == "assistant"), default=None)
    before = messages if last is None else messages[:last]
    turns = turns_of(before)
    own = any(message.get("role") in ("assistant", "tool") for message in before)
    target = content.get("target") or ""
    targets = [target] if isinstance(target, str) else target
    about: dict[str, Any] = {
        "key": item if own else str(content["id"]),
        "nuggets": [Nugget(text=text, vital=True) for text in targets if str(text).strip()],
    }
    if len(turns) > 1 or not isinstance(content.get("input"), str):
        return Source(**about, turns=turns or turns_of(content["input"]))
    return Source(**about, query=content["input"])


def _scores(content: Mapping[str, Any]) -> list[Score]:
    """What the scorers said. Grades of all scorers are of one criterion, so that they can be
    compared; a score of several parts has a criterion for each."""
    scores = []
    for scorer, score in (content.get("scores") or {}).items():
        # A judge of ours keeps its answers as it gave them beside the numbers of inspect_ai.
        value = (score.get("metadata") or {}).get("jurybox_values", score.get("value"))
        parts = value if isinstance(value, Mapping) else {"": value}
        for part, single in parts.items():
            criterion = part or (CORRECT if single in GRADES else scorer)
            if (number := _value(single)) is not None:
                reason = str(score.get("explanation") or "")
                scores.append(Score(scorer, "judge", criterion, number, reason=reason))
    return scores


def _value(value: object) -> float | str | None:
    if isinstance(value, str):
        return GRADES.get(value, value) or (0.0 if value in GRADES else None)
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None  # such as NaN, by which inspect_ai says that a sample was not scored
