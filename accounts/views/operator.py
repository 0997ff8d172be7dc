"""The operator's pages: the accounts of the installation, and invitations to it."""

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.accounts import erase_account, permit_studies, set_active, studies_owned_alone
from accounts.forms import EraseForm, NewcomerForm
from accounts.invitations import end_invitation, open_invitations
from accounts.links import MADE_LINK, invite_and_send, show_once, shown_once
from accounts.models import ColleagueInvitation
from accounts.signing_in.factors import factors_of, remove_all_factors
from accounts.signing_in.passwords import make_reset_path
from accounts.views.access import confirmed, for_operators
from annotation.access import account
from annotation.models import User

PAGE = 100


@never_cache
@for_operators
@require_http_methods(["GET", "POST"])
def accounts(request: HttpRequest) -> HttpResponse:
    """All accounts, the open invitations to the installation, and a form for a new one."""
    form = NewcomerForm(request.POST or None)
    if form.is_bound and form.is_valid():
        invite_and_send(request, study=None, role=None, email=form.cleaned_data["email"])
        return redirect("desk:accounts")
    rows = User.objects.annotate(
        studies=Count("memberships"), has_factor=Exists(factors_of(OuterRef("pk")))
    )
    context = {
        "form": form,
        "page": Paginator(rows.order_by("username"), PAGE).get_page(request.GET.get("page")),
        "invitations": open_invitations(study=None, now=timezone.now()),
        "made_link": shown_once(request, MADE_LINK),
        "by_mail": settings.EMAIL_ENABLED,
        "sign_up": settings.SIGN_UP,
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/accounts.html", context, status=status)


@for_operators
@require_POST
def end_newcomer(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """End an invitation to the installation."""
    invitation = get_object_or_404(ColleagueInvitation, pk=invitation_id, study=None)
    end_invitation(invitation=invitation, by=account(request), now=timezone.now())
    return redirect("desk:accounts")


@never_cache
@for_operators
@require_safe
def one_account(request: HttpRequest, user_id: int) -> HttpResponse:
    """One account, and what the operator may do about it."""
    user = get_object_or_404(User, pk=user_id)
    context = {
        "person": user,
        "memberships": user.memberships.select_related("study").order_by("study__title"),
        "alone": studies_owned_alone(user),
        "factors": factors_of(user),
        "may_make": user.has_perm("annotation.add_study"),
        "all_may_make": settings.STUDY_MAKERS == "all",
        "erase_form": EraseForm(user),
        "made_link": shown_once(request, MADE_LINK),
        "is_self": user == request.user,
    }
    return render(request, "accounts/one_account.html", context)


@for_operators
@require_POST
def activate(request: HttpRequest, user_id: int) -> HttpResponse:
    """Let an account sign in, or no longer. One's own stays."""
    user = get_object_or_404(User.objects.exclude(pk=account(request).pk), pk=user_id)
    set_active(user=user, active=not user.is_active, by=account(request))
    return redirect("desk:one-account", user_id)


@for_operators
@require_POST
def permit(request: HttpRequest, user_id: int) -> HttpResponse:
    """Let an account make studies, or no longer."""
    user = get_object_or_404(User, pk=user_id)
    permit_studies(user=user, permitted="yes" in request.POST, by=account(request))
    return redirect("desk:one-account", user_id)


@confirmed
@for_operators
@require_POST
def reset_link(request: HttpRequest, user_id: int) -> HttpResponse:
    """A link to a new password, shown once; for who cannot be sent one."""
    user = get_object_or_404(User, pk=user_id, is_active=True)
    path = make_reset_path(user=user, by=account(request))
    show_once(request, MADE_LINK, request.build_absolute_uri(path))
    return redirect("desk:one-account", user_id)


@confirmed
@for_operators
@require_POST
def drop_factors(request: HttpRequest, user_id: int) -> HttpResponse:
    """Take all second factors of an account away, for who has lost them."""
    user = get_object_or_404(User, pk=user_id)
    remove_all_factors(user=user, by=account(request))
    messages.success(request, _("The account signs in with its password alone again."))
    return redirect("desk:one-account", user_id)


@confirmed
@for_operators
@require_POST
def erase_other(request: HttpRequest, user_id: int) -> HttpResponse:
    """Erase an account. The operator becomes the owner of studies that have no other."""
    by = account(request)
    user = get_object_or_404(User.objects.exclude(pk=by.pk), pk=user_id)
    form = EraseForm(user, request.POST)
    if not form.is_valid():
        messages.error(request, _("That is not the name of this account. Nothing was erased."))
        return redirect("desk:one-account", user_id)
    erase_account(user=user, by=by, heir=by)
    messages.success(request, _("The account is erased."))
    return redirect("desk:accounts")
