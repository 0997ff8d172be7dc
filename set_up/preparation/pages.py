"""The contents of the pages of prepared lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator

from annotation.models import Block, Preparation, Study
from imports.preparation.files import texts_of
from imports.preparation.targets import (
    Target,
    blocks_to_prepare,
    lacking_rows,
    lists_of,
    target_of,
)
from set_up.preparation.forms import FilterForm
from tasktypes.prepared_lists import PreparedList

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
    chosen = chosen_list(study, filters.chosen_list)
    if filters.chosen_state == FilterForm.MISSING:
        missing: Any = lacking_rows(chosen.block, name=chosen.prepared.name) if chosen else []
        return Paginator(missing, PAGE).get_page(number)
    lists = study.preparations.filter(state=filters.chosen_state).with_names()
    if filters.chosen_list and chosen:
        about_sources = chosen.prepared.about == "source"
        lists = lists.filter(block=chosen.block, item__isnull=about_sources)
    return Paginator(lists.order_by("pk"), PAGE).get_page(number)


class ChosenList(NamedTuple):
    """One of the lists that a study's blocks are asked by."""

    block: Block
    prepared: PreparedList

    @property
    def key(self) -> str:
        return f"{self.block.key}/{self.prepared.name}"


def lists_to_prepare(study: Study) -> list[ChosenList]:
    """All of them, by block."""
    return [
        ChosenList(block, prepared)
        for block in blocks_to_prepare(study)
        for prepared in lists_of(block)
    ]


def chosen_list(study: Study, key: str) -> ChosenList | None:
    """The list of that key, or the first one that can be prepared."""
    lists = lists_to_prepare(study)
    return next((one for one in lists if one.key == key), lists[0] if lists else None)


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
