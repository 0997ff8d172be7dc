"""The form of the questions: the options of every block of a study."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import ValidationError

from desk.set_up.steps.forms import Keys, KeysForm
from desk.set_up.steps.options import COUNT, MOST_ROWS, Node, OptionsTree, place_errors, row_count
from imports.errors import ImportFailure
from tasktypes.contract import TaskType
from tasktypes.registry import task_type
from tasktypes.schemas import Schema


@dataclass
class BlockFields:
    """The options of one block. first: the fields that most studies need. errors: what is wrong
    with the block as a whole."""

    key: str
    kind: TaskType[Any, Any, Any]
    nodes: list[Node]
    options: dict[str, Any]
    errors: list[str] = field(default_factory=list)

    @property
    def first(self) -> list[Node]:
        names = self.kind.first_options
        return [node for node in self.nodes if node.name.partition(".")[2] in names]

    @property
    def more(self) -> list[Node]:
        """The other fields."""
        return [node for node in self.nodes if node not in self.first]

    @property
    def has_errors_in_more(self) -> bool:
        """Whether the other fields are to stand open."""
        return any(part.errors for node in self.more for part in node.walk())


class QuestionsForm(KeysForm):
    """What is asked: a part for each block."""

    names = ("blocks",)

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        typed = None if data is None else with_other_rows(data)
        super().__init__(standing, typed)
        records = standing.get("blocks", ())
        self.blocks = [_block(record, f"b{n}", typed) for n, record in enumerate(records)]

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        return {}

    def clean(self) -> dict[str, Any]:
        for number, block in enumerate(self.blocks):
            try:
                block.kind.Options.model_validate(block.options)
            except ValidationError as error:
                block.errors = place_errors(block.nodes, f"b{number}", error)
                self.add_error(None, forms.ValidationError("Please correct the marked fields."))
        return super().clean() or {}

    def typed_keys(self) -> dict[str, Any]:
        records = deepcopy(list(self.standing.get("blocks", ())))
        for record, block in zip(records, self.blocks, strict=True):
            record["options"] = self.options_of(block).model_dump(mode="json")
        return {"blocks": records}

    def options_of(self, block: BlockFields) -> Schema:
        """A block's options as typed; ValidationError where they do not fit."""
        options: Schema = block.kind.Options.model_validate(block.options)
        return options

    def place(self, failure: ImportFailure) -> None:
        self.add_error(None, f"{failure.field}: {failure.reason}")


def _block(record: Any, prefix: str, data: QueryDict | None) -> BlockFields:
    kind = task_type(record["task_type"])
    tree = OptionsTree(kind.Options, prefix)
    options = dict(record.get("options", {})) if data is None else tree.read(data)
    return BlockFields(
        key=record.get("key") or kind.slug, kind=kind, nodes=tree.nodes(options), options=options
    )


def with_other_rows(data: QueryDict) -> QueryDict:
    """What was posted, with a row more or less where a button asked for that: `add:PLACE` or
    `remove:PLACE.NUMBER`."""
    act, _colon, place = data.get("go", "").partition(":")
    if act == "add" and place:
        return _with_row(data, place)
    rows, _dot, number = place.rpartition(".")
    if act == "remove" and number.isdecimal() and int(number) < row_count(data, rows):
        return _without_row(data, rows, int(number))
    return data


def _with_row(data: QueryDict, rows: str) -> QueryDict:
    """One more row. What lies within the last one is repeated: most criteria of a study share their
    scale."""
    typed, count = data.copy(), row_count(data, rows)
    if count >= MOST_ROWS:
        return data
    last = f"{rows}.{count - 1}."
    for name, values in data.lists():
        if name.startswith(last) and "." in name.removeprefix(last):
            typed.setlist(f"{rows}.{count}.{name.removeprefix(last)}", values)
    typed[f"{rows}.{COUNT}"] = str(count + 1)
    return typed


def _without_row(data: QueryDict, rows: str, gone: int) -> QueryDict:
    typed = data.copy()
    typed.clear()
    for name, values in data.lists():
        if not name.startswith(f"{rows}."):
            typed.setlist(name, values)
            continue
        number, dot, rest = name.removeprefix(f"{rows}.").partition(".")
        if number == COUNT:
            typed[name] = str(row_count(data, rows) - 1)
        elif number.isdecimal() and int(number) != gone:
            moved = int(number) - (int(number) > gone)
            typed.setlist(f"{rows}.{moved}{dot}{rest}", values)
    return typed
