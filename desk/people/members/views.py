"""Members of a study."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts.accounts import leave_study
from accounts.membership import LastOwner, set_member
from annotation.access import Role, account, get_study
from annotation.models import User
from annotation.views.moved import posted_from
from desk.people.members.forms import MemberForm
from desk.people.members.settings import settings_page


@posted_from("desk:settings")
@login_required
@require_POST
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an account a role."""
    study = get_study(request.user, slug, Role.OWNER)
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            set_member(
                study=study,
                user=form.cleaned_data["username"],
                role=Role(form.cleaned_data["role"]),
                by=account(request),
            )
        except LastOwner as refusal:
            form.add_error("role", str(refusal))
        else:
            return redirect("desk:settings", slug)
    return settings_page(request, study, member=form)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Take a member out."""
    study = get_study(request.user, slug, Role.OWNER)
    member = get_object_or_404(User, pk=user_id, memberships__study=study)
    try:
        leave_study(study=study, user=member, by=account(request))
    except LastOwner as refusal:
        messages.error(request, str(refusal))
    return redirect("desk:settings", slug)
