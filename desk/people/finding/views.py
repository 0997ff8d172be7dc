"""Finding people: the panel they come from, links that invite them, and how far the invited are."""

from typing import Any

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
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study, may
from annotation.entry.invitations import end_invitation, invite_many
from annotation.models import Study, log_change
from annotation.panels.registry import arrival_link
from annotation.views.downloads import as_download
from annotation.views.moved import posted_from
from desk.monitoring.overview.assignees import assignees, personal_links
from desk.people.finding.forms import InvitationForm
from exports.csv_text import csv_line
from imports.study_file.writing import study_keys
from recruitment.overview import prolific_context
from set_up.steps.costs import units_asked_about
from set_up.steps.forms import Keys
from set_up.steps.keys_forms import RecruitmentForm
from set_up.steps.pages import keys_page
from set_up.steps.rounds import RoundsForm
from set_up.study_files.typed import keep_form_input

PAGE = 100
TEMPLATE = "desk/finding_people.html"


@login_required
@require_GET
@never_cache
def finding_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Reviewers see what happens at Prolific; editors choose the panel and invite people too."""
    study = get_study(request.user, slug, Role.REVIEWER)
    context = prolific_context(request, study)
    if may(request.user, study, Role.EDITOR):
        context |= _of_editors(request, study)
    return render(request, TEMPLATE, context)


def _of_editors(
    request: HttpRequest,
    study: Study,
    *,
    panel: RecruitmentForm | None = None,
    links: InvitationForm | None = None,
) -> dict[str, Any]:
    rows = study.invitations.select_related("worker", "round").order_by("-pk")
    invited = Paginator(personal_links(study), PAGE).get_page(request.GET.get("people"))
    keys = study_keys(study) if panel is None else panel.standing
    return {
        "may_edit": True,
        "panel": panel or RecruitmentForm(keys),
        "new_links": links or InvitationForm(_people(study, keys)),
        "links": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "arrival_link": arrival_link(study),
        "invited": invited,
        "people": assignees(study, invited.object_list) if invited.paginator.count else [],
    }


def _people(study: Study, keys: Keys) -> int:
    cost = RoundsForm(keys).cost(units_asked_about(study))
    return cost.people if cost is not None else 0


@posted_from("desk:recruitment")
@keep_form_input
@login_required
@require_POST
def choose_panel(request: HttpRequest, slug: str) -> HttpResponse:
    """Where workers come from, and how much of the study each may do."""
    study = get_study(request.user, slug, Role.EDITOR)
    panel = RecruitmentForm(study_keys(study), request.POST)
    context = prolific_context(request, study) | _of_editors(request, study, panel=panel)
    del context["study"]
    return keys_page(request, study, panel, TEMPLATE, **context)


@posted_from("desk:recruitment")
@login_required
@require_POST
def make_links(request: HttpRequest, slug: str) -> HttpResponse:
    """New links into a study."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = InvitationForm(_people(study, study_keys(study)), request.POST)
    if not form.is_valid():
        context = prolific_context(request, study) | _of_editors(request, study, links=form)
        return render(request, TEMPLATE, context, status=422)
    new_links = invite_many(study=study, created_by=account(request), **form.cleaned_data)
    text = ngettext("%(n)s link was made.", "%(n)s links were made.", len(new_links))
    messages.success(request, text % {"n": len(new_links)})
    return redirect("desk:recruitment", slug)


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
        messages.success(request, _("The link no longer works. People who came through it stay."))
    return redirect("desk:recruitment", slug)
