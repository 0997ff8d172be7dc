"""In which order questions show the items that are weighed side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from estimates.data.records import BlockRecord, Records
from estimates.data.table import Material
from tasktypes.pages.candidates import order_shown, shows_candidates


@dataclass(frozen=True)
class Orders:
    """The orders of a block's units by unit code, as codes of items. unknown: the units whose
    imported answers may have been given in another one."""

    shown: Mapping[int, tuple[int, ...]]
    unknown: frozenset[int]


def orders_by_block(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Mapping[int, Orders]:
    """Block id -> the orders of its normal questions, of blocks that show items side by side."""
    showing = [block for block in blocks if shows_candidates(block.task_type)]
    orders: dict[int, dict[int, tuple[int, ...]]] = {block.pk: {} for block in showing}
    codes = {unit: code for code, unit in enumerate(material.unit_ids)}
    for unit, block, payload in records.payloads(showing) if showing else ():
        code = codes.get(unit, -1)
        items = [item for _, item in material.unit_items.get(code, ())]
        order = order_shown(payload)
        if code >= 0 and len(order) == len(items):
            orders[block][code] = tuple(items[position] for position in order)
    stored = records.unknown_orders() if showing else ()
    unknown = frozenset(codes[unit] for unit in stored if unit in codes)
    return {block: Orders(shown, unknown) for block, shown in orders.items()}
