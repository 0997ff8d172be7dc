"""What is asked about files of any form beside how they are read: the files, a title, a kind."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.text import slugify

from annotation.models import Study
from set_up.imports.local_files import keep_local_file
from set_up.new_study.beginnings import beginning_choices

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

TITLE_HINT = "Workers see it."
SLUG_HINT = "Small letters, digits and hyphens. Left empty, it comes from the title."


class _SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or several files."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=_SeveralFiles(), **kwargs)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The files, each checked by itself; none is an empty list."""
        several = data if isinstance(data, list | tuple) else [data]
        cleaned = [super(FilesField, self).clean(file, initial) for file in several]
        return [file for file in cleaned if file]


class FilesForm(forms.Form):
    """The upload of files of any form, or one of those on the server (path, bytes). Its fields have
    ids of their own, beside those of other forms."""

    # The reader names the one that is empty.
    file = FilesField(label="Files", required=False, allow_empty_file=True)
    local = forms.ChoiceField(label="Or a file on the server", required=False)

    def __init__(
        self, local_files: Sequence[tuple[str, int]], data: Any = None, files: Any = None
    ) -> None:
        super().__init__(data, files, auto_id="files_%s")
        if not local_files:
            del self.fields["local"]
            return
        field = self.fields["local"]
        assert isinstance(field, forms.ChoiceField)
        sizes = ((name, f"{name} ({filesizeformat(size)})") for name, size in local_files)
        field.choices = [("", "–"), *sizes]

    def clean_file(self) -> "Sequence[UploadedFile[bytes]]":
        """Files of different names."""
        return unlike_names(self.cleaned_data["file"])

    def clean(self) -> dict[str, Any]:
        """Something to read."""
        data = super().clean() or {}
        if not data.get("file") and not data.get("local") and not self.errors:
            self.add_error("file", "This field is required.")
        return data

    @property
    def chosen(self) -> dict[str, str]:
        """The files by name, each with its token. ImportFailure where one on the server cannot be
        taken."""
        if files := self.cleaned_data["file"]:
            return {str(file.name): str(getattr(file, "digest", "")) for file in files}
        local = self.cleaned_data["local"]
        return {Path(local).name: keep_local_file(local)}


def unlike_names(files: "Sequence[UploadedFile[bytes]]") -> "Sequence[UploadedFile[bytes]]":
    """The files; ValidationError where two have one name."""
    if len({file.name for file in files}) < len(files):
        raise forms.ValidationError("Two files of one name: upload a ZIP file of the folder.")
    return files


class NamedForm(forms.Form):
    """What a study is called."""

    use_required_attribute = False
    title = forms.CharField(label="Title", max_length=200, help_text=TITLE_HINT)
    slug = forms.RegexField(
        label="Name in addresses",
        regex=r"^[a-z0-9][a-z0-9_-]*$",
        max_length=80,
        help_text=SLUG_HINT,
    )

    def clean_slug(self) -> str:
        """A name that no study has."""
        slug = str(self.cleaned_data["slug"])
        if Study.with_unfinished.filter(slug=slug).exists():
            raise forms.ValidationError("This is the name of another study.")
        return slug


class ResultsForm(NamedForm):
    """A study with the answers of its files."""

    keep_names = forms.BooleanField(
        label="Name people as in the files, not rater-1, rater-2, …", required=False
    )


class AskForm(forms.Form):
    """What is asked about the texts of files. asks: whether that is known, and may stay so."""

    kind = forms.ChoiceField(
        choices=beginning_choices, required=False, error_messages={"required": "Choose one."}
    )

    def __init__(self, *, asks: bool, data: Any = None) -> None:
        super().__init__(data)
        self.fields["kind"].required = not asks


def title_of(names: Sequence[str]) -> str:
    """A title that files suggest: the name of the only one, or how all begin."""
    stems = [Path(Path(name.partition("#")[0]).name.removesuffix(".gz")).stem for name in names]
    pairs = zip(min(stems), max(stems), strict=False)
    common = "".join(letter for letter, _other in takewhile(lambda pair: len({*pair}) == 1, pairs))
    words = " ".join((common if len(common) > 3 else stems[0]).replace("_", " ").split())
    return words.strip(" -")[:200]


def with_slug(data: Any) -> Any:
    """What was posted, with a name in addresses from the title where none was typed."""
    data = data.copy()
    if not data.get("slug", "").strip():
        data["slug"] = slugify(data.get("title", ""))[:80]
    return data
