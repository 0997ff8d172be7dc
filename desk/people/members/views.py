"""Invitation links for workers, and members of a study."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.accounts import leave_study
from accounts.forms import ColleagueForm
from accounts.invitations import open_invitations
from accounts.links import MADE_LINK, shown_once
from accounts.membership import LastOwner, set_member
from accounts.roles import ROLE_WORDS
from annotation.access import Role, account, get_study
from annotation.entry.invitations import end_invitation, invite_many
from annotation.models import Study, User, log_change
from annotation.panels.registry import arrival_link
from annotation.views.downloads import as_download
from desk.people.members.forms import InvitationForm, MemberForm
from results.exporting.csv_text import csv_line

PAGE = 100


@login_required
@require_http_methods(["GET", "POST"])
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """The links into a study, and new ones."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = InvitationForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        new_links = invite_many(study=study, created_by=account(request), **form.cleaned_data)
        text = ngettext("%(n)s link was made.", "%(n)s links were made.", len(new_links))
        messages.success(request, text % {"n": len(new_links)})
        return redirect("desk:invitations", slug)
    rows = study.invitations.select_related("worker", "round").order_by("-pk")
    return render(
        request,
        "desk/invitations.html",
        {
            "study": study,
            "form": form,
            "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
            "arrival_link": arrival_link(study),
        },
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
@never_cache
def invitation_links(request: HttpRequest, slug: str) -> HttpResponse:
    """The links that let somebody in, as CSV."""
    found = get_study(request.user, slug, Role.EDITOR)
    log_change(study=found, by=account(request), action="invitations.downloaded")
    rows = found.invitations.filter(ended_at=None).select_related("worker", "round")
    lines = [csv_line(["link", "for", "used", "at_most", "round", "note", "made"])]
    for one in rows.order_by("pk"):
        link = request.build_absolute_uri(reverse("annotation:join", args=[one.token]))
        who = "anyone" if one.worker_id is None else "one person"
        round_ = "" if one.round is None else one.round.name
        cells = [link, who, one.uses, one.max_uses, round_, one.note, one.created_at.isoformat()]
        lines.append(csv_line(cells))
    answer = HttpResponse("".join(lines), content_type="text/csv; charset=utf-8")
    return as_download(answer, f"{found.slug}-links.csv")


@login_required
@require_POST
def end_link(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Let nobody in through this link any more."""
    study = get_study(request.user, slug, Role.EDITOR)
    invitation = get_object_or_404(study.invitations, pk=invitation_id)
    if end_invitation(invitation=invitation, now=timezone.now(), by=account(request)):
        messages.success(request, _("The link no longer works. Those who came by it stay."))
    return redirect("desk:invitations", slug)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """Who works on the study in which role, who is invited, and a form to add an account."""
    study = get_study(request.user, slug, Role.OWNER)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
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
            return redirect("desk:members", slug)
    return members_page(request, study, form=form)


def members_page(
    request: HttpRequest,
    study: Study,
    *,
    form: MemberForm | None = None,
    invite_form: ColleagueForm | None = None,
) -> HttpResponse:
    """The page of members, with the form that was filled in."""
    rows = study.members.select_related("user").order_by("user__username")
    context = {
        "study": study,
        "form": form or MemberForm(),
        "invite_form": invite_form or ColleagueForm(),
        "members": rows,
        "roles": [(role, words) for role, words in ROLE_WORDS.items()],
        "invited": open_invitations(study=study, now=timezone.now()),
        "made_link": shown_once(request, MADE_LINK),
        "by_mail": settings.EMAIL_ENABLED,
    }
    bad = any(filled is not None and filled.errors for filled in (form, invite_form))
    return render(request, "desk/members.html", context, status=422 if bad else 200)


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
    return redirect("desk:members", slug)
