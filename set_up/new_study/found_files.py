"""Files of any form in a draft: the reading that they propose, what was decided, what it makes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.models import Study
from files.reading.first_rows import FirstRows, first_rows
from files.reading.model import Holds, Reading
from files.reading.proposal_parts import Counts, Proposal, Question
from files.reading.proposals import Stated, proposed
from files.reading.samples import Read, TableSample, counted, read, table_samples
from files.reading.sentence import sentence_of
from imports.formats.own.jsonl import holds_records
from imports.sandbox.calls import call_apart
from imports.study_file.item_columns import said_columns
from imports.study_file.parts import StudyFilePart
from imports.uploads import keep_by_content
from set_up.imports.read_outputs import laid_out, shown_in, tables_in
from set_up.imports.tool_files import READING
from set_up.imports.tool_studies import KEEP_NAMES, TASK_TYPE
from set_up.models import NewStudy
from set_up.new_study.beginnings import beginning_keys
from set_up.new_study.file_forms import title_of
from set_up.study_files.application import NameTaken


class Found(StudyFilePart):
    """What a draft keeps of its files. reading: as it stands after what was decided and changed.
    columns: what was known of them before. decided: question -> choice, by their keys.
    answered: the questions that were decided."""

    proposal: Proposal
    reading: Reading
    columns: Mapping[str, Holds] = {}
    decided: Mapping[str, str] = {}
    answered: tuple[Question, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """All, those that are open last."""
        return (*self.answered, *self.proposal.questions)

    @property
    def is_changed(self) -> bool:
        """Whether the reading is another than the proposed one."""
        return self.reading != self.proposal.reading


@dataclass(frozen=True)
class Looked:
    """What a page shows of a reading. sentence: of the reading as it stands. tables: one for each
    of it. choices: by question, what each of its choices makes, or why it makes nothing."""

    sentence: str
    tables: tuple[TableSample, ...]
    read: Read
    choices: Mapping[str, tuple[Counts | str, ...]]


def proposal_of(
    uploads: Mapping[str, str],
    decided: Mapping[str, str] | None = None,
    columns: Mapping[str, Holds] | None = None,
) -> Proposal:
    """The reading that uploads propose, found in a process of its own. ImportFailure where there is
    none. uploads: tokens by name. decided, columns: as `Stated` has them."""
    with laid_out(uploads) as folder:
        return call_apart(_proposed, folder, Stated(decided=decided or {}, columns=columns or {}))


def take_files(*, draft: NewStudy, uploads: Mapping[str, str]) -> NewStudy:
    """Take files for a draft, in place of those that it had; ImportFailure as for `proposal_of`.
    Records of our own need no reading where it is known what is asked."""
    draft.keys.pop("items", None)
    if draft.asks and are_records(uploads):
        ((name, token),) = uploads.items()
        draft.file_name, draft.digest = name, keep_by_content(token)
        draft.uploads = draft.found = {}
        draft.keys.pop("columns", None)
        draft.keys["items"] = [name]
    else:
        of_file = draft.keys.get("columns") or {}
        said = said_columns(names_in(uploads), of_file) if draft.asks else {}
        proposal = proposal_of(uploads, columns=said)
        found = Found(proposal=proposal, reading=proposal.reading, columns=said)
        draft.uploads, draft.found = dict(uploads), found.model_dump(mode="json")
        draft.file_name = draft.digest = ""
    draft.save()
    return draft


def are_records(uploads: Mapping[str, str]) -> bool:
    """Whether uploads are one file of records of our own."""
    if len(uploads) > 1:
        return False
    with laid_out(uploads) as folder:
        return call_apart(_has_records, folder)


def _has_records(folder: Path) -> bool:
    (path,) = folder.iterdir()
    return holds_records(path)


def names_in(uploads: Mapping[str, str]) -> list[str]:
    """The names of the columns of uploads."""
    with laid_out(uploads) as folder:
        return call_apart(_names_in, folder)


def _names_in(folder: Path) -> list[str]:
    return list(dict.fromkeys(name for table in tables_in(folder) for name in table.names))


def found_in(draft: NewStudy) -> Found:
    """What was found in the files of a draft."""
    return Found.model_validate(draft.found)


def keep_found(draft: NewStudy, found: Found, **changes: Any) -> Found:
    """Keep what was decided or changed."""
    changed = found.model_copy(update=changes)
    draft.found = changed.model_dump(mode="json")
    draft.save(update_fields=["found", "touched_at"])
    return changed


def decide(draft: NewStudy, found: Found, decided: Mapping[str, str]) -> Found:
    """Decide questions, or decide them otherwise, and keep whatever else was changed. ImportFailure
    where the files are gone."""
    decided = {**found.decided, **decided}
    proposal = proposal_of(draft.uploads, decided, found.columns)
    still_open = {each.key for each in proposal.questions}
    answered = [q for q in found.questions if q.key in decided and q.key not in still_open]
    parts = (found.proposal.reading, proposal.reading, found.reading)
    reading = Reading.model_validate(_merged(*(part.model_dump(mode="json") for part in parts)))
    kept = {"proposal": proposal, "decided": decided, "answered": tuple(answered)}
    return keep_found(draft, found, reading=reading, **kept)


def _merged(before: Any, chosen: Any, standing: Any) -> Any:
    """What stands, with the changes that lead from `before` to `chosen`."""
    if standing in (before, chosen) or before == chosen:
        return standing if before == chosen else chosen
    parts = (before, chosen, standing)
    if all(isinstance(part, dict) for part in parts):
        keys = [key for key in {**standing, **chosen} if key in standing or key not in before]
        kept = [key for key in keys if key in chosen or key not in before]
        return {key: _merged(*(part.get(key) for part in parts)) for key in kept}
    if all(isinstance(part, list) and len(part) == len(before) for part in parts):
        return [_merged(*several) for several in zip(*parts, strict=True)]
    return chosen


def look(draft: NewStudy, found: Found) -> Looked:
    """What the reading of a draft makes of its files. ImportFailure where they are gone, or cannot
    be read any more."""
    with laid_out(draft.uploads) as folder:
        return call_apart(_looked, folder, found.reading, found.questions)


def name_results(
    *, draft: NewStudy, title: str, slug: str, keep_names: bool, kind: str = ""
) -> None:
    """Say what the study of a draft's files with their answers is called. NameTaken where there is
    one of that name. keep_names: people stand in it by their names. kind: what is asked about texts
    without answers."""
    if Study.with_unfinished.filter(slug=slug).exists():
        raise NameTaken(slug)
    reading = found_in(draft).reading.model_dump(mode="json")
    draft.keys = {"title": title, "slug": slug, KEEP_NAMES: keep_names, READING: reading}
    draft.keys |= {TASK_TYPE: kind} if kind else {}
    draft.file_name = draft.digest = ""
    draft.save()


def suggested_title(draft: NewStudy, found: Found) -> str:
    """What a study may be called by its files: the only one, or the first that have answers."""
    names = list(draft.uploads)
    tables = found.reading.tables
    read = next((t for t in tables if any(c.holds is Holds.ANSWER for c in t.columns)), tables[0])
    return title_of(names if len(names) == 1 else read.files)


def ask_about(*, draft: NewStudy, found: Found, kind: str) -> None:
    """Let the draft ask that about the outputs of its files; what it asks already stays where
    nothing is said, or its own kind of question."""
    if kind and first_kind(draft) != kind:
        draft.keys = beginning_keys(kind, by=draft.owner)
    draft.keys = {"title": suggested_title(draft, found), **draft.keys}
    draft.save()


def first_kind(draft: NewStudy) -> str:
    """What a draft asks first; empty where that is open."""
    blocks = draft.keys.get("blocks") or [{}]
    return str(blocks[0].get("task_type", "")) if isinstance(blocks[0], dict) else ""


def _first_rows(folder: Path) -> list[FirstRows]:
    return first_rows(tables_in(folder))


def _proposed(folder: Path, stated: Stated) -> Proposal:
    return proposed(_first_rows(folder), stated)


def _looked(folder: Path, reading: Reading, questions: tuple[Question, ...]) -> Looked:
    def named(counts: Counts | str) -> Counts | str:
        return shown_in(folder, counts) if isinstance(counts, str) else counts

    tables = _first_rows(folder)
    choices = {
        q.key: tuple(named(counted(tables, each.reading)) for each in q.choices) for q in questions
    }
    found = read(tables, reading)
    found = replace(found, failure=str(named(found.failure)))
    sentence = sentence_of(reading, found.counts)
    return Looked(sentence, table_samples(tables, reading), found, choices)
