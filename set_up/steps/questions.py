"""The form of the questions: the options of every block of a study."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from django.forms.utils import ErrorDict
from django.utils.text import slugify

from set_up.steps.forms import Keys, KeysForm
from set_up.steps.model_fields import FormPart, ModelFields
from tasktypes.contract import TaskType
from tasktypes.pages.point_lines import points_in
from tasktypes.registry import task_type

# What a criterion that is added takes from the last one.
_SCALE = ("points", "distance", "tolerance")


@dataclass
class BlockFields:
    """The options of one block. options: as they stand, or as they were typed."""

    key: str
    kind: TaskType[Any, Any, Any]
    fields: ModelFields
    options: dict[str, Any]


class QuestionsForm(KeysForm):
    """What is asked: a part for each block."""

    form = "questions"

    def draw(self) -> Iterator[ModelFields]:
        for number, record in enumerate(self.standing.get("blocks", ())):
            kind, at = task_type(record["task_type"]), f"b{number}"
            fields = ModelFields(self, kind.Options, record.get("options", {}), at=(at,))
            for part in fields.group.parts:
                _place(part, at, kind.first_options)
            yield fields

    def full_clean(self) -> None:
        """Nothing is said of what is not filled in yet while rows are added and removed."""
        super().full_clean()
        if self.data.get("go", "").startswith(("add:", "remove:")):
            self._errors = ErrorDict()

    def new_row(self, rows: Sequence[Keys]) -> dict[str, Any]:
        """With the scale of the last one: most criteria of a study share it."""
        last = rows[-1] if rows else {}
        return {key: last[key] for key in _SCALE if key in last}

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        """With a key for each criterion that has a name alone, and the distance that goes with its
        points."""
        rows = record.get("criteria")
        criteria: list[dict[str, Any]] = rows if isinstance(rows, list) else []
        taken = {criterion.get("key") for criterion in criteria}
        for number, criterion in enumerate(criteria, start=1):
            if not criterion.get("key"):
                criterion["key"] = _free_key(str(criterion.get("title") or ""), number, taken)
            if isinstance(criterion.get("points"), str):
                _fit_distance(criterion)
        return record

    @property
    def blocks(self) -> list[BlockFields]:
        """The blocks with their fields."""
        if self.is_bound:
            self.is_valid()  # Cleans what was typed.
        named = zip(self.standing.get("blocks", ()), self.models, strict=True)
        kinds = [(record, task_type(record["task_type"]), fields) for record, fields in named]
        return [
            BlockFields(record.get("key") or kind.slug, kind, fields, self.completed(fields.record))
            for record, kind, fields in kinds
        ]

    def cleaned_settings(self) -> dict[str, Any]:
        records = deepcopy(list(self.standing.get("blocks", ())))
        for record, fields in zip(records, self.models, strict=True):
            options = fields.model.model_validate(self.completed(fields.record))
            record["options"] = options.model_dump(mode="json")
        return {"blocks": records}


def _place(part: FormPart, at: str, first: Sequence[str]) -> None:
    """Put the parts that the task type names first into the section that stands open."""
    path = part.name.removeprefix(f"{at}.").split(".")
    name = ".".join(key for key in path if not key.isdecimal())
    part.section = "main" if name in first else "more"
    part.place = first.index(name) if name in first else len(first)
    for inner in part.parts:
        _place(inner, at, first)
    part.parts.sort(key=lambda one: one.place)


def _free_key(title: str, number: int, taken: set[Any]) -> str:
    """A key for a criterion of that name that no other has; taken from now on."""
    words = slugify(title).replace("-", "_").strip("_0123456789")[:40] or f"criterion_{number}"
    keys = chain([words], (f"{words}_{n}" for n in count(2)))
    key = next(key for key in keys if key not in taken)
    taken.add(key)
    return key


def _fit_distance(criterion: dict[str, Any]) -> None:
    """Names are nominal, and numbers are not, whatever was chosen for the points before."""
    try:
        are_names = isinstance(points_in(criterion["points"])[0]["value"], str)
    except ValueError:
        return  # said beside the points
    if are_names or criterion.get("distance") == "nominal":
        criterion["distance"] = "nominal" if are_names else "ordinal"
