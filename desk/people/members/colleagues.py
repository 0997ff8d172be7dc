"""Colleagues of a study: inviting them, changing their roles, and handing the study over."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.accounts import change_role, hand_over
from accounts.forms import ColleagueForm
from accounts.invitations import end_invitation
from accounts.links import invite_and_send
from accounts.membership import LastOwner
from annotation.access import Role, account, get_study
from annotation.models import Study, User
from desk.people.members.settings import settings_page


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a colleague by e-mail, or by a link that is shown once."""
    study = get_study(request.user, slug, Role.OWNER)
    form = ColleagueForm(request.POST)
    if not form.is_valid():
        return settings_page(request, study, colleague=form)
    role = Role(form.cleaned_data["role"])
    invite_and_send(request, study=study, role=role, email=form.cleaned_data["email"])
    return redirect("desk:settings", slug)


@login_required
@require_POST
def end_colleague(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Let nobody in by this invitation any more."""
    study = get_study(request.user, slug, Role.OWNER)
    invitation = get_object_or_404(study.colleague_invitations, pk=invitation_id)
    if end_invitation(invitation=invitation, by=account(request), now=timezone.now()):
        messages.success(request, _("The invitation is ended."))
    return redirect("desk:settings", slug)


@login_required
@require_POST
def role(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Give a member another role."""
    study = get_study(request.user, slug, Role.OWNER)
    member, name = _member(study, user_id), request.POST.get("role", "")
    if name not in Role.values:
        messages.error(request, _("Please choose a role."))
        return redirect("desk:settings", slug)
    try:
        change_role(study=study, user=member, role=Role(name), by=account(request))
    except LastOwner as refusal:
        messages.error(request, str(refusal))
    return redirect("desk:settings", slug)


@login_required
@require_POST
def transfer(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Hand the study over to another member; who did stays as an editor."""
    study = get_study(request.user, slug, Role.OWNER)
    to, owner = _member(study, user_id), account(request)
    if to == owner:
        messages.error(request, _("You already own the study."))
        return redirect("desk:settings", slug)
    hand_over(study=study, owner=owner, to=to)
    text = _("%(name)s now owns the study, and you are an editor.") % {"name": to.get_username()}
    messages.success(request, text)
    return redirect(study)


def _member(study: Study, user_id: int) -> User:
    return get_object_or_404(User, pk=user_id, memberships__study=study)
