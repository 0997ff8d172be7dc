"""The file of a study: to download, and to edit with a look at what changes first."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import Study
from files.errors import ImportFailure
from imports.study_file.writing import as_yaml, study_keys, study_yaml
from set_up.study_files.application import JustChanged, edit_study, version_of
from set_up.study_files.beginnings import BeginningField, ConflictChoices, pack, unpack
from set_up.study_files.conflicts import join
from set_up.study_files.typed import keep_form_input


class StudyFileForm(forms.Form):
    """The text of a study file, and which version and which keys it was made from."""

    text = forms.CharField(
        label="Study file",
        widget=forms.Textarea(attrs={"rows": 30, "spellcheck": "false", "class": "code-field"}),
        strip=False,
    )
    version = forms.CharField(widget=forms.HiddenInput)
    begun = BeginningField()


@login_required
@require_GET
def study_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the study file."""
    study = get_study(request.user, slug, Role.EDITOR)
    response = HttpResponse(study_yaml(study), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}.yaml"'
    return response


@keep_form_input
@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit the study file: show what would change, then apply it."""
    study = get_study(request.user, slug, Role.EDITOR)
    if request.POST.get("go") == "join":
        text = unpack(request.POST.get("typed", "")) or ""
        return _join(request, study, text, request.POST.get("begun", ""))
    form = StudyFileForm(request.POST) if request.method == "POST" else form_of(study)
    context: dict[str, Any] = {"study": study, "form": form}
    if form.is_bound and form.is_valid():
        keep = request.POST.get("go") == "apply"
        text = form.cleaned_data["text"].replace("\r\n", "\n")
        version, by = form.cleaned_data["version"], account(request)
        try:
            edited = edit_study(study=study, text=text, version=version, keep=keep, by=by)
        except ImportFailure as failure:
            form.add_error("text", str(failure))
        except JustChanged:
            return _join(request, study, text, request.POST.get("begun", ""))
        else:
            if keep:
                messages.success(request, "The study is changed.")
                return redirect("desk:set-up", slug)
            context["edited"] = edited
    status = 422 if form.errors else 200
    return render(request, "desk/study_file.html", context, status=status)


def form_of(study: Study, text: str = "") -> StudyFileForm:
    """The form with the study's file, or with another text that is to replace it."""
    keys = study_keys(study)
    standing = as_yaml(keys)
    initial = {"text": text or standing, "version": version_of(standing), "begun": keys}
    return StudyFileForm(initial=initial)


def _join(request: HttpRequest, study: Study, text: str, begun: str) -> HttpResponse:
    """The study was changed meanwhile: what is theirs, what is yours, and what joins the two."""
    context: dict[str, Any] = {"study": study, "typed": text}
    try:
        joined = join(
            study=study,
            text=text,
            begun=unpack(begun),
            choices=ConflictChoices.posted(request.POST),
        )
    except ImportFailure as failure:
        context["failure"] = str(failure)
        context["form"] = form_of(study, text)
        return render(request, "desk/study_file_conflict.html", context, status=409)
    context |= {"joined": joined, "begun": begun, "packed": pack(text)}
    context["form"] = form_of(study, joined.text)
    status = 409 if joined.undecided or request.POST.get("go") != "join" else 200
    return render(request, "desk/study_file_conflict.html", context, status=status)
