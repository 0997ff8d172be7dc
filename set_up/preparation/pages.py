"""The contents of the pages of prepared lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.models import Block, Preparation, Study
from imports.preparation.files import texts_of
from imports.preparation.targets import Target, blocks_to_prepare, lacking_rows, target_of
from set_up.preparation.forms import FilterForm

PAGE = 25
# What a page shows of a model's proposal, in this order.
_ORIGIN = ("backend", "model", "seed", "prompt_hash", "code_version", "journal", "file")


@dataclass(frozen=True)
class ShownList:
    """A list with its entries as texts."""

    row: Preparation
    entries: Sequence[Sequence[str]]

    @property
    def seen(self) -> str:
        """The list and its version, as they are posted."""
        return f"{self.row.pk}:{self.row.version}"


def shown(row: Preparation, entries: Sequence[Any] | None = None) -> ShownList:
    """The list, with its own entries or others."""
    prepared = row.prepared_list
    chosen = row.entries if entries is None else entries
    return ShownList(row, [prepared.texts(entry) for entry in chosen])


def shown_page(study: Study, filters: FilterForm, number: Any) -> Page[Any]:
    """A page of lists, or of what has none."""
    if filters.chosen_state == FilterForm.MISSING:
        block = chosen_block(study, filters.chosen_block)
        return Paginator(lacking_rows(block) if block else [], PAGE).get_page(number)
    rows = study.preparations.filter(state=filters.chosen_state).with_names()
    if filters.chosen_block:
        rows = rows.filter(block__key=filters.chosen_block)
    return Paginator(rows.order_by("pk"), PAGE).get_page(number)


def chosen_block(study: Study, key: str) -> Block | None:
    """The block of that key, or the first one that can be prepared."""
    blocks = blocks_to_prepare(study)
    return next((block for block in blocks if block.key == key), blocks[0] if blocks else None)


def targets_on(page: Page[Any]) -> list[Target]:
    """What has no list, of a page of items or sources."""
    return [target_of(row) for row in page]


def next_to_check(row: Preparation) -> Preparation:
    """The list itself while it waits for a decision, else the next that does, if any."""
    if row.state == Preparation.State.PROPOSED:
        return row
    waiting = row.study.preparations.filter(state=Preparation.State.PROPOSED).order_by("pk")
    return waiting.filter(pk__gt=row.pk).first() or waiting.first() or row


def origin_of(row: Preparation) -> list[tuple[str, Any]]:
    """Where a list is from: what a page names of it."""
    names = [(name.replace("_", " "), row.provenance.get(name)) for name in _ORIGIN]
    return [(name, value) for name, value in names if value not in (None, "")]


def context_of(row: Preparation) -> dict[str, Any]:
    """What the page of one list shows besides its form."""
    item = None if row.item is None else row.item.material
    return {
        "study": row.study,
        "row": row,
        "shown": shown(row),
        "first": shown(row, row.proposed) if row.is_edited else None,
        "texts": texts_of(row.source.material, item),
        "origin": origin_of(row),
        "parameters": row.provenance.get("parameters", {}),
        "replies": row.provenance.get("replies", []),
    }
