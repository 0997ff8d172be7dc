"""The team of a study: who its members are, what each answers, and how far they have come."""

from collections.abc import Iterator

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study
from annotation.entry.invitations import invite_team
from annotation.models import Seat, Study, log_change
from annotation.rounds.team.allotments import join_team, leave_team
from annotation.rounds.team.table import COLUMNS, TableFault, table_rows, take_table
from annotation.views.downloads import as_download
from annotation.views.moved import posted_from
from desk.people.team.forms import NameForm, TableForm
from desk.people.team.members import sharing, team_members
from exports.csv_text import csv_line

TEMPLATE = "desk/team.html"
MOST_MEMBERS = 200


def _study_of(request: HttpRequest, slug: str) -> Study:
    study = get_study(request.user, slug, Role.EDITOR)
    if not study.has_team:
        raise Http404
    return study


@login_required
@require_GET
@never_cache
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """The members with their links and progress, and what pairs of them share."""
    return _page(request, _study_of(request, slug))


def _page(
    request: HttpRequest, study: Study, table: TableForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "study": study,
        "members": team_members(study),
        "sharing": sharing(study),
        "table": table or TableForm(),
    }
    return render(request, TEMPLATE, context, status=status)


@login_required
@require_POST
def name_member(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The researcher's word for a member."""
    study = _study_of(request, slug)
    form = NameForm(request.POST, instance=_seat(study, number))
    if form.is_valid():
        form.save()
    else:
        messages.error(request, _("A name has at most 80 letters."))
    return redirect("desk:team", slug)


@login_required
@require_POST
def make_team_links(request: HttpRequest, slug: str) -> HttpResponse:
    """A personal link for each seat that nobody has taken."""
    study = _study_of(request, slug)
    n = invite_team(study, by=account(request))
    text = ngettext("%(n)s link was made.", "%(n)s links were made.", n)
    messages.success(request, text % {"n": n})
    return redirect("desk:team", slug)


@login_required
@require_POST
def add_member(request: HttpRequest, slug: str) -> HttpResponse:
    """One member more."""
    study = _study_of(request, slug)
    if study.team_members >= MOST_MEMBERS:
        messages.error(request, _("A team has at most %(n)s members.") % {"n": MOST_MEMBERS})
        return redirect("desk:team", slug)
    join_team(study)
    log_change(study=study, by=account(request), action="team.joined")
    messages.success(request, _("The team has one member more, and the table was written anew."))
    return redirect("desk:team", slug)


@login_required
@require_POST
def end_membership(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give what a member has not begun to the others."""
    study = _study_of(request, slug)
    seat = _seat(study, number)
    if leave_team(seat):
        log_change(study=study, by=account(request), action="team.left", subject=f"member {number}")
        text = _("What the member had not begun went to the others. Their answers stay.")
        messages.success(request, text)
    return redirect("desk:team", slug)


def _seat(study: Study, number: int) -> Seat:
    return get_object_or_404(study.seats, number=number)


@login_required
@require_GET
@never_cache
def table_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The assignment table as CSV."""
    study = _study_of(request, slug)
    answer = StreamingHttpResponse(_lines(study), content_type="text/csv; charset=utf-8")
    return as_download(answer, f"{study.slug}-team.csv")


def _lines(study: Study) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for row in table_rows(study):
        yield csv_line(row)


@posted_from("desk:team")
@login_required
@require_POST
def upload_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the table be that of a file."""
    study = _study_of(request, slug)
    form = TableForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            n = take_table(study=study, text=form.cleaned_data["file"], by=account(request))
        except TableFault as fault:
            for text in fault.faults:
                form.add_error("file", text)
        else:
            text = ngettext("The table has %(n)s row now.", "The table has %(n)s rows now.", n)
            messages.success(request, text % {"n": n})
            return redirect("desk:team", slug)
    return _page(request, study, form, status=422)
