"""Forms that the schema of the study file draws by itself: keys that few studies need."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import BaseModel, ValidationError, create_model

from desk.set_up.steps.forms import Keys, KeysForm
from desk.set_up.steps.options import COUNT, Node, OptionsTree, place_errors
from desk.set_up.steps.questions import with_other_rows
from imports.errors import ImportFailure
from imports.study_file.doors import StudyField
from imports.study_file.parts import Part
from imports.study_file.study_fields import StudyFields, keys_of, study_fields

PREFIX = "k"


@cache
def part_of_file(names: tuple[str, ...]) -> type[BaseModel]:
    """The schema of these keys of a study file, each with what it means."""
    fields = {name: (info.annotation, info) for name, info in StudyFields.model_fields.items()}
    part = {name: fields[name] for name in names}
    made: type[BaseModel] = create_model("Keys", __base__=Part, **part)  # type: ignore[call-overload]
    return made


class SchemaForm(KeysForm):
    """A form over some keys, drawn from the table of a study's fields."""

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        typed = None if data is None else with_other_rows(data)
        super().__init__(standing, typed)
        self.model = part_of_file(self.names)
        self._tree = OptionsTree(self.model, PREFIX)
        self.record = standing if typed is None else self._tree.read(typed)
        self.nodes = self._tree.nodes(self.record)
        for node in self.nodes:
            field = _field_of(node)
            node.label = field.label or node.label
            node.hint = node.hint if field.hint is None else field.hint
            if field.choices:
                node.kind, node.choices = "choice", field.choices

    @property
    def first(self) -> list[Node]:
        """The fields that stand open."""
        return [node for node in self.nodes if not _field_of(node).folded]

    @property
    def more(self) -> list[Node]:
        """The fields of the fold."""
        return [node for node in self.nodes if node not in self.first]

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        return {}

    def offer(self, name: str, values: Iterable[str]) -> None:
        """Say below a field which values there are."""
        node = next(node for node in self.nodes if node.name == f"{PREFIX}.{name}")
        node.hint += f". There are: {', '.join(values) or 'none'}"

    def clean(self) -> dict[str, Any]:
        try:
            self.model.model_validate(self._wanted())
        except ValidationError as error:
            for text in place_errors(self.nodes, PREFIX, error):
                self.add_error(None, text)
            self.add_error(None, forms.ValidationError("Please correct the marked fields."))
        return super().clean() or {}

    def typed_keys(self) -> dict[str, Any]:
        return self.model.model_validate(self._wanted()).model_dump(mode="json", by_alias=True)

    def _wanted(self) -> dict[str, Any]:
        """What was typed; a key that was left alone is as it stands, since a field may show it in
        other words than the file has, such as a tip of several lines."""
        shown = self._tree.read(posted_by(self._tree.nodes(self.standing)))
        wanted = {name: self.record.get(name) for name in self.names}
        for name, value in shown.items():
            if wanted[name] == value:
                wanted[name] = self.standing.get(name)
        # None is what a key that is left out has, except where its schema says so.
        return {name: value for name, value in wanted.items() if value is not None}

    def place(self, failure: ImportFailure) -> None:
        self.add_error(None, f"{failure.field}: {failure.reason}")


def _field_of(node: Node) -> StudyField:
    return study_fields()[node.name.partition(".")[2]]


def posted_by(nodes: Iterable[Node]) -> QueryDict:
    """What a browser would post of these fields as they stand."""
    data = QueryDict(mutable=True)
    for node in (inner for top in nodes for inner in top.walk()):
        if node.kind == "rows":
            data[f"{node.name}.{COUNT}"] = str(len(node.parts))
        elif node.kind == "choices":
            data.setlist(node.name, list(node.value))
        elif node.kind == "check":
            if node.value:
                data[node.name] = "on"
        elif node.kind != "group":
            data[node.name] = "" if node.value is None else str(node.value)
    return data


class IntroductionForm(SchemaForm):
    """What people are told and asked before and beside their work."""

    names = keys_of("introduction")


class MethodForm(SchemaForm):
    """What of the data is asked about, and what the results are to say."""

    names = keys_of("method")
