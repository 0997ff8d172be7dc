"""Logs of inspect_ai (`.eval`, or the same as `.json`): samples with the scores of its scorers."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import ZipInfo, is_zipfile

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.archives import json_members, json_text
from files.readers.documents import whole_object
from files.readers.first_reads import note_read
from files.readers.json_values import json_value
from files.readers.streams import Watch, refuse_nul, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.scales import Measure, ObservedValues, points
from imports.formats.tools.chats import text_of, turns_of
from imports.formats.traces.scores import rater_of
from imports.formats.traces.spans import replicated
from tasktypes.texts.material import Item, Nugget, Source
from tasktypes.texts.sentences import cut

NEWEST = 2
# The numbers that inspect_ai takes these grades for.
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
CORRECT = "correct"
# What an edit says of what it leaves as it was, and who made one that names nobody.
UNCHANGED, NOBODY = "UNCHANGED", "editor"
REPLACED = "edits_replaced"


@dataclass(frozen=True)
class Run:
    """A log: the evaluation of a model on a task. number: the same where an interrupted one was
    taken up again, in another log."""

    path: Path
    task: str
    model: str
    number: str
    created: str


@dataclass(frozen=True)
class LoggedSample:
    """A sample of a log, with the run that it is of."""

    where: RecordPlace
    run: Run
    content: Mapping[str, Any]


class InspectLogs(RatedOutputs):
    """One unit per sample, epoch and model, and per task and run where there are several; every
    scorer is a judge, and who edited a score a person"""

    taken = AcceptedFiles(
        "inspect_ai", "Logs, as `.eval` or JSON, of tasks and models", (".eval", ".json")
    )

    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        # What the samples of a task are about, by the digest of its first log's texts.
        self._asked: dict[str, str] = {}

    @cached_property
    def _runs(self) -> Sequence[Run]:
        """The logs in the order of their making, so that one that is added later is a later run
        of its task."""
        runs = [_run(path) for path in self.input.files]
        return sorted(runs, key=lambda run: (run.created, run.number))

    def records(self, watch: Watch = unwatched) -> Iterator[LoggedSample]:
        for run in self._runs:
            yield from _samples(run, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, LoggedSample)
        content, where, run = record.content, record.where, record.run
        epoch, findings = content.get("epoch", 1), Findings()
        sample, again = self._sample_key(run, content["id"]), self._again(run)
        key = f"{sample}/{run.model}{again}{f'/{epoch}' if epoch != 1 else ''}"
        try:
            item = sample_item(content, key, run.model)
            source = sample_source(content, key)
            if source.key != key:
                source = self._told_apart(source, sample, run)
            scores = _scores(content, where, findings)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        return [RatedOutput(where, source, item, scores, findings)]

    @cached_property
    def _has_tasks(self) -> bool:
        return len({run.task for run in self._runs}) > 1

    @cached_property
    def _first_runs(self) -> Mapping[tuple[str, str], str]:
        """The number of the first run of each task and model."""
        return {(run.task, run.model): run.number for run in reversed(self._runs)}

    def _sample_key(self, run: Run, sample: object) -> str:
        """A sample's name: the samples of every task are numbered from 1 where they have none."""
        return f"{run.task}/{sample}" if self._has_tasks else str(sample)

    def _again(self, run: Run) -> str:
        """What tells the run from the first one of its task and model."""
        is_first = self._first_runs[run.task, run.model] == run.number
        return "" if is_first else f"/{run.number}"

    def _told_apart(self, source: Source, sample: str, run: Run) -> Source:
        """The source, which a task may have asked otherwise in an earlier run."""
        texts = source.model_dump_json(exclude={"key"})
        digest = hashlib.sha256(texts.encode("utf-8", "replace")).hexdigest()
        is_first = self._asked.setdefault(sample, digest) == digest
        return source.model_copy(update={"key": sample if is_first else f"{sample}/{run.number}"})

    def measure(self, facet: str, observed: ObservedValues) -> Measure:
        """Grades make a scale from wrong to right, whichever of them occur."""
        if not observed.labels and observed.numbers <= set(GRADES.values()):
            observed.add(GRADES["C"])
            observed.add(GRADES["I"])
            return points(facet, observed, "ordinal")
        return super().measure(facet, observed)


