"""The outputs of uploads of any form, as a reading has them: kept as records of our own."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from files.errors import ImportFailure, files_shown
from files.readers.raw_tables import RawTable, raw_tables
from files.readers.streams import Watch, unwatched
from files.reading.judgements import ReadTables
from files.reading.model import Reading
from files.skipped import SkippedRecords
from imports.formats.planned_outputs import PlannedOutputs
from imports.formats.read_units import entry_records
from imports.material.questions import OpenBlock, described_blocks
from imports.material.records import MaterialEntry
from imports.sandbox.calls import stream_apart
from imports.sandbox.limits import Limits
from imports.sandbox.notes import BytesRead, SentSkips, without_notes
from imports.sandbox.process import Send
from imports.study_file.blocks import BlockPart
from imports.uploads import keep_upload, kept_upload

# The file of items that a study made of them names.
OUTPUTS = "outputs.jsonl"


@contextmanager
def laid_out(uploads: Mapping[str, str]) -> Iterator[Path]:
    """A folder with uploads under their own names, by which a failure names them. uploads: tokens
    by name."""
    with tempfile.TemporaryDirectory(prefix="jurybox-") as folder:
        for name, token in uploads.items():
            upload = kept_upload(token)
            if upload is None:
                raise ImportFailure(name, "file", "no longer kept here: upload it again")
            Path(folder, name).symlink_to(upload)
        with files_shown(lambda text: shown_in(folder, text)):
            yield Path(folder)


def shown_in(folder: Path | str, text: str) -> str:
    """The text with the names of uploads, not where they are laid out."""
    return text.replace(f"{folder}/", "").replace(str(folder), "files")


def tables_in(folder: Path) -> list[RawTable]:
    """The tables of uploads that are laid out."""
    return raw_tables(sorted(folder.iterdir()))


def draft_blocks(keys: Mapping[str, Any]) -> tuple[OpenBlock, ...]:
    """The blocks of the keys of a study file; ImportFailure where they are not right yet."""
    entries = keys.get("blocks")
    if not isinstance(entries, list) or not entries:
        raise ImportFailure("study.yaml", "blocks", "missing")
    try:
        return described_blocks(BlockPart.model_validate(entry) for entry in entries)
    except ValidationError as error:
        raise ImportFailure.of("study.yaml", error, within="blocks") from error


def read_entries(
    tables: Sequence[RawTable],
    reading: Reading,
    blocks: Sequence[OpenBlock],
    skipped: SkippedRecords,
    watch: Watch = unwatched,
) -> Iterator[MaterialEntry]:
    """The entries of the outputs of tables, whatever was answered about them."""
    texts = reading.model_copy(update={"answers": ()})
    return PlannedOutputs(ReadTables(texts, tables, skipped), blocks).entries(watch)


def keep_outputs(
    *,
    keys: Mapping[str, Any],
    uploads: Mapping[str, str],
    reading: Reading,
    skipped: SkippedRecords,
    watch: Watch = unwatched,
    limits: Limits | None = None,
) -> tuple[dict[str, Any], dict[str, str]]:
    """The keys of a study file with these outputs, and the file that it names. ImportFailure where
    there are none, or where one does not fit and `skipped` does not take it."""
    blocks = draft_blocks(keys)
    with laid_out(uploads) as folder:
        skipped.shown = lambda text: shown_in(folder, text)
        told = stream_apart(
            _send_outputs,
            folder,
            reading,
            blocks,
            skipped.strict,
            limits=limits,
            tick=lambda: watch(0),
        )
        digest = keep_upload(line.encode() for line in without_notes(told, watch, skipped))
    described = {name: value for name, value in keys.items() if name != "columns"}
    grouped = {"group_by": reading.group_by} if reading.group_by else {}
    return described | grouped | {"items": [OUTPUTS]}, {OUTPUTS: digest}


def _send_outputs(
    send: Send, folder: Path, reading: Reading, blocks: Sequence[OpenBlock], strict: bool
) -> None:
    skipped, is_empty = SentSkips(send, strict=strict), True
    tables = tables_in(folder)
    entries = read_entries(tables, reading, blocks, skipped, lambda n: send(BytesRead(n)))
    for record in entry_records(entries):
        is_empty = False
        send(json.dumps(record, ensure_ascii=False) + "\n")
    skipped.send_counts()
    if is_empty:
        raise ImportFailure(str(folder), "text", "no row has an output")
