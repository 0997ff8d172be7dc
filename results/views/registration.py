"""Registering a study, and what has changed since."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Role, account, get_study, may
from annotation.views.downloads import as_download
from estimates.report.newest import newest_report
from results.studies.claims import claims_of, first_registration
from results.studies.registration import NeedsReason, as_json, changes_since, register


class RegisterForm(forms.Form):
    """Asks why, where the study is registered already."""

    reason = forms.CharField(
        required=False,
        max_length=2_000,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Why the study is registered again."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@login_required
@require_http_methods(["GET", "POST"])
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """What was registered, what has changed since, and the claims; owners register."""
    study = get_study(request.user, slug, Role.VIEWER if request.method == "GET" else Role.OWNER)
    form = RegisterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            register(study=study, by=account(request), **form.cleaned_data)
        except NeedsReason:
            form.add_error("reason", _("Say why the study is registered again."))
        else:
            messages.success(request, _("Registered. What was registered cannot be changed."))
            return redirect("results:registration", slug)
    first = first_registration(study)
    shown = {
        "study": study,
        "form": form,
        "owns": may(request.user, study, Role.OWNER),
        # The file has codes of the panel and right answers of controls in it.
        "may_read_file": may(request.user, study, Role.EDITOR),
        "first": first,
        "registrations": study.registrations.select_related("registered_by"),
        "changes": changes_since(first) if first else [],
        "claims": claims_of(study, newest_report(study)),
    }
    return render(request, "results/registration.html", shown, status=422 if form.errors else 200)


@login_required
@require_GET
def registration_file(request: HttpRequest, slug: str, registration_id: int) -> HttpResponse:
    """A registration as JSON, for those who may download the study file: it holds the same."""
    study = get_study(request.user, slug, Role.EDITOR)
    row = get_object_or_404(study.registrations, pk=registration_id)
    answer = JsonResponse(as_json(row), json_dumps_params={"indent": 1, "ensure_ascii": False})
    return as_download(answer, f"{slug}-registration-{row.digest[:12]}.json")
