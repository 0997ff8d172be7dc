"""Of how many parts of a unit, such as sentences, answers choose some."""

from collections.abc import Mapping, Sequence

from estimates.data.records import BlockRecord, Records
from estimates.data.table import Material

# Unit code -> number of parts.
SetSizes = Mapping[int, int]


def gather_set_sizes(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Mapping[int, SetSizes]:
    """Block id -> the sizes of its normal questions, of blocks whose answers are sets."""
    choosing = [block for block in blocks if any(facet.kind == "set" for facet in block.facets)]
    types = {block.pk: block.task_type for block in choosing}
    sizes: dict[int, dict[int, int]] = {block: {} for block in types}
    codes = {unit: code for code, unit in enumerate(material.unit_ids)}
    for unit, block, payload in records.payloads(choosing) if choosing else ():
        size = types[block].set_size(payload)
        if unit in codes and size is not None:
            sizes[block][codes[unit]] = size
    return sizes
