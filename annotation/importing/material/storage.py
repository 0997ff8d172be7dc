"""Writing material (sources, items, units, questions) in groups, with constant memory.

Callers hold one transaction around the writer, so that a failure leaves nothing.
"""

from collections.abc import Iterable
from typing import TypeVar

from django.db import models

from annotation.importing.errors import ImportFailure
from annotation.importing.findings import Findings
from annotation.importing.material.questions import built_questions, open_blocks, planned_units
from annotation.importing.material.records import Entry, UnitSpec
from annotation.models import Item, Place, Question, Round, Source, Study, Subset, Unit, UnitItem
from annotation.models.preparation import accepted_by_source
from annotation.rounds.places import shuffle_of
from tasktypes import material

# Rows per group. Units are counted, too: their questions, with all texts, take the memory.
BATCH = 500
_CONTROLS = frozenset(map(str, Unit.CONTROLS))

Row = TypeVar("Row", Source, Item)


class MaterialWriter:
    """Takes entries one by one and writes them in groups; `close` writes the rest."""

    def __init__(self, study: Study, findings: Findings) -> None:
        self.study = study
        self.findings = findings
        self.blocks = open_blocks(study)
        self._rounds = {row.name: row for row in study.rounds.all()}
        self._subsets = {row.name: row for row in study.subsets.all()}
        self._accepted = accepted_by_source(study)
        self._pending: list[tuple[Entry, tuple[UnitSpec, ...]]] = []
        self._units_pending = 0
        # (where, item, its original) of items that came before their originals.
        self._orphans: list[tuple[str, str, str]] = []

    def add(self, entry: Entry) -> None:
        """Take an entry in; ImportFailure, naming its record, where it does not fit."""
        units = entry.units
        if units is None:
            accepted = self._accepted.get(entry.source.key)
            units = planned_units(entry, self.blocks, seed=self.study.seed, accepted=accepted)
        self._pending.append((entry, units))
        self._units_pending += len(units)
        self.findings.count("records")
        if len(self._pending) >= BATCH or self._units_pending >= BATCH:
            self.flush()

    def close(self) -> None:
        """Write the rest, and refuse controls that share a source with other units."""
        self.flush()
        self._link_orphans()
        _refuse_shared_controls(self.study)

    def flush(self) -> None:
        sources = self._write_sources()
        items = self._write_items(sources)
        units = self._write_units(sources)
        self._write_parts(units, items)
        self._pending, self._units_pending = [], 0

    # --- Sources ---------------------------------------------------------------------------

    def _write_sources(self) -> dict[str, Source]:
        rows = self._standing(Source, (entry.source.key for entry, _ in self._pending))
        new: list[Source] = []
        for entry, _ in self._pending:
            key = entry.source.key
            if key in rows:
                self._compare_source(entry, rows[key].material)
                continue
            rows[key] = Source(study=self.study, **entry.source.model_dump(mode="json"))
            new.append(rows[key])
        Source.objects.bulk_create(new, batch_size=BATCH)
        self.findings.count("sources", len(new))
        return rows

    def _compare_source(self, entry: Entry, standing: material.Source) -> None:
        """A source may occur again with other items, but with the same content.

        Only the selected passages may differ from item to item: the row keeps the first
        selection, and every question shows that of its own record.
        """
        if entry.source == standing:
            return
        if _without_selection(entry.source) != _without_selection(standing):
            raise ImportFailure(
                entry.where,
                "source.key",
                f"duplicate: {standing.key!r} came before as something else",
            )
        self.findings.note("selected_passages_differ", entry.items[0].key)

    # --- Items -----------------------------------------------------------------------------

    def _write_items(self, sources: dict[str, Source]) -> dict[str, Item]:
        pairs = [(entry, item) for entry, _ in self._pending for item in entry.items]
        keys = {item.key for _, item in pairs} | {item.perturbed_from for _, item in pairs}
        rows = self._standing(Item, keys - {""})
        new: list[Item] = []
        for entry, item in pairs:
            if item.key in rows:
                _refuse_other_item(entry, item, rows[item.key], sources)
                continue
            rows[item.key] = self._item(entry, item, sources)
            new.append(rows[item.key])
            self.findings.look_at(entry.source, item)
        Item.objects.bulk_create(new, batch_size=BATCH)
        self._link_perturbed(pairs, rows)
        self.findings.count("items", len(new))
        return rows

    def _item(self, entry: Entry, item: material.Item, sources: dict[str, Source]) -> Item:
        about = item.model_dump(mode="json", exclude={"perturbed_from"})
        return Item(study=self.study, source=sources[entry.source.key], **about)

    def _link_perturbed(
        self, pairs: Iterable[tuple[Entry, material.Item]], rows: dict[str, Item]
    ) -> None:
        """Link to originals that are stored already; the others are linked at the end."""
        changed = []
        for entry, item in pairs:
            original = rows.get(item.perturbed_from)
            if original is not None:
                rows[item.key].perturbed_from = original
                changed.append(rows[item.key])
            elif item.perturbed_from:
                self._orphans.append((entry.where, item.key, item.perturbed_from))
        Item.objects.bulk_update(changed, ["perturbed_from"], batch_size=BATCH)

    def _link_orphans(self) -> None:
        for where, key, original_key in self._orphans:
            original = self.study.items.filter(key=original_key).first()
            if original is None:
                raise ImportFailure(
                    where, "items.perturbed_from", f"there is no item {original_key!r}"
                )
            self.study.items.filter(key=key).update(perturbed_from=original)

    # --- Units -----------------------------------------------------------------------------

    def _write_units(self, sources: dict[str, Source]) -> list[tuple[Unit, Entry, UnitSpec]]:
        specs = [(entry, spec) for entry, units in self._pending for spec in units]
        keys = [spec.key for _, spec in specs]
        taken = set(
            Unit.objects.filter(study=self.study, key__in=keys).values_list("key", flat=True)
        )
        rows: list[tuple[Unit, Entry, UnitSpec]] = []
        for entry, spec in specs:
            if spec.key in taken:
                raise ImportFailure(entry.where, "unit.key", f"duplicate: {spec.key!r}")
            taken.add(spec.key)
            unit = Unit(
                study_id=self.study.pk,
                source_id=sources[entry.source.key].pk,
                key=spec.key,
                role=spec.role,
                focus=dict(spec.focus),
                reasons=spec.reasons,
                check_state=Unit.Check.VALIDATED if spec.generated else Unit.Check.NOT_NEEDED,
                round=self._own_round(entry, spec),
            )
            rows.append((unit, entry, spec))
        Unit.objects.bulk_create([unit for unit, _, _ in rows], batch_size=BATCH)
        self.findings.count("units", len(rows))
        return rows

    def _write_parts(
        self, units: Iterable[tuple[Unit, Entry, UnitSpec]], items: dict[str, Item]
    ) -> None:
        """Write the units' items, subsets and questions, and the places of controls."""
        units = list(units)
        UnitItem.objects.bulk_create(
            [
                UnitItem(unit_id=unit.pk, item_id=items[item.key].pk, position=position)
                for unit, _, spec in units
                for position, item in enumerate(spec.items)
            ],
            batch_size=BATCH,
        )
        self._write_subsets(units)
        Question.objects.bulk_create(
            [row for written in units for row in self._questions(*written)], batch_size=BATCH
        )
        Place.objects.bulk_create([place for written in units for place in self._places(*written)])

    def _write_subsets(self, units: Iterable[tuple[Unit, Entry, UnitSpec]]) -> None:
        link = Unit.subsets.through
        links = [
            link(unit_id=unit.pk, subset_id=self._subset(name).pk)
            for unit, _, spec in units
            for name in spec.subsets
        ]
        link.objects.bulk_create(links, batch_size=BATCH)

    def _subset(self, name: str) -> Subset:
        if name not in self._subsets:
            self._subsets[name] = Subset.objects.create(study=self.study, name=name)
        self.findings.subsets[name] += 1
        return self._subsets[name]

    def _questions(self, unit: Unit, entry: Entry, spec: UnitSpec) -> list[Question]:
        built = built_questions(entry.where, entry.source, spec, self.blocks)
        if spec.role in _CONTROLS and all(question.reference is None for question in built):
            raise ImportFailure(entry.where, "unit.reference", "missing (a control needs one)")
        self.findings.count("questions", len(built))
        return [
            Question(
                study_id=self.study.pk,
                unit_id=unit.pk,
                block_id=question.block.pk,
                payload=question.payload,
                reference=question.reference,
            )
            for question in built
        ]

    def _places(self, unit: Unit, entry: Entry, spec: UnitSpec) -> list[Place]:
        """A control gets its place from the start; other units get theirs at the end."""
        if spec.role not in _CONTROLS:
            return []
        if not self._rounds:
            self.findings.note("controls_without_round", spec.key)
            return []
        round_ = self._round(entry, spec)
        shuffle = shuffle_of(self.study, round_, unit.key)
        return [
            Place(
                round=round_, unit=unit, source_id=unit.source_id, role=unit.role, shuffle=shuffle
            )
        ]

    def _own_round(self, entry: Entry, spec: UnitSpec) -> Round | None:
        """The round that a unit other than a control is kept for, where the file names one."""
        if spec.role in _CONTROLS or not spec.round:
            return None
        if spec.role == Unit.Role.EXAMPLE:
            raise ImportFailure(entry.where, "unit.round", "an example belongs to no round")
        round_ = self._round(entry, spec)
        if (spec.role == Unit.Role.TRAINING) != round_.shows_answers:
            reason = f"{spec.round!r} has no place for {spec.role} units"
            raise ImportFailure(entry.where, "unit.round", reason)
        return round_

    def _round(self, entry: Entry, spec: UnitSpec) -> Round:
        names = ", ".join(self._rounds) or "none"
        if not spec.round and len(self._rounds) == 1:
            return next(iter(self._rounds.values()))
        if spec.round in self._rounds:
            return self._rounds[spec.round]
        reason = f"no such round: {spec.round!r}" if spec.round else "missing"
        raise ImportFailure(entry.where, "unit.round", f"{reason} (the study has: {names})")

    def _standing(self, model: type[Row], keys: Iterable[str]) -> dict[str, Row]:
        rows = model.objects.filter(study=self.study, key__in=set(keys))
        return {row.key: row for row in rows}


