"""What all forms of the set-up share: they show keys of a study's file, and change them."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from pydantic import BaseModel, create_model

from files.errors import ImportFailure
from imports.study_file.parts import StudyFilePart
from imports.study_file.study_fields import StudyFields, keys_of
from set_up.steps.model_fields import DrawnForm, FormPart, ModelFields, Path
from set_up.study_files.keys import version_of_keys

Keys = Mapping[str, Any]
VERSION = "version"


@cache
def part_of_file(names: tuple[str, ...]) -> type[BaseModel]:
    """The schema of these keys of a study file, each with what it means."""
    fields = {name: (info.annotation, info) for name, info in StudyFields.model_fields.items()}
    part = {name: fields[name] for name in names}
    made: type[BaseModel] = create_model("Keys", __base__=StudyFilePart, **part)  # type: ignore[call-overload]
    return made


class KeysForm(DrawnForm):
    """A form over the keys that the table of a study's fields gives it, drawn from their schema.
    standing: all keys as they are now."""

    # As the table of fields has it.
    form: ClassVar[str]
    # Begins the posted names.
    at: ClassVar[Path] = ("k",)
    inlines: ClassVar[bool] = False
    # Without an id, since a page may hold several forms.
    version = forms.CharField(widget=forms.HiddenInput({"id": False}), required=False)

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        self.standing, self.names = standing, keys_of(self.form)
        self.standing_version = version_of_keys(standing, self.names)
        initial = {VERSION: self.standing_version}
        super().__init__(None if data is None else data.copy(), initial=initial)
        self.models = list(self.draw())

    def draw(self) -> Iterable[ModelFields]:
        """The fields of each model that it is about."""
        shown, model = self.suggested(self.standing), part_of_file(self.names)
        yield ModelFields(self, model, shown, at=self.at, inlines=self.inlines)

    def suggested(self, standing: Keys) -> Keys:
        """The keys as the form shows them at first."""
        return standing

    @property
    def group(self) -> FormPart:
        """All fields of its model."""
        return self.models[0].group

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record that was typed, as the study file has it."""
        return record

    def clean(self) -> dict[str, Any]:
        failed = {*self.errors}
        for fields in self.models:
            for name, text in fields.complaints(self.completed(fields.record)):
                if name not in failed:
                    self.add_error(name, text)
        return super().clean() or {}

    def cleaned_settings(self) -> dict[str, Any]:
        """The keys with what was typed; only after `is_valid()`."""
        (fields,) = self.models
        typed = fields.model.model_validate(self.completed(fields.record))
        return typed.model_dump(mode="json", by_alias=True)

    def place(self, failure: ImportFailure) -> None:
        """Say what the study file's rules refused, beside its field where there is one."""
        path = tuple(re.findall(r"[^.\[\]]+", failure.field))
        names = filter(None, (fields.nearest(path) for fields in self.models))
        if name := next(names, None):
            self.add_error(name, failure.reason)
        else:
            self.add_error(None, f"{failure.field}: {failure.reason}")

    def take_version(self, version: str) -> None:
        """Let the next attempt be made over what others have saved meanwhile."""
        assert isinstance(self.data, QueryDict)
        self.data[VERSION] = version


class PlainForm(KeysForm):
    """Posted names are those of single keys; a group is drawn as its fields."""

    at, inlines = (), True

    def name_of(self, *path: str) -> str:
        return "".join(path[-1:])


def mapping(keys: Keys, name: str) -> dict[str, Any]:
    """A key that holds a mapping; empty where it is absent or something else."""
    value = keys.get(name)
    return dict(value) if isinstance(value, Mapping) else {}
