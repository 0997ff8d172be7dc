"""Questions from material: the payload and reference of each block for a unit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Block, Study
from annotation.models.preparation import with_lists
from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.blocks import BlockPart
from tasktypes.contract import TaskType
from tasktypes.pages.candidates import text_of
from tasktypes.plans import UnitPlan
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Sentence, Source, is_known

# Findings: entries of which no unit is made, and units that would show one text beside itself.
WITHOUT_UNIT, BESIDE_ITSELF = "records_without_a_unit", "pairs_of_the_same_text_left_out"


@dataclass(frozen=True)
class OpenBlock:
    """A block with its task type and parsed options, read once for thousands of units."""

    row: Block
    task_type: TaskType[Any, Any, Any]
    options: Schema

    @classmethod
    def of(cls, row: Block) -> "OpenBlock":
        return cls(row, row.task_type, row.typed_options)

    def __reduce__(self) -> tuple[Any, tuple[Block]]:
        return OpenBlock.of, (self.row,)

    def awaits_list(self, unit: UnitSpec) -> bool:
        """Whether the block cannot ask about the unit before a list is prepared for it."""
        return self.task_type.awaits_list(unit.items, unit.focus, self.options)


@dataclass(frozen=True)
class BuiltQuestion:
    """What a Question row will hold."""

    block: Block
    payload: Any
    reference: Any


def open_blocks(study: Study) -> tuple[OpenBlock, ...]:
    """The blocks of a study, in order."""
    return tuple(OpenBlock.of(row) for row in study.blocks.order_by("position"))


def described_blocks(parts: Iterable[BlockPart]) -> tuple[OpenBlock, ...]:
    """Blocks before their study stands, to see what they make of outputs."""
    rows = (
        Block(task_type_slug=part.task_type, options=part.full_options, key=part.key or str(n))
        for n, part in enumerate(parts)
    )
    return tuple(map(OpenBlock.of, rows))


def shown_together(block: OpenBlock, *, seed: int = 0) -> set[int]:
    """How many of three outputs of a source a unit shows, where it shows several."""
    items = tuple(Item(key=key, sentences=(Sentence(text=key),)) for key in "abc")
    source = Source(key="s", document="s")
    plans = block.task_type.plan(source, items, block.options, seed=seed)
    return {len(plan.items) for plan in plans} - {1}


def planned_units(
    entry: MaterialEntry,
    blocks: Sequence[OpenBlock],
    *,
    seed: int,
    accepted: Mapping[str, Any] | None = None,
    findings: Findings | None = None,
) -> tuple[UnitSpec, ...]:
    """The units that the first block proposes for an entry that names none, without those for
    which a list has to be prepared first, and those that show one text beside itself. accepted:
    what accepted lists add to their focus. findings: is told where no unit is made."""
    first, findings = blocks[0], findings or Findings()
    plans = (
        tuple(first.task_type.plan(entry.source, entry.items, first.options, seed=seed))
        if entry.items
        else ()  # nothing is written about the source yet
    )
    if not plans:
        findings.note(WITHOUT_UNIT, _in_its_file(entry.where))
    for plan in filter(_is_beside_itself, plans):
        place = f"{_in_its_file(entry.where)} ({_planned_key(entry.source, plan)})"
        findings.note(BESIDE_ITSELF, place)
    units = (
        UnitSpec(
            key=_planned_key(entry.source, plan),
            items=plan.items,
            subsets=plan.subsets,
            focus=with_lists(plan.focus, accepted or {}),
        )
        for plan in plans
        if not _is_beside_itself(plan)
    )
    return tuple(unit for unit in units if not any(block.awaits_list(unit) for block in blocks))


def _in_its_file(where: str) -> str:
    """The place without the folder that the file lies in."""
    folder = f"{where.file.parent}/" if isinstance(where, RecordPlace) else ""
    return where.removeprefix(folder)


def _is_beside_itself(plan: UnitPlan) -> bool:
    """Whether there is nothing to compare but one text."""
    texts = {text_of(item) for item in plan.items}
    return len(plan.items) > 1 and len(texts) == 1 and is_known(texts.pop())


def _planned_key(source: Source, plan: UnitPlan) -> str:
    about = plan.items[0] if len(plan.items) == 1 else source
    return f"{about.key}/{plan.suffix}" if plan.suffix else about.key


def built_questions(
    where: str, source: Source, unit: UnitSpec, blocks: Sequence[OpenBlock]
) -> list[BuiltQuestion]:
    """One question per block; ImportFailure where a block cannot ask about the unit."""
    payloads = _by_block(unit.payload, blocks)
    references = _by_block(unit.reference, blocks)
    questions = [
        _Builder(where, source, unit, block).question(
            payloads.get(block.row.key, ()), references.get(block.row.key, ())
        )
        for block in blocks
    ]
    if unit.part_reasons:
        _check_parts(where, unit, blocks, questions)
    return questions


def _check_parts(
    where: str, unit: UnitSpec, blocks: Sequence[OpenBlock], questions: Sequence[BuiltQuestion]
) -> None:
    """ImportFailure where a reason is given for a part that no right answer has."""
    parts = {
        part
        for block, question in zip(blocks, questions, strict=True)
        if question.reference is not None
        for part in _parts(block.task_type, question)
    }
    for part in unit.part_reasons:
        if part not in parts:
            listed = ", ".join(sorted(parts)) or "none"
            problem = f"there is no part {part!r} of a right answer (there are: {listed})"
            raise ImportFailure(where, "unit.part_reasons", problem)


def _parts(task_type: TaskType[Any, Any, Any], question: BuiltQuestion) -> list[str]:
    payload = task_type.Payload.model_validate(question.payload)
    right = task_type.Answer.model_validate(question.reference)
    return [compared.part for compared in task_type.compared(payload, right, right)]


def _by_block(
    verbatim: tuple[Any, ...], blocks: Sequence[OpenBlock]
) -> Mapping[str, tuple[Any, ...]]:
    """Verbatim values by block: {block key: value} with several blocks, else of the first."""
    if not verbatim:
        return {}
    (value,) = verbatim
    keys = {block.row.key for block in blocks}
    if len(blocks) > 1 and isinstance(value, dict) and value and value.keys() <= keys:
        return {key: (block_value,) for key, block_value in value.items()}
    return {blocks[0].row.key: (value,)}


@dataclass(frozen=True)
class _Builder:
    where: str
    source: Source
    unit: UnitSpec
    block: OpenBlock

    def question(
        self, payload_value: tuple[Any, ...], reference_value: tuple[Any, ...]
    ) -> BuiltQuestion:
        payload = self._payload(payload_value)
        if reference_value:
            reference = self._verbatim_reference(reference_value[0])
        elif payload_value:
            reference = None  # one derived from the material need not fit a payload of its own
        else:
            reference = self._derived_reference()
        self._check(payload, reference)
        return BuiltQuestion(self.block.row, _json(payload), _json(reference))

    def _payload(self, verbatim: tuple[Any, ...]) -> Schema:
        task_type = self.block.task_type
        if not verbatim:
            payload: Schema = self._from_material(task_type.payload)
            return payload
        return self._read(task_type.Payload, verbatim[0], "unit.payload")

    def _verbatim_reference(self, value: Any) -> Schema | None:
        if value is None:
            return None
        return self._read(self.block.task_type.Answer, value, "unit.reference")

    def _derived_reference(self) -> Schema | None:
        reference: Schema | None = self._from_material(self.block.task_type.reference)
        return reference

    def _from_material(self, make: Any) -> Any:
        try:
            return make(self.source, self.unit.items, self.unit.focus, self.block.options)
        except ValueError as error:
            raise ImportFailure.of(self.where, error, within=f"unit {self.unit.key}") from error

    def _read(self, schema: type[Schema], value: Any, field: str) -> Schema:
        try:
            return schema.model_validate(value)
        except ValueError as error:
            raise ImportFailure.of(self.where, error, within=field) from error

    def _check(self, payload: Schema, reference: Schema | None) -> None:
        if reference is None:
            return
        try:
            self.block.task_type.check(payload, reference)
        except ValueError as error:
            raise ImportFailure.of(self.where, error, within="unit.reference") from error


def _json(value: Schema | None) -> Any:
    return None if value is None else value.model_dump(mode="json")
