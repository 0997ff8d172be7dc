"""Which questions judges were asked without an answer coming of it."""

from collections.abc import Mapping, Sequence

from estimates.data.records import BlockRecord, Records
from estimates.data.table import Material

# Block and rater (ids) -> codes of the units whose question has no answer, ascending.
Unanswered = Mapping[tuple[int, int], Sequence[int]]


def gather_unanswered(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Unanswered:
    """The normal units of every judge whose calls all failed, or led to no answer."""
    by_key = {block.key: block.pk for block in blocks}
    unit_codes = {unit: code for code, unit in enumerate(material.unit_ids)}
    units: dict[tuple[int, int], set[int]] = {}
    for record in records.unanswered():
        if record.unit in unit_codes:
            about = by_key[record.block], record.rater
            units.setdefault(about, set()).add(unit_codes[record.unit])
    return {about: tuple(sorted(codes)) for about, codes in units.items()}
