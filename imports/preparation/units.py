"""Accepted lists become part of units: of those that their items have, or of new ones."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.models import (
    Annotation,
    AssignmentUnit,
    Draft,
    Item,
    Place,
    Preparation,
    Question,
    Source,
    Study,
    Unit,
)
from annotation.models.preparation import with_lists
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.places import open_places
from files.errors import ImportFailure
from files.findings import Findings
from imports.material.places import open_imported_places
from imports.material.questions import open_blocks, planned_units
from imports.material.records import MaterialEntry
from imports.material.storage import BATCH, MaterialWriter
from imports.preparation.targets import items_of
from tasktypes.texts import material

# States of a judge's run in which calls may be under way.
_RUNNING = ("planning", "running")
# Places of so many sources are opened one source at a time; of more, by going through all units.
_SOURCES = 20


class NotPossible(ValueError):
    """Nothing was changed; the message says why in a sentence."""


@dataclass
class Applied:
    """What became of lists. waiting: items about which nothing can be asked yet, or at all."""

    made: int = 0
    changed: int = 0
    waiting: list[str] = field(default_factory=list)

    def add(self, other: "Applied") -> None:
        self.made += other.made
        self.changed += other.changed
        self.waiting += other.waiting

    def __str__(self) -> str:
        waiting = f", {len(self.waiting)} items without a unit" if self.waiting else ""
        return f"{self.made} units made, {self.changed} changed{waiting}"


def apply_lists(*, study: Study, preparations: Sequence[Preparation]) -> Applied:
    """Give the items of accepted lists their units. Within the caller's transaction.

    NotPossible where a unit's question would change that has been answered or given out.
    """
    _lock_sources(study, {row.source_id for row in preparations})
    items = _items(preparations)
    additions = _additions(study, items)
    applied = Applied()
    units = units_of(items)
    _lock_places(study, [unit.pk for unit, _ in units])
    for unit, item in units:
        applied.changed += _change_unit(unit, items[item], additions[item])
    shown = {item for _, item in units}
    bare = [item for pk, item in items.items() if pk not in shown]
    _make_units(study, bare, additions, applied)
    return applied


def _lock_sources(study: Study, keys: Collection[int]) -> None:
    """Two lists of one source, for two blocks, are applied one after the other."""
    rows = study.sources.order_by("pk")
    if len(keys) <= BATCH:  # else all of them: no database takes any number of keys
        rows = rows.filter(pk__in=keys)
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _lock_places(study: Study, units: Collection[int]) -> None:
    """No unit is given out while its questions change."""
    places = Place.objects.filter(round__study=study)
    (places.filter(unit__in=units) if len(units) <= BATCH else places).lock()


def _items(preparations: Sequence[Preparation]) -> dict[int, Item]:
    """By key: the items that the lists hold for, with their sources."""
    alike: dict[tuple[int, str], list[Preparation]] = {}
    for row in preparations:
        alike.setdefault((row.block_id, row.prepared_list.name), []).append(row)
    return {
        item.pk: item
        for rows in alike.values()
        for at in range(0, len(rows), BATCH)
        for item in items_of(rows[at : at + BATCH]).select_related("source")
    }


def _additions(study: Study, items: Mapping[int, Item]) -> dict[int, dict[str, Any]]:
    """By item: what the accepted lists of all blocks add to the focus of its units."""
    accepted = Preparation.objects.accepted().filter(study=study).with_names()
    sources = {item.source_id for item in items.values()}
    if len(sources) <= BATCH:
        accepted = accepted.filter(source__in=sources)
    by_source: dict[int, list[Preparation]] = {}
    for row in accepted.order_by("pk"):
        by_source.setdefault(row.source_id, []).append(row)
    additions: dict[int, dict[str, Any]] = {}
    for pk, item in items.items():
        additions[pk] = {}
        for row in by_source.get(item.source_id, ()):
            if row.item_id in (pk, None):
                additions[pk] = with_lists(additions[pk], row.focus)
    return additions


def units_of(items: Iterable[int]) -> list[tuple[Unit, int]]:
    """The units that show these items, each with its item."""
    keys = sorted(items)
    shown = []
    for at in range(0, len(keys), BATCH):
        units = Unit.objects.filter(items__in=keys[at : at + BATCH], role=Unit.Role.NORMAL)
        units = units.select_related("source")
        units = units.prefetch_related("unit_items", "questions__block").order_by("pk")
        shown += [(unit, unit.unit_items.all()[0].item_id) for unit in units]
    return shown


# --- Units that there are -----------------------------------------------------------------------


def _change_unit(unit: Unit, item: Item, additions: Mapping[str, Any]) -> bool:
    """Set the unit's focus and make its questions anew; whether anything changed."""
    focus = with_lists(unit.focus, additions)
    if focus == unit.focus:
        return False
    changed = [
        question
        for question in unit.questions.all()
        if _change_question(question, unit, item.material, focus)
    ]
    if changed:
        refuse_work([unit])
    Question.objects.bulk_update(changed, ["payload", "reference"])
    unit.focus = focus
    unit.save(update_fields=["focus"])
    return True