def _without_selection(source: material.Source) -> material.Source:
    plain = tuple(passage.model_copy(update={"selected": False}) for passage in source.passages)
    return source.model_copy(update={"passages": plain})


def _refuse_other_item(
    entry: Entry, item: material.Item, standing: Item, sources: dict[str, Source]
) -> None:
    """An item may occur again with another unit, but with the same content."""
    same_source = standing.source_id == sources[entry.source.key].pk
    same = same_source and standing.material == item.model_copy(update={"perturbed_from": ""})
    if entry.units is None or not same:
        raise ImportFailure(entry.where, "items.key", f"duplicate: {item.key!r}")


def _refuse_shared_controls(study: Study) -> None:
    """Refuse a control whose source has other units: those who met one would know its answer."""
    # A generated control's source has normal units, too, but they are given to nobody.
    from_files = models.Q(units__check_state=Unit.Check.NOT_NEEDED)
    roles = models.Count(
        "units__role",
        filter=from_files & models.Q(units__role__in=[Unit.Role.NORMAL, *Unit.CONTROLS]),
        distinct=True,
    )
    shared = study.sources.annotate(roles=roles).filter(roles__gt=1).first()
    if shared is not None:
        raise ImportFailure(
            f"source {shared.key}", "unit.role", "a control's source has units of another role"
        )