def _run(path: Path) -> Run:
    """What a log is about; ImportFailure where it is none, or a newer one."""
    if is_zipfile(path):
        header = _member(path, json_members(path), "header.json")
    else:
        header = whole_object(path, with_nan=True)
    version, about = header.get("version"), header.get("eval")
    if not isinstance(about, Mapping) or "model" not in about:
        raise ImportFailure(str(path), "eval", "missing: this is no log of inspect_ai")
    if not isinstance(version, int) or version > NEWEST:
        reason = f"{version} is newer than what can be read here (up to {NEWEST})"
        raise ImportFailure(str(path), "version", reason)
    task, created = (str(about.get(name) or "") for name in ("task", "created"))
    number = about.get("task_id") or about.get("eval_id") or created
    return Run(path, task, str(about["model"]), str(number), created)


def _samples(run: Run, watch: Watch) -> Iterator[LoggedSample]:
    """The samples of a log in either form."""
    path = run.path
    if is_zipfile(path):
        members = json_members(path)
        samples = [name for name in members if name.startswith("samples/")]
        watch(path.stat().st_size)
        contents: Iterator[Any] = _contents(path, members, samples)
    else:
        contents = iter(whole_object(path, watch, with_nan=True).get("samples") or ())
    for number, content in enumerate(contents):
        if not isinstance(content, Mapping) or "id" not in content:
            raise ImportFailure(f"{path} (sample {number})", "id", "missing")
        where = f"{path} (sample {content['id']}, epoch {content.get('epoch', 1)})"
        yield LoggedSample(RecordPlace(where, file=path, raw=content), run, content)


def _contents(path: Path, members: Mapping[str, ZipInfo], names: Sequence[str]) -> Iterator[Any]:
    for number, name in enumerate(names, start=1):
        yield _member(path, members, name)
        note_read(path, path.stat().st_size * number // len(names))


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
    return Item(key=key, system=model, sentences=cut(text, with_citations=False))


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


def _scores(content: Mapping[str, Any], where: str, findings: Findings) -> list[Score]:
    """What the scorers said, and what people put in its place."""
    scores: list[Score] = []
    for scorer, score in (content.get("scores") or {}).items():
        said, *edits = score.get("history") or [score]
        if said.get("provenance"):  # added by a person: no scorer said anything
            said, edits = {}, [said, *edits]
        # A judge of ours keeps its answers as it gave them beside the numbers of inspect_ai.
        value = (said.get("metadata") or {}).get("jurybox_values", said.get("value"))
        parts = list(_parts(scorer, value, value))
        scores += [
            Score(scorer, "judge", part, number, reason=str(said.get("explanation") or ""))
            for part, number in parts
        ]
        by_editor = {_editor(edit): edit for edit in edits if edit.get("value") != UNCHANGED}
        for editor, edit in by_editor.items():
            reason = _reason(edit)
            scores += [
                Score(editor, "human", part, number, reason=reason)
                for part, number in _parts(scorer, edit.get("value"), value)
            ]
        if replaced := sum(edit.get("value") != UNCHANGED for edit in edits) - len(by_editor):
            findings.count(REPLACED, replaced)
            findings.list_places(REPLACED, [f"{where} ({scorer})"])
    # One editor may have graded for several scorers.
    return [score for _, score in replicated(("", score) for score in scores)]


def _parts(scorer: str, value: object, said: object) -> Iterator[tuple[str, float | str]]:
    """(criterion, value) of each part of a score. Grades of all scorers are of one criterion, so
    that they can be compared; a score of several parts has a criterion for each. said: the
    scorer's own, whose criterion that of an edit is."""
    if isinstance(value, Mapping):
        named = list(value.items())
    else:
        grade = value if said is None else said
        named = [(CORRECT if isinstance(grade, str) and grade in GRADES else scorer, value)]
    for criterion, single in named:
        if (number := _value(single)) is not None:
            yield criterion, number


def _editor(edit: Mapping[str, Any]) -> str:
    return rater_of(str((edit.get("provenance") or {}).get("author") or NOBODY))


def _reason(edit: Mapping[str, Any]) -> str:
    """Why somebody edited a score."""
    given = edit.get("explanation")
    stated = given if given != UNCHANGED else None
    return str(stated or (edit.get("provenance") or {}).get("reason") or "")


def _value(value: object) -> float | str | None:
    if isinstance(value, str):
        return GRADES.get(value, value) or (0.0 if value in GRADES else None)
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None  # such as NaN, by which inspect_ai says that a sample was not scored
