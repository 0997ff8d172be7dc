"""A new personal link for a worker who has lost theirs and every other way to show who they are."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation.access import Role, account, get_study
from annotation.entry.personal_link import give_link, participation_by_id
from annotation.models import Study, User
from annotation.panels.registry import panel_of
from annotation.views.moved import posted_from
from desk.people.workers.forms import LostLinkForm


@posted_from("desk:workers")
@login_required
@require_POST
@never_cache
def lost_link(request: HttpRequest, slug: str) -> HttpResponse:
    """The link is shown once, and who made it is in the study's log."""
    study = get_study(request.user, slug, Role.OWNER)
    form = LostLinkForm(request.POST)
    path = _new_path(study, form, account(request)) if form.is_valid() else ""
    link = request.build_absolute_uri(path) if path else ""
    context = {"study": study, "form": form, "link": link}
    return render(request, "desk/lost_link.html", context, status=422 if form.errors else 200)


def _new_path(study: Study, form: LostLinkForm, by: User) -> str:
    """Empty, with an error in the form, where nobody in the study has the id."""
    given = form.cleaned_data["external_id"].strip()
    person = participation_by_id(study, panel=panel_of(study).slug, external_id=given)
    if person is None or person.worker.erased_at is not None:
        form.add_error("external_id", _("No worker with this id is in the study."))
        return ""
    return give_link(participation=person, by=by)
