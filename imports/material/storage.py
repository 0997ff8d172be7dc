"""Writing material (sources, items, units, questions) in groups, with constant memory.

Each group has a transaction of its own. Where others see the study, callers hold one around the
writer, so that a failure leaves nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation.models import Item, Place, Question, Source, Study, Subset, Unit, UnitItem
from annotation.models.preparation import accepted_by_source
from annotation.queries.inserts import insert_rows, json_text
from annotation.rounds.places import shuffle_of
from files.errors import ImportFailure
from files.findings import Findings
from files.skipped import SkippedRecords
from imports.material.acceptance import (
    CONTROLS,
    Acceptance,
    AcceptedEntry,
    AcceptedUnit,
    refuse_shared_controls,
)
from imports.material.metadata import impersonal
from imports.material.questions import open_blocks, planned_units
from imports.material.records import MaterialEntry, UnitSpec
from imports.material.removal import remove_items
from tasktypes.texts import material

# Rows per group. Units are counted, too: their questions, with all texts, take the memory.
BATCH = 500
_QUESTION_COLUMNS = ("study_id", "unit_id", "block_id", "payload", "reference")


@dataclass(frozen=True)
class _Orphan:
    """An item that came before the one that it was made from, with the items of its record."""

    where: str
    key: str
    original: str
    items: tuple[str, ...]


class MaterialWriter:
    """Takes entries one by one and writes them in groups; `close` writes the rest.

    An entry that does not fit is left out whole, where `skipped` allows that.
    """

    def __init__(
        self,
        study: Study,
        findings: Findings,
        skipped: SkippedRecords | None = None,
        after_group: Callable[[], object] = lambda: None,
    ) -> None:
        self.study = study
        self.findings = findings
        self.skipped = skipped or SkippedRecords()
        self._after_group = after_group
        self.blocks = open_blocks(study)
        self._subsets = {row.name: row for row in study.subsets.all()}
        self._prepared = accepted_by_source(study)
        self._pending: list[tuple[MaterialEntry, tuple[UnitSpec, ...]]] = []
        self._units_pending = 0
        self._orphans: list[_Orphan] = []

    def add(self, entry: MaterialEntry) -> None:
        """Take an entry in; in a strict import ImportFailure, naming its record, where it does
        not fit."""
        units = entry.units
        if units is None:
            accepted = self._prepared.get(entry.source.key)
            units = planned_units(
                entry,
                self.blocks,
                seed=self.study.seed,
                accepted=accepted,
                findings=self.findings,
            )
        self._pending.append((entry, units))
        self._units_pending += len(units)
        if len(self._pending) >= BATCH or self._units_pending >= BATCH:
            self.flush()

    def close(self) -> None:
        """Write the rest, and refuse controls that share a source with other units."""
        self.flush()
        self._link_orphans()
        refuse_shared_controls(self.study)

    def flush(self) -> None:
        sources = self._standing_sources()
        items = self._standing_items()
        accepted = self._accepted(sources, items)
        with transaction.atomic():
            self._write_sources(accepted, sources)
            self._write_items(accepted, sources, items)
            units = self._write_units(accepted, sources)
            self._write_parts(units, items)
        self._after_group()
        self._pending, self._units_pending = [], 0

    def _accepted(self, sources: dict[str, Source], items: dict[str, Item]) -> list[AcceptedEntry]:
        """The pending entries that fit; the others are skipped, before any of them is written."""
        keys = [spec.key for _, units in self._pending for spec in units]
        taken = Unit.objects.filter(study=self.study, key__in=keys).values_list("key", flat=True)
        acceptance = Acceptance(self.study, self.blocks, sources, items, taken)
        accepted = []
        for entry, units in self._pending:
            try:
                accepted.append(acceptance.accept(entry, units))
            except ImportFailure as failure:
                self.skipped.skip(failure, of=entry.where)
            else:
                self.findings.add(accepted[-1].findings)
        self.findings.count("records", len(accepted))
        return accepted

    # --- Sources ---------------------------------------------------------------------------

    def _standing_sources(self) -> dict[str, Source]:
        keys = {entry.source.key for entry, _ in self._pending}
        rows = Source.objects.filter(study=self.study, key__in=keys)
        return {row.key: row for row in rows}

    def _write_sources(self, accepted: Sequence[AcceptedEntry], rows: dict[str, Source]) -> None:
        new: list[Source] = []
        for entry in (taken.entry for taken in accepted):
            if entry.source.key not in rows:
                row = Source(study=self.study, **entry.source.model_dump(mode="json"))
                row.metadata = impersonal(entry.source_metadata)
                rows[row.key] = row
                new.append(row)
        Source.objects.bulk_create(new, batch_size=BATCH)
        self.findings.count("sources", len(new))

    # --- Items -----------------------------------------------------------------------------

    def _standing_items(self) -> dict[str, Item]:
        """The items of the pending entries, and those that they were made from."""
        pending = [item for entry, _ in self._pending for item in entry.items]
        keys = {item.key for item in pending} | {item.perturbed_from for item in pending}
        rows = Item.objects.filter(study=self.study, key__in=keys - {""})
        return {row.key: row for row in rows.select_related("source")}

    def _write_items(
        self,
        accepted: Sequence[AcceptedEntry],
        sources: dict[str, Source],
        rows: dict[str, Item],
    ) -> None:
        new: list[Item] = []
        for taken in accepted:
            source = sources[taken.entry.source.key]
            for item in taken.new_items:
                about = item.model_dump(mode="json", exclude={"perturbed_from"})
                rows[item.key] = Item(study=self.study, source=source, **about)
                rows[item.key].metadata = impersonal(taken.entry.item_metadata.get(item.key, {}))
                new.append(rows[item.key])
        Item.objects.bulk_create(new, batch_size=BATCH)
        self._link_perturbed(accepted, rows)
        self.findings.count("items", len(new))

    def _link_perturbed(self, accepted: Sequence[AcceptedEntry], rows: dict[str, Item]) -> None:
        """Link to originals that are stored already; the others are linked at the end."""
        changed = []
        for entry in (taken.entry for taken in accepted):
            for item in entry.items:
                original = rows.get(item.perturbed_from)
                if original is not None:
                    rows[item.key].perturbed_from = original
                    changed.append(rows[item.key])
                elif item.perturbed_from:
                    self._orphans.append(_orphan(entry, item))
        Item.objects.bulk_update(changed, ["perturbed_from"], batch_size=BATCH)

    def _link_orphans(self) -> None:
        """Link items to originals that came later. A record whose original never came is taken
        out again, with all that was made from its own items."""
        originals = {orphan.original for orphan in self._orphans}
        for key in list(originals):
            row = self.study.items.filter(key=key).first()
            if row is not None:
                originals.remove(key)
                made = [orphan.key for orphan in self._orphans if orphan.original == key]
                self.study.items.filter(key__in=made).update(perturbed_from=row)
        for orphan in self._orphans:
            if orphan.original in originals:
                self._take_out(orphan)

    def _take_out(self, orphan: _Orphan) -> None:
        further = remove_items(self.study, orphan.items, self.findings)
        self.findings.counts["records"] -= 1
        more = f", and {further} more made from this one" if further else ""
        reason = f"there is no item {orphan.original!r}{more}"
        self.skipped.skip(ImportFailure(orphan.where, "items.perturbed_from", reason))

    # --- Units -----------------------------------------------------------------------------

    def _write_units(
        self, accepted: Sequence[AcceptedEntry], sources: dict[str, Source]
    ) -> list[tuple[Unit, AcceptedUnit]]:
        rows = [
            (self._unit(unit, sources[taken.entry.source.key]), unit)
            for taken in accepted
            for unit in taken.units
        ]
        Unit.objects.bulk_create([row for row, _ in rows], batch_size=BATCH)
        self.findings.count("units", len(rows))
        return rows

    def _unit(self, unit: AcceptedUnit, source: Source) -> Unit:
        spec = unit.spec
        return Unit(
            study_id=self.study.pk,
            source_id=source.pk,
            key=spec.key,
            role=spec.role,
            focus=dict(spec.focus),
            metadata=impersonal(spec.metadata),
            reasons=spec.reasons,
            part_reasons=dict(spec.part_reasons),
            check_state=Unit.Check.VALIDATED if spec.generated else Unit.Check.NOT_NEEDED,
            round=unit.own_round,
        )

    def _write_parts(
        self, units: Sequence[tuple[Unit, AcceptedUnit]], items: dict[str, Item]
    ) -> None:
        """Write the units' items, subsets and questions, and the places of controls."""
        insert_rows(
            UnitItem,
            ("unit_id", "item_id", "position"),
            [
                (row.pk, items[item.key].pk, position)
                for row, unit in units
                for position, item in enumerate(unit.spec.items)
            ],
        )
        self._write_subsets(units)
        questions = [question for row, unit in units for question in self._questions(row, unit)]
        insert_rows(Question, _QUESTION_COLUMNS, questions)
        self.findings.count("questions", len(questions))
        Place.objects.bulk_create(
            [place for row, unit in units for place in self._places(row, unit)]
        )

    def _write_subsets(self, units: Iterable[tuple[Unit, AcceptedUnit]]) -> None:
        link = Unit.subsets.through
        links = [
            link(unit_id=row.pk, subset_id=self._subset(name).pk)
            for row, unit in units
            for name in unit.spec.subsets
        ]
        link.objects.bulk_create(links, batch_size=BATCH)

    def _subset(self, name: str) -> Subset:
        if name not in self._subsets:
            self._subsets[name] = Subset.objects.create(study=self.study, name=name)
        self.findings.subsets[name] += 1
        return self._subsets[name]

    def _questions(self, row: Unit, unit: AcceptedUnit) -> list[tuple[Any, ...]]:
        return [
            (
                self.study.pk,
                row.pk,
                question.block.pk,
                json_text(question.payload),
                None if question.reference is None else json_text(question.reference),
            )
            for question in unit.questions
        ]

    def _places(self, row: Unit, unit: AcceptedUnit) -> list[Place]:
        """A control gets its place from the start; other units get theirs at the end."""
        if unit.spec.role not in CONTROLS:
            return []
        round_ = unit.control_round
        if round_ is None:
            self.findings.note("controls_without_round", row.key)
            return []
        shuffle = shuffle_of(self.study, round_, row.key)
        return [
            Place(round=round_, unit=row, source_id=row.source_id, role=row.role, shuffle=shuffle)
        ]


def _orphan(entry: MaterialEntry, item: material.Item) -> _Orphan:
    return _Orphan(
        entry.where, item.key, item.perturbed_from, tuple(item.key for item in entry.items)
    )
