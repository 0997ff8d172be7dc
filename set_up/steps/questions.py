"""The form of the questions: the options of every block of a study."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from set_up.steps.forms import KeysForm
from set_up.steps.model_fields import ModelFields
from tasktypes.contract import TaskType
from tasktypes.registry import task_type


@dataclass
class BlockFields:
    """The options of one block. options: as they stand, or as they were typed."""

    key: str
    kind: TaskType[Any, Any, Any]
    fields: ModelFields
    options: dict[str, Any]

    @property
    def has_errors_in_more(self) -> bool:
        """Whether the fields that few studies need are to stand open."""
        return any(part.has_errors for part in self.fields.group.sections.get("more", ()))


class QuestionsForm(KeysForm):
    """What is asked: a part for each block."""

    form = "questions"

    def draw(self) -> Iterator[ModelFields]:
        for number, record in enumerate(self.standing.get("blocks", ())):
            kind, at = task_type(record["task_type"]), f"b{number}"
            fields = ModelFields(self, kind.Options, record.get("options", {}), at=(at,))
            for part in fields.group.parts:
                is_first = part.name.removeprefix(f"{at}.") in kind.first_options
                part.section = "main" if is_first else "more"
            yield fields

    @property
    def blocks(self) -> list[BlockFields]:
        """The blocks with their fields."""
        if self.is_bound:
            self.is_valid()  # Cleans what was typed.
        named = zip(self.standing.get("blocks", ()), self.models, strict=True)
        kinds = [(record, task_type(record["task_type"]), fields) for record, fields in named]
        return [
            BlockFields(record.get("key") or kind.slug, kind, fields, fields.record)
            for record, kind, fields in kinds
        ]

    def cleaned_settings(self) -> dict[str, Any]:
        records = deepcopy(list(self.standing.get("blocks", ())))
        for record, fields in zip(records, self.models, strict=True):
            record["options"] = fields.model.model_validate(fields.record).model_dump(mode="json")
        return {"blocks": records}
