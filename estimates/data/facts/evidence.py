"""The passages that machines chose for sources, beside the chains that people chose."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from estimates.data.records import BlockRecord, Records
from estimates.data.table import Material

Passages = frozenset[int]

# Where people chose the passages, these are one of the chains they would be compared with.
PEOPLE = "human"


@dataclass(frozen=True)
class Evidence:
    """The passages that one machine chose for a source, perhaps none, and the source's human
    chains."""

    source: int
    chooser: str
    chosen: Passages
    chains: tuple[Passages, ...]


def gather_evidence(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Sequence[Evidence]:
    """Every selection for a source once, however many items use it; the items of controls,
    training and examples do not count. Nothing more is read where there are no chains."""
    chains = {
        source: (tuple(map(frozenset, of_people)), _selected(passages))
        for source, of_people, passages in records.chains()
    }
    choices = list(records.choices(but=("", PEOPLE))) if chains else []
    if not choices:
        return ()
    shown, differing = _shown(records, blocks, material), set(records.differing())
    evidence = dict[Evidence, None]()
    for choice in choices:
        if choice.source in chains and (choice.item in shown or choice.key not in differing):
            of_people, first = chains[choice.source]
            chosen = shown.get(choice.item, first)
            evidence[Evidence(choice.source, choice.chooser, chosen, of_people)] = None
    return _comparable(evidence)


def _comparable(evidence: Collection[Evidence]) -> Sequence[Evidence]:
    """Without those where neither the machine nor a person chose anything, and without machines
    that chose nothing anywhere: of these the files hold no selections."""
    choosers = {choice.chooser for choice in evidence if choice.chosen}
    return tuple(
        choice
        for choice in evidence
        if choice.chooser in choosers and (choice.chosen or any(choice.chains))
    )


def _shown(
    records: Records, blocks: Sequence[BlockRecord], material: Material
) -> Mapping[int, Passages]:
    """Item -> the passages marked in the first normal question about it that shows any. A source
    keeps but the first selection of a file, and items of one source may have others."""
    types = {block.pk: block.task_type for block in blocks if block.task_type.shows_passages}
    codes = {unit: code for code, unit in enumerate(material.unit_ids)}
    shown: dict[int, Passages] = {}
    rows = records.payloads([block for block in blocks if block.pk in types]) if types else ()
    for unit, block, payload in rows:
        items = material.unit_items.get(codes.get(unit, -1), ())
        about = [material.item_ids[code] for _, code in items]
        missing, task_type = [item for item in about if item not in shown], types[block]
        if not missing:
            continue
        passages = task_type.selected_passages(task_type.Payload.model_validate(payload))
        if passages is not None:
            shown.update(dict.fromkeys(missing, passages))
    return shown


def _selected(passages: Iterable[Mapping[str, Any]]) -> Passages:
    return frozenset(passage["index"] for passage in passages if passage.get("selected"))
