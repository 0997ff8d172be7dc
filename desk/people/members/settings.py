"""The settings of a study: its title and members, and archiving or deleting it."""

from django import conf, forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import ColleagueForm
from accounts.invitations import open_invitations
from accounts.links import MADE_LINK, shown_once
from accounts.roles import ROLE_WORDS
from annotation.access import Role, account, get_study
from annotation.models import Study, User, log_change
from desk.people.members.forms import MemberForm
from desk.studies.archive import (
    NotRemovable,
    StillOpen,
    archive_study,
    delete_study,
    unarchive_study,
    why_kept,
)


class TitleForm(forms.Form):
    """The title that workers read."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)


@transaction.atomic
def rename_study(*, study: Study, by: User, title: str) -> bool:
    """Give the study another title; whether it had another. The address stays."""
    renamed = Study.objects.filter(pk=study.pk).exclude(title=title).update(title=title)
    if renamed:
        detail = {"before": study.title, "after": title}
        log_change(study=study, by=by, action="study.renamed", detail=detail)
    return bool(renamed)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The title, who works on the study in which role, who is invited, and what ends a study."""
    study = get_study(request.user, slug, Role.OWNER)
    form = TitleForm(request.POST if request.method == "POST" else {"title": study.title})
    if request.method == "POST" and form.is_valid():
        if rename_study(study=study, by=account(request), title=form.cleaned_data["title"]):
            messages.success(request, _("The title was changed."))
        return redirect("desk:settings", slug)
    return settings_page(request, study, title=form)


def settings_page(
    request: HttpRequest,
    study: Study,
    *,
    title: TitleForm | None = None,
    member: MemberForm | None = None,
    colleague: ColleagueForm | None = None,
    refused: str = "",
) -> HttpResponse:
    """The page of settings, with the form that was filled in. refused: why it was not deleted."""
    context = {
        "study": study,
        "title": title or TitleForm({"title": study.title}),
        "kept": why_kept(study),
        "refused": refused,
        "form": member or MemberForm(),
        "invite_form": colleague or ColleagueForm(),
        "members": study.members.select_related("user").order_by("user__username"),
        "roles": [(role, words) for role, words in ROLE_WORDS.items()],
        "invited": open_invitations(study=study, now=timezone.now()),
        "made_link": shown_once(request, MADE_LINK),
        "by_mail": conf.settings.EMAIL_ENABLED,
    }
    sent = [form for form in (title, member, colleague) if form is not None]
    bad = bool(refused) or any(form.errors for form in sent)
    return render(request, "desk/settings.html", context, status=422 if bad else 200)


@login_required
@require_POST
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave the study out of lists."""
    study = get_study(request.user, slug, Role.OWNER)
    try:
        archive_study(study=study, by=account(request))
    except StillOpen:
        messages.error(request, _("Close the study first: people could still start."))
        return redirect("desk:settings", slug)
    messages.success(
        request, _("Archived: “%(title)s”. Nothing was deleted.") % {"title": study.title}
    )
    return redirect("desk:home")


@login_required
@require_POST
def unarchive(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring an archived study back."""
    study = get_study(request.user, slug, Role.OWNER)
    if unarchive_study(study=study, by=account(request)):
        messages.success(request, _("The study is back on the list."))
    return redirect(study)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a draft without answers, once its address was typed."""
    study = get_study(request.user, slug, Role.OWNER)
    typed = request.POST.get("slug", "")
    try:
        delete_study(study=study, by=account(request), typed=typed)
    except NotRemovable as refusal:
        return settings_page(request, study, refused=str(refusal))
    messages.success(request, _("Deleted: “%(title)s”.") % {"title": study.title})
    return redirect("desk:home")
