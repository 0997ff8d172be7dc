"""What is asked about files of any form beside how they are read: the files, a title, a kind."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import slugify

from annotation.models import Study
from set_up.new_study.forms import described_kinds

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
    """The upload of files of any form. Its fields have ids of their own, beside those of other
    forms."""

    file = FilesField(label="Files")

    def clean_file(self) -> "Sequence[UploadedFile[bytes]]":
        """Files of different names."""
        return unlike_names(self.cleaned_data["file"])


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
    """What is asked about the texts of files."""

    kind = forms.ChoiceField(
        label="Kind of question", choices=described_kinds(), widget=forms.RadioSelect
    )


def title_of(names: Sequence[str]) -> str:
    """A title that files suggest: the name of the only one, or how all begin."""
    stems = [Path(name).name.partition(".")[0] for name in names]
    common = stems[0]
    while common and not all(stem.startswith(common) for stem in stems):
        common = common[:-1]
    words = " ".join((common if len(common) > 3 else stems[0]).replace("_", " ").split())
    return words.strip(" -")[:200]


def with_slug(data: Any) -> Any:
    """What was posted, with a name in addresses from the title where none was typed."""
    data = data.copy()
    if not data.get("slug", "").strip():
        data["slug"] = slugify(data.get("title", ""))[:80]
    return data
