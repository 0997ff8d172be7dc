"""Accepting records: whether a record fits the study and those before it, before any of it is
written. A record is accepted whole or not at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q

from annotation.models import Item, Round, Source, Study, Unit
from files.errors import Contradiction, ImportFailure
from files.findings import Findings
from imports.material.questions import BuiltQuestion, OpenBlock, built_questions
from imports.material.records import MaterialEntry, UnitSpec
from tasktypes.texts import material

CONTROLS = frozenset(map(str, Unit.CONTROLS))


@dataclass(frozen=True)
class AcceptedUnit:
    """A unit that can be written. own_round: the round that a unit other than a control is kept
    for; control_round: the round that a control belongs to."""

    spec: UnitSpec
    questions: tuple[BuiltQuestion, ...]
    own_round: Round | None
    control_round: Round | None

    @property
    def meaning(self) -> tuple[Any, ...]:
        """What makes it another unit than one of the same key."""
        asked = {q.block.pk: (q.payload, q.reference) for q in self.questions}
        return str(self.spec.role), asked


@dataclass(frozen=True)
class AcceptedEntry:
    """A record that can be written; `new_items` are those that no earlier record held."""

    entry: MaterialEntry
    units: tuple[AcceptedUnit, ...]
    new_items: tuple[material.Item, ...]
    findings: Findings


class Acceptance:
    """The records of one group that were accepted, beside the rows that stand already."""

    def __init__(
        self,
        study: Study,
        blocks: Sequence[OpenBlock],
        sources: Mapping[str, Source],
        items: Mapping[str, Item],
        unit_keys: Iterable[str],
    ) -> None:
        self._study = study
        self._blocks = blocks
        self._source_rows, self._item_rows = sources, items
        self._sources: dict[str, material.Source] = {}
        # Item key to its source's key and the item, without what it was made from.
        self._items: dict[str, tuple[str, material.Item]] = {}
        self._units: dict[str, tuple[Any, ...]] = {}
        self._standing_units = frozenset(unit_keys)

    @cached_property
    def _rounds(self) -> dict[str, Round]:
        return {row.name: row for row in self._study.rounds.all()}

    def accept(self, entry: MaterialEntry, units: Iterable[UnitSpec]) -> AcceptedEntry:
        """The record; ImportFailure where it does not fit, Contradiction where one of its keys
        stands for something else already."""
        findings = Findings()
        if entry.findings is not None:
            findings.add(entry.findings)
        self._check_source(entry, findings)
        new_items = self._new_items(entry, findings)
        accepted = [self._unit(entry, spec) for spec in units]
        self._check_unit_keys(entry, accepted)
        self._sources.setdefault(entry.source.key, entry.source)
        self._items |= {item.key: (entry.source.key, item) for item in new_items}
        self._units |= {unit.spec.key: unit.meaning for unit in accepted}
        return AcceptedEntry(entry, tuple(accepted), tuple(new_items), findings)

    # --- Sources and items -----------------------------------------------------------------

    def _check_source(self, entry: MaterialEntry, findings: Findings) -> None:
        """A source may occur again with other items, but with the same content.

        Only the selected passages may differ from item to item: the row keeps the first
        selection, and every question shows that of its own record.
        """
        standing = self._standing_source(entry.source.key)
        if standing is None or entry.source == standing:
            return
        if _without_selection(entry.source) != _without_selection(standing):
            reason = f"duplicate: {standing.key!r} came before as something else"
            raise Contradiction(entry.where, "source.key", reason)
        if entry.items:
            findings.note("selected_passages_differ", entry.items[0].key)

    def _standing_source(self, key: str) -> material.Source | None:
        if key not in self._sources and key in self._source_rows:
            self._sources[key] = self._source_rows[key].material
        return self._sources.get(key)

    def _new_items(self, entry: MaterialEntry, findings: Findings) -> list[material.Item]:
        new: dict[str, material.Item] = {}
        for item in entry.items:
            standing = self._standing_item(item.key)
            if item.key in new:
                standing = entry.source.key, new[item.key]
            if standing is not None:
                _refuse_other_item(entry, item, standing)
                continue
            new[item.key] = item
            findings.look_at(entry.source, item)
        return list(new.values())

    def _standing_item(self, key: str) -> tuple[str, material.Item] | None:
        if key not in self._items and key in self._item_rows:
            row = self._item_rows[key]
            self._items[key] = row.source.key, row.material
        return self._items.get(key)

    # --- Units -----------------------------------------------------------------------------

    def _unit(self, entry: MaterialEntry, spec: UnitSpec) -> AcceptedUnit:
        questions = built_questions(entry.where, entry.source, spec, self._blocks)
        is_control = spec.role in CONTROLS
        if is_control and all(question.reference is None for question in questions):
            raise ImportFailure(entry.where, "unit.reference", "missing (a control needs one)")
        control_round = self._round(entry, spec) if is_control and self._rounds else None
        return AcceptedUnit(spec, tuple(questions), self._own_round(entry, spec), control_round)

    def _own_round(self, entry: MaterialEntry, spec: UnitSpec) -> Round | None:
        if spec.role in CONTROLS or not spec.round:
            return None
        if spec.role == Unit.Role.EXAMPLE:
            raise ImportFailure(entry.where, "unit.round", "an example belongs to no round")
        round_ = self._round(entry, spec)
        if (spec.role == Unit.Role.TRAINING) != round_.shows_answers:
            reason = f"{spec.round!r} has no place for {spec.role} units"
            raise ImportFailure(entry.where, "unit.round", reason)
        return round_

    def _round(self, entry: MaterialEntry, spec: UnitSpec) -> Round:
        names = ", ".join(self._rounds) or "none"
        if not spec.round and len(self._rounds) == 1:
            return next(iter(self._rounds.values()))
        if spec.round in self._rounds:
            return self._rounds[spec.round]
        reason = f"no such round: {spec.round!r}" if spec.round else "missing"
        raise ImportFailure(entry.where, "unit.round", f"{reason} (the study has: {names})")

    def _check_unit_keys(self, entry: MaterialEntry, units: Iterable[AcceptedUnit]) -> None:
        """A unit that comes again is no other unit: a record that repeats one can be skipped."""
        own: dict[str, tuple[Any, ...]] = {}
        for unit in units:
            key = unit.spec.key
            standing = own.get(key) or self._units.get(key) or self._standing_meaning(key)
            if standing is not None:
                kind = ImportFailure if standing == unit.meaning else Contradiction
                raise kind(entry.where, "unit.key", f"duplicate: {key!r}")
            own[key] = unit.meaning

    def _standing_meaning(self, key: str) -> tuple[Any, ...] | None:
        if key not in self._standing_units:
            return None
        unit = self._study.units.get(key=key)
        asked = {q.block_id: (q.payload, q.reference) for q in unit.questions.all()}
        return str(unit.role), asked


def _without_selection(source: material.Source) -> material.Source:
    plain = tuple(passage.model_copy(update={"selected": False}) for passage in source.passages)
    return source.model_copy(update={"passages": plain})


def _refuse_other_item(
    entry: MaterialEntry, item: material.Item, standing: tuple[str, material.Item]
) -> None:
    """An item may occur again with another unit, but with the same content."""
    source_key, other = standing
    same = source_key == entry.source.key and (
        _unlinked(other) == _unlinked(item)
        or (_is_old(other) and _unlined(other) == _unlined(item))
    )
    if not same:
        raise Contradiction(entry.where, "items.key", f"duplicate: {item.key!r}")
    if entry.units is None:
        raise ImportFailure(entry.where, "items.key", f"duplicate: {item.key!r}")


def _unlinked(item: material.Item) -> material.Item:
    return item.model_copy(update={"perturbed_from": ""})


def _is_old(item: material.Item) -> bool:
    """Whether nothing tells of lines between its sentences."""
    return all(sentence.before is None for sentence in item.sentences)


def _unlined(item: material.Item) -> tuple[str, dict[str, Any]]:
    """The words alone, and what groups them: items imported by earlier versions have no lines."""
    about = item.model_dump(exclude={"perturbed_from", "sentences"})
    return " ".join(item.text.split()), {**about, "cited": item.cited}


def refuse_shared_controls(study: Study) -> None:
    """Refuse a control whose source has other units: those who met one would know its answer."""
    # A generated control's source has normal units, too, but they are given to nobody.
    from_files = Q(units__check_state=Unit.Check.NOT_NEEDED)
    roles = Count(
        "units__role",
        filter=from_files & Q(units__role__in=[Unit.Role.NORMAL, *Unit.CONTROLS]),
        distinct=True,
    )
    shared = study.sources.annotate(roles=roles).filter(roles__gt=1).first()
    if shared is not None:
        raise ImportFailure(
            f"source {shared.key}", "unit.role", "a control's source has units of another role"
        )
