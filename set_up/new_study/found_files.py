"""Files of any form in a draft: the reading that they propose, what was decided, what it makes."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.models import Study, User
from files.errors import ImportFailure, files_shown
from files.readers.raw_tables import RawTable, raw_tables
from files.reading.first_rows import FirstRows, first_rows
from files.reading.judgements import ReadTables
from files.reading.model import Counts, Holds, Proposal, Question, Reading
from files.reading.proposals import Stated, proposed
from files.reading.samples import Read, TableSample, counted, read, table_samples
from files.reading.sentence import sentence_of
from files.skipped import SkippedRecords
from imports.formats.read_units import unit_records
from imports.sandbox.calls import call_apart, stream_apart
from imports.sandbox.process import Send
from imports.study_file.blocks import BlockPart
from imports.study_file.parts import StudyFilePart
from imports.uploads import keep_upload, kept_upload
from set_up.imports.tool_files import READING
from set_up.imports.tool_studies import KEEP_NAMES
from set_up.models import NewStudy
from set_up.new_study.drafts import template_keys
from set_up.new_study.file_forms import title_of
from set_up.study_files.application import NameTaken

# The file that keeps the outputs of a draft's files.
OUTPUTS = "outputs.jsonl"


class Found(StudyFilePart):
    """What a draft keeps of its files. reading: as it stands after what was decided and changed.
    decided: question -> choice, by their keys. answered: the questions that were decided."""

    proposal: Proposal
    reading: Reading
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


def proposal_of(uploads: Mapping[str, str], decided: Mapping[str, str] | None = None) -> Proposal:
    """The reading that uploads propose, found in a process of its own. ImportFailure where there is
    none. uploads: tokens by name. decided: as `Stated` has it."""
    with laid_out(uploads) as folder:
        return call_apart(_proposed, folder, Stated(decided=decided or {}))


def begin_from_files(*, by: User, uploads: Mapping[str, str]) -> NewStudy:
    """A draft of files of any form; ImportFailure as for `proposal_of`."""
    proposal = proposal_of(uploads)
    found = Found(proposal=proposal, reading=proposal.reading)
    return NewStudy.objects.create(
        owner=by, uploads=dict(uploads), found=found.model_dump(mode="json")
    )


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
    proposal = proposal_of(draft.uploads, decided)
    still_open = {each.key for each in proposal.questions}
    answered = [q for q in found.questions if q.key in decided and q.key not in still_open]
    parts = (found.proposal.reading, proposal.reading, found.reading)
    reading = Reading.model_validate(_merged(*(part.model_dump(mode="json") for part in parts)))
    kept = Found(proposal=proposal, reading=reading, decided=decided, answered=tuple(answered))
    return keep_found(draft, kept)


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


def name_results(*, draft: NewStudy, title: str, slug: str, keep_names: bool) -> None:
    """Say what the study of a draft's files with their answers is called. NameTaken where there is
    one of that name. keep_names: people stand in it by their names."""
    if Study.with_unfinished.filter(slug=slug).exists():
        raise NameTaken(slug)
    reading = found_in(draft).reading.model_dump(mode="json")
    draft.keys = {"title": title, "slug": slug, KEEP_NAMES: keep_names, READING: reading}
    draft.file_name = draft.digest = ""
    draft.save()


def suggested_title(draft: NewStudy, found: Found) -> str:
    """What a study may be called by its files: the only one, or the first that have answers."""
    names = list(draft.uploads)
    tables = found.reading.tables
    read = next((t for t in tables if any(c.holds is Holds.ANSWER for c in t.columns)), tables[0])
    return title_of(names if len(names) == 1 else read.files)


def take_outputs(*, draft: NewStudy, found: Found, kind: str) -> None:
    """Let the draft ask a kind of question about the outputs of its files, which are kept as
    records. ImportFailure where there are none."""
    with laid_out(draft.uploads) as folder:
        lines = stream_apart(_send_outputs, folder, found.reading, BlockPart(task_type=kind))
        draft.digest = keep_upload(line.encode() for line in lines)
    draft.file_name = OUTPUTS
    draft.keys = {
        **template_keys(kind),
        "title": suggested_title(draft, found),
        "items": [OUTPUTS],
    }
    draft.save()


@contextmanager
def laid_out(uploads: Mapping[str, str]) -> Iterator[Path]:
    """A folder with uploads under their own names, by which a failure names them."""
    with tempfile.TemporaryDirectory(prefix="jurybox-") as folder:
        for name, token in uploads.items():
            upload = kept_upload(token)
            if upload is None:
                raise ImportFailure(name, "file", "no longer kept here: upload it again")
            Path(folder, name).symlink_to(upload)
        with files_shown(lambda text: text.replace(f"{folder}/", "").replace(folder, "files")):
            yield Path(folder)


def _tables(folder: Path) -> list[RawTable]:
    return raw_tables(sorted(folder.iterdir()))


def _first_rows(folder: Path) -> list[FirstRows]:
    return first_rows(_tables(folder))


def _send_outputs(send: Send, folder: Path, reading: Reading, block: BlockPart) -> None:
    texts = reading.model_copy(update={"answers": ()})
    read_tables = ReadTables(texts, _tables(folder), SkippedRecords(strict=False))
    is_empty = True
    for record in unit_records(read_tables.units(), block):
        is_empty = False
        send(json.dumps(record, ensure_ascii=False) + "\n")
    if is_empty:
        raise ImportFailure(str(folder), "text", "no row has an output")


def _proposed(folder: Path, stated: Stated) -> Proposal:
    return proposed(_first_rows(folder), stated)


def _looked(folder: Path, reading: Reading, questions: tuple[Question, ...]) -> Looked:
    def named(counts: Counts | str) -> Counts | str:
        return counts.replace(f"{folder}/", "") if isinstance(counts, str) else counts

    tables = _first_rows(folder)
    choices = {
        q.key: tuple(named(counted(tables, each.reading)) for each in q.choices) for q in questions
    }
    found = read(tables, reading)
    found = replace(found, failure=str(named(found.failure)))
    sentence = sentence_of(reading, found.counts)
    return Looked(sentence, table_samples(tables, reading), found, choices)
