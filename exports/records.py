"""Material as records that `import_study jsonl` reads again."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from annotation.models import (
    Block,
    Item,
    Place,
    Question,
    Round,
    Source,
    Study,
    Unit,
    UnitItem,
)
from estimates.data.bundles.layout import ITEM_FIELDS, METADATA, SOURCE_FIELDS, TURNS
from imports.study_file.doors import Door
from imports.study_file.fields import round_record
from imports.study_file.study_fields import same_fields, shown_at
from tasktypes.schemas import Schema

CHUNK = 200


def item_lines(study: Study) -> Iterator[str]:
    """The study, then one record per unit, then the items that nothing is asked about."""
    blocks = tuple(study.blocks.all())
    rounds = tuple(study.rounds.all())
    yield _line({"study": _study_record(study, blocks, rounds)})
    for unit in _units(study).iterator(CHUNK):
        yield _line(_unit_record(unit, blocks))
    for item in _items_without_units(study).iterator(CHUNK):
        yield _line({"source": _source(item.source), "items": [_item(item)]})


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def _study_record(
    study: Study, blocks: tuple[Block, ...], rounds: tuple[Round, ...]
) -> dict[str, Any]:
    return {
        **same_fields(study, shown_at(Door.RECORDS)),
        "blocks": [
            {"task_type": block.task_type_slug, "key": block.key, "options": block.options}
            for block in blocks
        ],
        **({"rounds": [round_record(round_) for round_ in rounds]} if rounds else {}),
    }


def _units(study: Study) -> Any:
    shown = UnitItem.objects.select_related("item__perturbed_from").order_by("position")
    of_controls = Place.objects.exclude(role=Unit.Role.NORMAL).select_related("round")
    asked = Question.objects.order_by("block__position")
    return (
        Unit.objects.filter(study=study)
        .exclude(check_state__in=Unit.UNUSED)
        .order_by("pk")
        .select_related("source", "round")
        .prefetch_related(
            # As lists: otherwise a query set is made of every row for each of these.
            Prefetch("places", queryset=of_controls, to_attr="of_controls"),
            Prefetch("unit_items", queryset=shown, to_attr="shown"),
            Prefetch("questions", queryset=asked, to_attr="asked"),
            Prefetch("subsets", to_attr="member_of"),
        )
    )


def _items_without_units(study: Study) -> Any:
    unasked = Item.objects.filter(study=study, units=None)
    return unasked.select_related("source", "perturbed_from").order_by("pk")


def _unit_record(unit: Any, blocks: tuple[Block, ...]) -> dict[str, Any]:
    items = [shown.item for shown in unit.shown]
    return {
        "source": _source(unit.source),
        "items": [_item(item) for item in items],
        "unit": {
            "key": unit.key,
            "role": unit.role,
            "subsets": sorted(subset.name for subset in unit.member_of),
            "focus": unit.focus,
            **_own_round(unit),
            **({"reasons": unit.reasons} if unit.reasons else {}),
            **({"part_reasons": unit.part_reasons} if unit.part_reasons else {}),
            **({"generated": True} if unit.check_state == Unit.Check.VALIDATED else {}),
            **({METADATA: unit.metadata} if unit.metadata else {}),
            **_of_its_own(unit, items, blocks),
        },
    }


def _own_round(unit: Any) -> dict[str, str]:
    """The one round in which the unit is met, where it is kept for one."""
    round_ = unit.round or next((place.round for place in unit.of_controls), None)
    return {"round": round_.name} if round_ is not None else {}


def _source(source: Source) -> dict[str, Any]:
    fields = {name: getattr(source, name) for name in (*SOURCE_FIELDS, TURNS, METADATA)}
    return {name: value for name, value in fields.items() if value not in ("", [], {})}


def _item(item: Item) -> dict[str, Any]:
    fields = {name: getattr(item, name) for name in (*ITEM_FIELDS, METADATA)}
    if item.perturbed_from is not None:
        fields["perturbed_from"] = item.perturbed_from.key
    named = {name: value for name, value in fields.items() if value}
    return {**named, "sentences": item.sentences}


def _of_its_own(unit: Any, items: list[Item], blocks: tuple[Block, ...]) -> dict[str, Any]:
    """Payloads and references, where the material alone would not give the same again."""
    payloads: dict[str, Any] = {}
    references: dict[str, Any] = {}
    by_block = {question.block_id: question for question in unit.asked}
    for block in blocks:
        question = by_block.get(block.pk)
        if question is None:
            continue
        payload, reference = _determined(block, unit, items)
        if payload != question.payload:
            payloads[block.key] = question.payload
        if block.key in payloads or reference != question.reference:
            references[block.key] = question.reference
    by_field = {"payload": payloads, "reference": references}
    if len(blocks) == 1:  # then the value is stored without the block's key
        return {name: of[blocks[0].key] for name, of in by_field.items() if of}
    return {name: of for name, of in by_field.items() if of}


def _determined(block: Block, unit: Unit, items: list[Item]) -> tuple[Any, Any]:
    task_type = block.task_type
    about = (
        unit.source.material,
        [item.material for item in items],
        unit.focus,
        block.typed_options,
    )
    try:
        return _json(task_type.payload(*about)), _json(task_type.reference(*about))
    except ValueError:  # a question that only a file of its own could ask
        return None, None


def _json(value: Schema | None) -> Any:
    return None if value is None else value.model_dump(mode="json")
