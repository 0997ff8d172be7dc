"""The file of a study: to download, and to edit with a look at what changes first."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Role, get_study
from annotation.importing.errors import ImportFailure
from annotation.importing.study_file.writing import study_yaml
from annotation.models import Study
from desk.study_files.application import (
    Edited,
    JustChanged,
    difference,
    edit_study,
    version_of,
)


class StudyFileForm(forms.Form):
    """The text of a study file, and which version it was made from."""

    text = forms.CharField(
        label="Study file",
        widget=forms.Textarea(attrs={"rows": 30, "spellcheck": "false", "class": "code-field"}),
        strip=False,
    )
    version = forms.CharField(widget=forms.HiddenInput)


@login_required
@require_GET
def study_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the study file."""
    study = get_study(request.user, slug, Role.EDITOR)
    response = HttpResponse(study_yaml(study), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}.yaml"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit the study file: show what would change, then apply it."""
    study = get_study(request.user, slug, Role.EDITOR)
    standing = study_yaml(study)
    form = StudyFileForm(
        request.POST or None, initial={"text": standing, "version": version_of(standing)}
    )
    context = {"study": study, "form": form}
    if form.is_bound and form.is_valid():
        keep = request.POST.get("go") == "apply"
        try:
            edited = _edited(study, form, keep=keep)
        except ImportFailure as failure:
            form.add_error("text", str(failure))
        except JustChanged:
            return _conflict(request, study, standing, form)
        else:
            if keep:
                messages.success(request, "The study is changed.")
                return redirect("desk:set-up", slug)
            context["edited"] = edited
    status = 422 if form.errors else 200
    return render(request, "desk/study_file.html", context, status=status)


def _edited(study: Study, form: StudyFileForm, *, keep: bool) -> Edited:
    text = form.cleaned_data["text"].replace("\r\n", "\n")
    return edit_study(study=study, text=text, version=form.cleaned_data["version"], keep=keep)


def _conflict(
    request: HttpRequest, study: Study, standing: str, form: StudyFileForm
) -> HttpResponse:
    """The study was changed meanwhile: what was typed stays, beside what differs from it."""
    text = form.cleaned_data["text"].replace("\r\n", "\n")
    again = StudyFileForm(initial={"text": text, "version": version_of(standing)})
    edited = Edited((), tuple(difference(standing, text)))
    context = {"study": study, "form": again, "edited": edited, "conflict": True}
    return render(request, "desk/study_file.html", context, status=409)
