"""The team of a study: who its members are, what each answers, and how far they have come."""

from collections.abc import Iterator

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study
from annotation.entry.invitations import invite_team
from annotation.models import Seat, Study, log_change
from annotation.rounds.team.allotments import Takers, join_team, settle_team, unassigned
from annotation.rounds.team.table import COLUMNS, TableFault, table_rows, take_table
from annotation.views.downloads import as_download
from annotation.views.moved import posted_from
from annotation.work.team import membership
from desk.people.team.forms import NamesForm, SettlingForm, TableForm
from desk.people.team.members import calibrations, team_members
from exports.csv_text import csv_line
from results.studies.sharing import said_of_study

TEMPLATE = "desk/team.html"
MOST_MEMBERS = 200
SETTLED = {
    Takers.OTHERS: gettext_lazy(
        "The other members got the units that they did not have yet. Units that all of them have "
        "get fewer answers."
    ),
    Takers.NEWCOMER: gettext_lazy("A member was added who gets them. Make a link below."),
    Takers.NOBODY: gettext_lazy("They are no longer wanted."),
}


def _study_of(request: HttpRequest, slug: str) -> Study:
    study = get_study(request.user, slug, Role.EDITOR)
    if not study.has_team:
        raise Http404
    return study


@login_required
@require_GET
@never_cache
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """The members with their links and progress, and what they share."""
    return _page(request, _study_of(request, slug))


def _page(
    request: HttpRequest,
    study: Study,
    *,
    names: NamesForm | None = None,
    table: TableForm | None = None,
) -> HttpResponse:
    members = team_members(study)
    names = names or NamesForm([member.seat for member in members])
    context = {
        "study": study,
        "members": [(member, names[str(member.seat.number)]) for member in members],
        "names": names,
        "without_link": any(not _is_reached(member.seat) for member in members),
        "said": said_of_study(study, by_name=True),
        "unassigned": unassigned(study),
        "calibrations": calibrations(study),
        "table": table or TableForm(),
    }
    failed = names.errors or (table is not None and table.errors)
    return render(request, TEMPLATE, context, status=422 if failed else 200)


def _is_reached(seat: Seat) -> bool:
    return seat.is_over or seat.participation is not None or seat.invitation is not None


@posted_from("desk:team")
@login_required
@require_POST
def name_members(request: HttpRequest, slug: str) -> HttpResponse:
    """The researcher's words for the members."""
    study = _study_of(request, slug)
    form = NamesForm([member.seat for member in team_members(study)], request.POST)
    if not form.is_valid():
        return _page(request, study, names=form)
    form.save()
    messages.success(request, _("Saved."))
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
    messages.success(
        request, _("The team has one more member, and the assignment table was rebuilt.")
    )
    return redirect("desk:team", slug)


@login_required
@require_POST
def end_membership(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a member nothing more."""
    study = _study_of(request, slug)
    seats = study.seats.select_related("participation__study", "study")
    if membership.end_membership(seat=get_object_or_404(seats, number=number), by=account(request)):
        text = _("The membership has ended. The answers stay.")
        messages.success(request, text)
    return redirect("desk:team", slug)


@login_required
@require_POST
def settle(request: HttpRequest, slug: str) -> HttpResponse:
    """Decide who gives the answers that nobody has in their table."""
    study = _study_of(request, slug)
    form = SettlingForm(request.POST)
    if not form.is_valid():
        return redirect("desk:team", slug)
    to = Takers(form.cleaned_data["to"])
    if to == Takers.NEWCOMER and study.team_members >= MOST_MEMBERS:
        messages.error(request, _("A team has at most %(n)s members.") % {"n": MOST_MEMBERS})
        return redirect("desk:team", slug)
    settle_team(study, to)
    log_change(study=study, by=account(request), action="team.settled", subject=to.value)
    messages.success(request, SETTLED[to])
    return redirect("desk:team", slug)


@login_required
@require_POST
def release(request: HttpRequest, slug: str, round_id: int) -> HttpResponse:
    """Let the members go on who have answered a calibration."""
    study = _study_of(request, slug)
    round_ = get_object_or_404(study.rounds.select_related("study"), pk=round_id)
    if membership.release_calibration(round_=round_, now=timezone.now(), by=account(request)):
        messages.success(request, _("The shares are released: members go on when they come back."))
    return redirect("desk:team", slug)


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
            text = ngettext("The table now has %(n)s row.", "The table now has %(n)s rows.", n)
            messages.success(request, text % {"n": n})
            return redirect("desk:team", slug)
    return _page(request, study, table=form)
