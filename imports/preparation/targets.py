"""What lists can be prepared for: the items or sources of a study, and which of them lack one."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Block, Item, Preparation, Source, Study, Unit, UnitItem
from tasktypes.prepared_lists import PREPARED, PreparedList


@dataclass(frozen=True)
class Target:
    """What one list is about: an item, or a source with all its items."""

    source: Source
    item: Item | None = None

    @property
    def key(self) -> str:
        return self.source.key if self.item is None else self.item.key


def blocks_to_prepare(study: Study) -> list[Block]:
    """The blocks whose questions are asked by a list that can be prepared."""
    return [block for block in study.blocks.all() if lists_of(block)]


def lists_of(block: Block) -> tuple[PreparedList, ...]:
    """The lists that can be prepared for a block."""
    lists: tuple[PreparedList, ...] = block.task_type.prepared_lists
    return tuple(prepared for prepared in lists if prepared.wanted(block.typed_options))


def list_of(block: Block, name: str = "") -> PreparedList:
    """The list of that name that can be prepared for a block, or its first; ValueError where there
    is none."""
    lists = lists_of(block)
    for prepared in lists:
        if name in ("", prepared.name):
            return prepared
    known = ", ".join(prepared.name for prepared in lists)
    if known:
        raise ValueError(f"list: {block.key} is asked by no {name!r} (these can be: {known})")
    raise ValueError(f"block: {block.key} asks by no list that can be prepared")


def list_for(block: Block, target: Target) -> PreparedList:
    """The list that a target is for; ValueError where the block has none about such a thing."""
    about = "source" if target.item is None else "item"
    for prepared in lists_of(block):
        if prepared.about == about:
            return prepared
    other = list_of(block)
    raise ValueError(f"{target.key}: {other.title.lower()} are prepared for each {other.about}")


def eligible_items(block: Block, prepared: PreparedList) -> QuerySet[Item]:
    """Items that are shown by themselves, in normal units alone, and whose file lists nothing.

    Where a source has a control its other items are shown to nobody, so they are left out.
    """
    name = prepared.name
    # Rejected controls are nobody's: their source is back among the normal ones.
    used = Unit.objects.exclude(check_state=Unit.Check.REJECTED)
    units = used.filter(items=OuterRef("pk"))
    listed = Q(focus__has_key=name) & ~Q(**{f"focus__{PREPARED}__has_key": name})
    beside_others = UnitItem.objects.filter(unit__items=OuterRef("pk"), position__gte=1)
    controls = used.filter(source=OuterRef("source"), role__in=Unit.CONTROLS)
    items = Item.objects.filter(study=block.study_id)
    if prepared.given:
        items = items.filter(**{f"source__{prepared.given}": []})
    return (
        items.exclude(Exists(units.exclude(role=Unit.Role.NORMAL)))
        .exclude(Exists(units.filter(listed)))
        .exclude(Exists(beside_others))
        .exclude(Exists(controls))
    )


def lacking(block: Block, *, name: str = "", rejected: bool = False) -> Iterator[Target]:
    """What has no such list for the block yet, an original just before the items made from it.

    name: of the list, by default the block's first. rejected: also what had one that was rejected.
    """
    for row in lacking_rows(block, name=name, rejected=rejected).iterator(500):
        yield target_of(row)


def lacking_rows(
    block: Block, *, name: str = "", rejected: bool = False
) -> QuerySet[Item] | QuerySet[Source]:
    """The same as rows: items or sources, whichever the lists are about."""
    prepared = list_of(block, name)
    lists = Preparation.objects.filter(block=block)
    lists = lists.standing() if rejected else lists
    items = _unlisted(eligible_items(block, prepared), prepared)
    if prepared.about == "item":
        free = items.exclude(Exists(lists.filter(item=OuterRef("pk")))).select_related("source")
        return free.order_by("source", Coalesce("perturbed_from", "pk"), "pk")
    free = items.exclude(Exists(lists.filter(source=OuterRef("source"), item=None)))
    return Source.objects.filter(pk__in=free.values("source")).order_by("pk")


def target_of(row: Item | Source) -> Target:
    """What a list about this row would be about."""
    return Target(row) if isinstance(row, Source) else Target(row.source, row)


def _unlisted(items: QuerySet[Item], prepared: PreparedList) -> QuerySet[Item]:
    listed = Unit.objects.filter(items=OuterRef("pk"), focus__has_key=prepared.name)
    return items.exclude(Exists(listed))


def can_be_prepared(block: Block, target: Target) -> bool:
    """Whether a new list would be for anything: an eligible item that has none yet."""
    prepared = list_for(block, target)
    items = _unlisted(eligible_items(block, prepared), prepared)
    about = Q(source=target.source) if target.item is None else Q(pk=target.item.pk)
    return items.filter(about).exists()


def items_of(preparations: Collection[Preparation]) -> QuerySet[Item]:
    """The items that lists of one name, for one block, hold for."""
    about = Q(pk__in=[row.item_id for row in preparations if row.item_id is not None])
    sources = [row.source_id for row in preparations if row.item_id is None]
    first = next(iter(preparations))
    return eligible_items(first.block, first.prepared_list).filter(about | Q(source__in=sources))
