"""Who is let in: workers by invitation links, researchers as members."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from annotation.access import Role, account, get_study
from annotation.inviting import invite
from annotation.membership import LastOwner, remove_member, set_member
from annotation.models import User
from annotation.panels.registry import arrival_link
from desk.forms import InvitationForm, MemberForm


@login_required
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """The links into a study, and a new one."""
    found = get_study(request.user, slug, Role.EDITOR)
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        invite(study=found, created_by=account(request), **form.cleaned_data)
        return redirect("desk:invitations", slug)
    rows = found.invitations.select_related("worker").order_by("-pk")[:200]
    return render(
        request,
        "desk/invitations.html",
        {
            "study": found,
            "form": form,
            "invitations": rows,
            "arrival_link": arrival_link(found),
        },
        status=422 if form.errors else 200,
    )


@login_required
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """Who works on the study, and a form to add one."""
    found = get_study(request.user, slug, Role.OWNER)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_member(
                study=found,
                user=form.cleaned_data["username"],
                role=Role(form.cleaned_data["role"]),
            )
        except LastOwner as refusal:
            form.add_error("role", str(refusal))
        else:
            return redirect("desk:members", slug)
    rows = found.members.select_related("user").order_by("user__username")
    return render(
        request,
        "desk/members.html",
        {"study": found, "form": form, "members": rows},
        status=422 if form.errors else 200,
    )


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Take a member out."""
    found = get_study(request.user, slug, Role.OWNER)
    member = get_object_or_404(User, pk=user_id, memberships__study=found)
    try:
        remove_member(study=found, user=member)
    except LastOwner as refusal:
        messages.error(request, str(refusal))
    return redirect("desk:members", slug)
