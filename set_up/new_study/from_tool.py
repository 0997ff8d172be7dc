"""New study from files of another tool: upload them, name the study, and let it be made."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import account
from files.errors import ImportFailure
from imports.formats.contract import Format
from set_up.imports.hub.addresses import dataset_address
from set_up.imports.hub.downloads import reads_hub
from set_up.imports.jobs import ask_for_tool_import
from set_up.imports.tool_files import (
    ADDRESS,
    CHAINS,
    COLUMNS,
    CONFIG,
    FILES,
    SPLIT,
    ZIP,
    remove_files,
    upload_key,
)
from set_up.imports.tool_studies import KEEP_NAMES, TASK_TYPE, TEXT, offered_format
from set_up.models import ImportJob
from set_up.new_study.file_forms import FilesField, NamedForm, unlike_names, with_slug
from set_up.new_study.upload_limit import refusal, refused_status
from set_up.new_study.views import need_permission
from tasktypes.registry import TASK_TYPES


class FromToolForm(NamedForm):
    """The files of a tool, and what the study is called."""

    file = FilesField(label="Files", required=False)
    address = forms.CharField(
        label="Or a dataset on the Hugging Face Hub",
        help_text="hf://datasets/OWNER/NAME, with @REVISION for another than the newest. Private "
        "ones can be read by superusers.",
        max_length=300,
        required=False,
    )
    config = forms.CharField(
        label="Its configuration",
        help_text="Left empty, the default one.",
        max_length=200,
        required=False,
    )
    split = forms.CharField(
        label="Its split",
        help_text="Such as test, or train+test. Left empty, the only one.",
        max_length=200,
        required=False,
    )
    columns = forms.FileField(
        label="Map of columns", help_text="YAML, if the columns have other names.", required=False
    )
    chains = forms.FileField(label="File of human evidence chains", required=False)
    task_type = forms.ChoiceField(
        label="What is asked about each row",
        choices=[("", "as the files say"), *((kind.slug, kind.title) for kind in TASK_TYPES)],
        help_text="For rows without answers, together with a map of columns.",
        required=False,
    )
    text = forms.CharField(
        label="Field with the outputs",
        help_text="Left empty, the one whose name tells it.",
        max_length=200,
        required=False,
    )
    keep_names = forms.BooleanField(
        label="Name people as in the files, not rater-1, rater-2, …", required=False
    )
    skip = forms.BooleanField(
        label="Leave out records that do not fit, and import the rest", required=False
    )

    def __init__(self, kind: type[Format], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in (COLUMNS, CHAINS, TASK_TYPE, TEXT):
            if name not in kind.options:
                del self.fields[name]
        if not kind.names_accounts:
            del self.fields[KEEP_NAMES]
        if not reads_hub(kind):
            for name in (ADDRESS, CONFIG, SPLIT):
                del self.fields[name]
        self.fields["file"].help_text = kind.taken.files.replace("`", "") + "."
        accepted = ",".join((*kind.taken.suffixes, ZIP))
        self.fields["file"].widget.attrs["accept"] = accepted

    def clean_file(self) -> "Sequence[UploadedFile[bytes]]":
        """Files of different names."""
        return unlike_names(self.cleaned_data["file"])

    def clean_address(self) -> str:
        """An address of a dataset, or nothing."""
        address = str(self.cleaned_data[ADDRESS]).strip()
        try:
            return str(dataset_address(address)) if address else ""
        except ImportFailure as failure:
            raise forms.ValidationError(f"{failure.reason}.") from failure

    def clean(self) -> dict[str, Any]:
        """Either files or an address."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors.keys() & {"file", ADDRESS}:
            return cleaned
        files, address = cleaned["file"], cleaned.get(ADDRESS)
        if not files and not address:
            self.add_error("file", "This field is required.")
        if files and address:
            self.add_error(ADDRESS, "Give files or an address, not both.")
        return cleaned

    @property
    def switches(self) -> list[forms.BoundField]:
        """The boxes to tick."""
        return [self[name] for name in (KEEP_NAMES, "skip") if name in self.fields]

    @property
    def keys(self) -> dict[str, Any]:
        """What an import keeps of the form."""
        names = ("title", "slug", TASK_TYPE, TEXT, KEEP_NAMES, ADDRESS, CONFIG, SPLIT)
        return {name: self.cleaned_data[name] for name in names if name in self.fields}


@login_required
@require_http_methods(["GET", "POST"])
def from_tool(request: HttpRequest, format_name: str) -> HttpResponse:
    """Take the files of a tool and make a study of them; its import says what became of it."""
    need_permission(request)
    kind = offered_format(format_name)
    if kind is None:
        raise Http404("No such tool.")
    files = uploads_of(request)
    if status := refused_status(request):
        remove_files(files.values())
        return refusal(request, status)
    if request.method == "POST":
        form = FromToolForm(kind, with_slug(request.POST), request.FILES)
        job = _asked(request, format_name, form, files)
        if job is not None:
            return redirect("desk:import", job.pk)
    else:
        form = FromToolForm(kind, initial={"skip": True, **_asked_before(request, format_name)})
    context = {"form": form, "taken": kind.taken, "limit": settings.UPLOAD_MIB}
    status = 422 if form.errors else 200
    return render(request, "desk/new_study/from_tool.html", context, status=status)


def uploads_of(request: HttpRequest) -> dict[str, str]:
    """What was uploaded, as an import names it. Two files of one name are told apart, so that both
    are removed."""
    uploads: dict[str, str] = {}
    for role, field in ((FILES, "file"), (COLUMNS, COLUMNS), (CHAINS, CHAINS)):
        for number, file in enumerate(request.FILES.getlist(field)):
            key = upload_key(role, str(file.name))
            key = f"{key} {number}" if key in uploads else key
            uploads[key] = str(getattr(file, "digest", ""))
    return uploads


def _asked(
    request: HttpRequest, format_name: str, form: FromToolForm, files: Mapping[str, str]
) -> ImportJob | None:
    """The import that is asked for; None where something does not fit, and the files are gone."""
    if form.is_valid():
        try:
            return ask_for_tool_import(
                format_name=format_name,
                files=files,
                keys=form.keys,
                strict=not form.cleaned_data["skip"],
                by=account(request),
            )
        except ImportFailure as failure:
            form.add_error("file", str(failure))
    remove_files(files.values())
    return None


def _asked_before(request: HttpRequest, format_name: str) -> Mapping[str, Any]:
    """What was typed for an import that has failed."""
    again = request.GET.get("again", "")
    jobs = ImportJob.objects.filter(owner=account(request), parameters__format_name=format_name)
    job = jobs.filter(pk=int(again)).first() if again.isdecimal() and len(again) < 18 else None
    return {} if job is None else {**job.keys, "skip": job.skip_unusable}
