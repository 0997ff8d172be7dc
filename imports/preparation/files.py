"""Prepared lists as a file of JSON lines: written for a person to edit, and read back."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from django.db import transaction
from pydantic import Field, JsonValue, model_validator

from annotation.models import Block, Preparation, Study, User, log_change
from files.errors import ImportFailure
from files.readers.streams import lines
from imports.preparation.lists import accept_lists, current_list, edit, propose
from imports.preparation.targets import (
    Target,
    blocks_to_prepare,
    lacking,
    list_for,
    lists_of,
)
from imports.preparation.units import Applied, NotPossible
from tasktypes.texts.material import Item, Material, Source

State = Preparation.State


class RecordedList(Material):
    """A line of the file."""

    block: str = ""
    """May be left out where the study has one block with such a list."""
    source: str = ""
    """The key of what the list is about, one of the two."""
    item: str = ""
    """The key of what the list is about, one of the two."""
    entries: list[JsonValue]
    """The list."""
    version: int | None = Field(default=None, ge=0, lt=2**31)
    """What an export wrote; a line whose list has changed since is refused."""
    state: str = ""
    """Written for the reader, not read."""
    about: JsonValue = None
    """Written for the reader, not read."""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if bool(self.source) == bool(self.item):
            raise ValueError("item: name an item or a source, one of the two")
        return self


@dataclass
class FileOutcome:
    """What a file did, in numbers of lists; applied: what became of those that were accepted."""

    proposed: int = 0
    edited: int = 0
    unchanged: int = 0
    accepted: int = 0
    applied: Applied = field(default_factory=Applied)

    def __str__(self) -> str:
        counts = f"{self.proposed} new, {self.edited} edited, {self.unchanged} unchanged"
        return f"{counts}; {self.accepted} accepted: {self.applied}" if self.accepted else counts


# --- Writing ------------------------------------------------------------------------------------


def list_lines(study: Study, *, missing: bool = False) -> Iterator[str]:
    """The lists of a study, a line each. missing: in their place what has none, without entries."""
    if missing:
        for block in blocks_to_prepare(study):
            for prepared in lists_of(block):
                for target in lacking(block, name=prepared.name):
                    yield _line(block, target, [], state="missing")
        return
    rows = Preparation.objects.standing().filter(study=study).with_names()
    for row in rows.order_by("pk").iterator(500):
        target = Target(row.source, row.item)
        yield _line(row.block, target, row.entries, version=row.version, state=row.state)


def _line(block: Block, target: Target, entries: list[Any], **fields: Any) -> str:
    key = {"source": target.key} if target.item is None else {"item": target.key}
    item = None if target.item is None else target.item.material
    record = {
        "block": block.key,
        **key,
        **fields,
        "about": texts_of(target.source.material, item),
    }
    return json.dumps(record | {"entries": entries}, ensure_ascii=False) + "\n"


def texts_of(source: Source, item: Item | None) -> dict[str, Any]:
    """What a person needs to see to judge a list, without what is empty."""
    texts: dict[str, Any] = {
        name: getattr(source, name) for name in ("claim", "verdict", "query", "document")
    }
    if item is not None:
        texts["text"] = item.text
    else:
        texts["passages"] = {passage.index: passage.text for passage in source.passages}
    return {name: text for name, text in texts.items() if text}


# --- Reading ------------------------------------------------------------------------------------


@transaction.atomic
def take_lists(
    *, study: Study, path: Path, name: str, by: User | None, now: datetime, accepting: bool = False
) -> FileOutcome:
    """Take the lists of a file in, and with `accepting` accept them; all or nothing.

    ImportFailure names line and field. name: of the file, as it is remembered.
    """
    reader = _Reader(study, name, by)
    rows = [reader.take(where, text) for where, text in _lines(path, name)]
    if accepting:
        waiting = [row for row in rows if row.state == State.PROPOSED]
        reader.taken.accepted = len(waiting)
        try:
            reader.taken.applied = accept_lists(study=study, preparations=waiting, by=by, now=now)
        except NotPossible as error:
            raise ImportFailure(name, "accept", str(error)) from error
    log_change(study=study, by=by, action="lists.uploaded", detail={"number": len(rows)})
    return reader.taken


def _lines(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """The lines of the file, with their place under the name that the reader knows."""
    try:
        for line in lines(path):
            yield line.where.replace(str(path), name), line.text
    except ImportFailure as error:
        where = error.where.replace(str(path), name)
        raise ImportFailure(where, error.field, error.reason) from error


class _Reader:
    """Takes in the lines of one file."""

    def __init__(self, study: Study, file: str, by: User | None) -> None:
        self.study, self.file, self.by = study, file, by
        self.taken = FileOutcome()
        self._blocks = {block.key: block for block in blocks_to_prepare(study)}
        self._seen: set[tuple[str, str]] = set()

    def take(self, where: str, text: str) -> Preparation:
        """The list of a line as it stands afterwards."""
        try:
            record = RecordedList.model_validate_json(text)
            block = self._block(record)
            target = self._target(record)
            self._refuse_second(block, target)
            return self._taken_list(block, target, record)
        except NotPossible as error:
            raise ImportFailure(where, "item" if record.item else "source", str(error)) from error
        except ValueError as error:
            raise ImportFailure.of(where, error) from error

    def _block(self, record: RecordedList) -> Block:
        if not record.block and len(self._blocks) == 1:
            return next(iter(self._blocks.values()))
        if record.block in self._blocks:
            return self._blocks[record.block]
        names = ", ".join(self._blocks) or "none"
        raise ValueError(f"block: {record.block!r} has no list to prepare (these have: {names})")

    def _target(self, record: RecordedList) -> Target:
        if record.item:
            item = self.study.items.select_related("source").filter(key=record.item).first()
            if item is None:
                raise ValueError(f"item: there is no item {record.item!r} in this study")
            return Target(item.source, item)
        source = self.study.sources.filter(key=record.source).first()
        if source is None:
            raise ValueError(f"source: there is no source {record.source!r} in this study")
        return Target(source)

    def _refuse_second(self, block: Block, target: Target) -> None:
        if (block.key, target.key) in self._seen:
            raise ValueError(f"entries: {target.key} had a line before")
        self._seen.add((block.key, target.key))

    def _taken_list(self, block: Block, target: Target, record: RecordedList) -> Preparation:
        standing = current_list(block, target)
        if standing is None:
            self.taken.proposed += 1
            return propose(
                block=block,
                target=target,
                entries=record.entries,
                provenance={"by": "file", "file": self.file},
                by=self.by,
            )
        if list_for(block, target).checked(record.entries) == standing.entries:
            self.taken.unchanged += 1
            return standing
        if standing.state == State.ACCEPTED:
            raise NotPossible(f"{target.key}: a list is accepted already (reopen it to change it)")
        self.taken.edited += 1
        version = standing.version if record.version is None else record.version
        return edit(preparation=standing, entries=record.entries, version=version, by=self.by)