def _change_question(
    question: Question, unit: Unit, item: material.Item, focus: Mapping[str, Any]
) -> bool:
    """Set payload and reference as the new focus has them; whether they differ."""
    task_type, options = question.block.task_type, question.block.typed_options
    stored = question.typed_payload
    source = _as_shown(unit.source.material, task_type.selected_passages(stored))
    try:
        payload = task_type.payload(source, (item,), focus, options)
        reference = task_type.reference(source, (item,), focus, options)
        before = task_type.payload(source, (item,), unit.focus, options)
        reference_before = task_type.reference(source, (item,), unit.focus, options)
    except ValueError as error:
        raise NotPossible(f"unit {unit.key}: {error}") from error
    if payload == before and reference == reference_before:
        return False
    if stored != before or question.typed_reference != reference_before:
        raise NotPossible(f"unit {unit.key}: its file gives the question or its answer verbatim")
    question.payload = payload.model_dump(mode="json")
    question.reference = None if reference is None else reference.model_dump(mode="json")
    return True


def _as_shown(source: material.Source, selected: frozenset[int] | None) -> material.Source:
    """The source with the selection of passages that the unit's own record had."""
    if selected is None:
        return source
    passages = tuple(
        passage.model_copy(update={"selected": passage.index in selected})
        for passage in source.passages
    )
    return source.model_copy(update={"passages": passages})


def refuse_work(units: Sequence[Unit]) -> None:
    """NotPossible where a unit has been answered or given out, or a judge is being asked."""
    for unit in units:
        questions = Question.objects.filter(unit=unit)
        if Annotation.objects.filter(question__in=questions).exists():
            raise NotPossible(f"unit {unit.key} has answers, so its list can no longer change")
        given_out = AssignmentUnit.objects.filter(unit=unit).exists()
        if given_out or Draft.objects.filter(question__in=questions).exists():
            raise NotPossible(f"unit {unit.key} has been given out, so its list can not change")
        if questions.filter(calls__run__state__in=_RUNNING).exists():
            raise NotPossible(f"unit {unit.key} is part of a run of a judge; wait or cancel it")


# --- New units ----------------------------------------------------------------------------------


def _make_units(
    study: Study,
    items: Sequence[Item],
    additions: Mapping[int, Mapping[str, Any]],
    applied: Applied,
) -> None:
    """Make the units that the study's blocks plan for these items."""
    findings = Findings()
    writer = MaterialWriter(study, findings)
    blocks = open_blocks(study)
    sources: dict[int, Source] = {}
    for item in items:
        entry = MaterialEntry(f"item {item.key}", item.source.material, (item.material,))
        units = planned_units(entry, blocks, seed=study.seed, accepted=additions[item.pk])
        if not units:
            applied.waiting.append(item.key)
            continue
        try:
            writer.add(MaterialEntry(entry.where, entry.source, entry.items, units))
        except ImportFailure as error:
            raise NotPossible(str(error)) from error
        applied.made += len(units)
        sources[item.source_id] = item.source
    if applied.made:
        _finish(writer, findings, sources.values())


def _open_places(study: Study, sources: Sequence[Source]) -> None:
    if len(sources) > _SOURCES:
        open_imported_places(study)
        return
    for source in sources:
        open_places(study, source=source)


def _finish(writer: MaterialWriter, findings: Findings, sources: Iterable[Source]) -> None:
    """Write the units, open their places, and add them to the study's counts."""
    study = writer.study
    try:
        writer.close()
    except ImportFailure as error:
        raise NotPossible(str(error)) from error
    _open_places(study, list(sources))
    if study.state == Study.State.OPEN:
        fix_batches(study=study)
    # Without its key: whoever is given a batch holds that, and waits for places locked above.
    locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    total = Findings.of(locked.imported)
    total.counts.update({name: findings.counts[name] for name in ("units", "questions")})
    total.subsets.update(findings.subsets)
    locked.imported = {**locked.imported, **total.as_json()}
    locked.save(update_fields=["imported"])
