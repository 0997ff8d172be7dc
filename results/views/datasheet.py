"""The datasheet of a study: the sheet to read and print, its parts to edit, and a file."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Role, account, get_study, may
from annotation.models import Study
from annotation.views.downloads import as_download
from estimates.report.newest import newest_report
from results.paper.datasheet.answers import SheetAnswer
from results.paper.datasheet.sheet import (
    Outdated,
    Sheet,
    SheetEntry,
    SheetPart,
    sheet_of,
    write_answers,
)
from results.views.dashboard import still_counting


@login_required
@require_GET
def datasheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole sheet, with whose each answer is."""
    study = get_study(request.user, slug)
    sheet = _sheet(study)
    if sheet is None:
        return still_counting(request, study)
    may_edit = may(request.user, study, Role.EDITOR)
    shown = {"study": study, "sheet": sheet, "may_edit": may_edit, "here": "paper"}
    return render(request, "results/datasheet.html", shown)


@login_required
@require_GET
def datasheet_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet as JSON."""
    sheet = _sheet(get_study(request.user, slug))
    if sheet is None:
        raise Http404("Nothing has been counted yet.")
    answer = JsonResponse(sheet.as_json(), json_dumps_params={"indent": 1, "ensure_ascii": False})
    return as_download(answer, f"{slug}-heds.json")


@login_required
@require_http_methods(["GET", "POST"])
def datasheet_part(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The questions of one part, to be answered."""
    study = get_study(request.user, slug, Role.EDITOR)
    sheet = _sheet(study)
    if sheet is None:
        return still_counting(request, study)
    part = next((part for part in sheet.parts if part.key == key), None)
    if part is None:
        raise Http404("No such part.")
    form = PartForm(
        request.POST if request.method == "POST" else None, part=part, edition=sheet.edition
    )
    if request.method == "POST" and form.is_valid():
        try:
            write_answers(study=study, part=part, by=account(request), **form.written)
        except Outdated:
            form.add_error(None, _("Somebody else has changed the sheet. Compare, and save again."))
            form.take_edition(sheet.edition)
        else:
            messages.success(request, _("Saved."))
            return redirect("results:datasheet", slug)
    shown = {"study": study, "sheet": sheet, "part": part, "form": form, "here": "paper"}
    return render(request, "results/datasheet_part.html", shown, status=422 if form.errors else 200)


def _sheet(study: Study) -> Sheet | None:
    report = newest_report(study)
    return None if report is None else sheet_of(report)


class PartForm(forms.Form):
    """A field of text for each question of a part, and one of choices where it has options."""

    edition = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, part: SheetPart, edition: int) -> None:
        super().__init__(data, initial={"edition": edition})
        self.part = part
        for entry in part.entries:
            if entry.question.options:
                self.fields[f"chosen-{entry.key}"] = _choices(entry)
            self.fields[f"text-{entry.key}"] = _text(entry)

    @property
    def written(self) -> dict[str, Any]:
        """The answers and the edition that they were written upon."""
        answers = {
            entry.key: SheetAnswer(
                self.cleaned_data[f"text-{entry.key}"].strip(), self._chosen(entry)
            )
            for entry in self.part.entries
        }
        return {"answers": answers, "edition": self.cleaned_data["edition"]}

    def take_edition(self, edition: int) -> None:
        """Let the next save rest on that edition."""
        assert isinstance(self.data, QueryDict)
        data = self.data.copy()
        data["edition"] = str(edition)
        self.data = data

    def questions(self) -> list[tuple[SheetEntry, Any, Any]]:
        """Each question with its fields."""
        return [
            (
                entry,
                self[f"chosen-{entry.key}"] if entry.question.options else None,
                self[f"text-{entry.key}"],
            )
            for entry in self.part.entries
        ]

    def _chosen(self, entry: SheetEntry) -> tuple[str, ...]:
        chosen = self.cleaned_data.get(f"chosen-{entry.key}") or ()
        return (chosen,) if isinstance(chosen, str) else tuple(chosen)


def _choices(entry: SheetEntry) -> forms.Field:
    options = [(option, option) for option in entry.question.options]
    chosen = entry.answer.chosen
    if entry.question.several:
        return forms.MultipleChoiceField(
            choices=options,
            required=False,
            initial=list(chosen),
            label=_("Answers"),
            widget=forms.CheckboxSelectMultiple,
        )
    return forms.ChoiceField(
        choices=[("", _("not answered")), *options],
        required=False,
        initial=next(iter(chosen), ""),
        label=_("Answer"),
    )


def _text(entry: SheetEntry) -> forms.Field:
    rows = 2 if entry.question.options or len(entry.answer.text) < 150 else 6
    label = _("Details") if entry.question.options else _("Answer")
    return forms.CharField(
        required=False,
        initial=entry.answer.text,
        label=label,
        widget=forms.Textarea(attrs={"rows": rows}),
        max_length=20_000,
    )
