"""Exports of Label Studio in its format JSON: tasks with annotations and predictions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.importing.errors import ImportFailure
from annotation.importing.files.documents import array_records
from annotation.importing.files.streams import Member, Watch, unwatched
from annotation.importing.findings import Findings
from annotation.importing.formats.chats import turns_of
from annotation.importing.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from annotation.importing.formats.stand_ins import source_named
from annotation.importing.skipped import Placed
from tasktypes.material import Item, Sentence, Source, Turn
from tasktypes.sentences import split

# Names of a task's fields that tell what they hold; the first that there is counts.
OUTPUT = ("text", "output", "response", "answer", "completion", "summary")
ABOUT = {
    "claim": ("claim",),
    "query": ("query", "question", "prompt", "instruction"),
    "document": ("document", "article", "context", "passage"),
}
NOT_IMPORTED = "labels_not_imported"


class LabelStudio(RatedOutputs):
    """One unit per task; annotators are people, and versions of models judges"""

    def records(self, watch: Watch = unwatched) -> Iterator[Member]:
        for path in self.input.files:
            yield from array_records(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Member)
        task = record.value
        if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
            reason = "missing: this is no task of Label Studio's format JSON (JSON-MIN is not read)"
            raise ImportFailure(record.where, "data", reason)
        key, data = str(task.get("id", record.key)), task["data"]
        try:
            source, item = _source(key, data), _item(key, data)
            findings = Findings()
            scores = [*_annotated(record, task, findings), *_predicted(record, task, findings)]
            return [RatedOutput(record.where, source, item, scores, findings)]
        except ValueError as error:
            raise ImportFailure.of(record.where, error) from error


def _annotated(record: Member, task: Mapping[str, Any], findings: Findings) -> Iterator[Score]:
    """What people chose; of annotations that were not cancelled."""
    earlier: Counter[str] = Counter()
    for annotation in task.get("annotations") or ():
        if not annotation.get("was_cancelled"):
            rater = _annotator(annotation.get("completed_by"))
            for criterion, value in _values(record, annotation, findings):
                yield Score(rater, "human", criterion, value, replicate=earlier[rater])
            earlier[rater] += 1


def _predicted(record: Member, task: Mapping[str, Any], findings: Findings) -> Iterator[Score]:
    earlier: Counter[str] = Counter()
    for prediction in task.get("predictions") or ():
        rater = str(prediction.get("model_version") or "prediction")
        for criterion, value in _values(record, prediction, findings):
            yield Score(rater, "judge", criterion, value, replicate=earlier[rater])
        earlier[rater] += 1


def _values(
    record: Member, answered: Mapping[str, Any], findings: Findings
) -> Iterator[tuple[str, float | str]]:
    """(the control's name, the value) of every single choice, rating and number."""
    for region in answered.get("result") or ():
        kind, value = region.get("type"), region.get("value") or {}
        chosen = value.get(kind)
        if isinstance(chosen, list) and len(chosen) == 1 and kind == "choices":
            yield region["from_name"], str(chosen[0])
        elif kind in ("rating", "number") and isinstance(chosen, int | float):
            yield region["from_name"], float(chosen)
        else:
            findings.note(NOT_IMPORTED, record.where)


def _annotator(completed_by: object) -> str:
    if isinstance(completed_by, Mapping):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return f"annotator-{completed_by}" if isinstance(completed_by, int) else str(completed_by)


def _turns(data: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The first field that is a list of messages or paragraphs."""
    for value in data.values():
        if isinstance(value, list) and value and all(isinstance(part, Mapping) for part in value):
            return turns_of(
                {**part, "role": part.get("role") or part.get("author") or "user"}
                | ({"content": part["text"]} if "content" not in part and "text" in part else {})
                for part in value
            )
    return ()


def _source(key: str, data: Mapping[str, Any]) -> Source:
    texts = {name: _first(data, fields) for name, fields in ABOUT.items()}
    turns = _turns(data)
    if turns:
        return Source(key=key, turns=turns, **texts)
    return source_named(key, **texts)


def _item(key: str, data: Mapping[str, Any]) -> Item:
    text = _first(data, OUTPUT)
    about = {name for fields in ABOUT.values() for name in fields}
    if not text:
        others = (v for k, v in data.items() if k not in about and isinstance(v, str))
        text = next((value.strip() for value in others if value.strip()), "")
    if text:
        sentences = tuple(Sentence(text=sentence) for sentence in split(text))
    else:
        turns = _turns(data)
        sentences = tuple(Sentence(text=turn.words, turn=n) for n, turn in enumerate(turns))
    if not sentences:
        raise ValueError("data: no field with a text or a conversation")
    return Item(key=key, sentences=sentences)


def _first(data: Mapping[str, Any], names: Sequence[str]) -> str:
    texts = (data.get(name) for name in names)
    return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "")
