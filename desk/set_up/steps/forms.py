"""What all forms of the set-up share: they show keys of a study's file, and change them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from desk.set_up.study_files.keys import version_of_keys
from imports.errors import ImportFailure

Keys = Mapping[str, Any]
VERSION = "version"


class KeysForm(forms.Form):
    """A form over some keys of a study's file. standing: all keys as they are now."""

    use_required_attribute = False
    # The keys that it changes.
    names: ClassVar[tuple[str, ...]]
    # Without an id, since a page may hold several forms.
    version = forms.CharField(widget=forms.HiddenInput({"id": False}), required=False)

    def __init__(self, standing: Keys, data: Any = None) -> None:
        self.standing = standing
        self.standing_version = version_of_keys(standing, self.names)
        initial = self.typed_before(standing) | {VERSION: self.standing_version}
        super().__init__(data, initial=initial)

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        """The fields as the keys have them."""
        return {name: standing.get(name) for name in self.names}

    def typed_keys(self) -> dict[str, Any]:
        """The keys with what was typed; only after `is_valid()`."""
        return {name: self.cleaned_data[name] for name in self.names}

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields that are to be seen."""
        return self.visible_fields()

    def place(self, failure: ImportFailure) -> None:
        """Say what the study file's rules refused, beside its field where there is one."""
        name = self.field_of(failure.field)
        if name in self.fields:
            self.add_error(name, failure.reason)
        else:
            self.add_error(None, f"{failure.field}: {failure.reason}")

    def field_of(self, path: str) -> str:
        """The name of the field for a path in the study file, such as `ethics.board`."""
        return path.rpartition(".")[2]

    def take_version(self, version: str) -> None:
        """Let the next attempt be made over what others have saved meanwhile."""
        assert isinstance(self.data, QueryDict)
        data = self.data.copy()
        data[self.add_prefix(VERSION)] = version
        self.data = data


def mapping(keys: Keys, name: str) -> dict[str, Any]:
    """A key that holds a mapping; empty where it is absent or something else."""
    value = keys.get(name)
    return dict(value) if isinstance(value, Mapping) else {}
