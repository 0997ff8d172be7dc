"""The page of a study's alerts: open and past ones, when they open, and who hears of them."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from alerts.kinds import BY_NAME, title_of
from alerts.models import Alert, Subscription, Webhook
from annotation.access import Role, account, get_role, get_study
from annotation.models import Member, Study
from annotation.pay.spending import currency_of, spent_and_promised
from desk.monitoring.notifications.forms import RulesForm, SubscriptionForm
from desk.monitoring.notifications.rules import JustSet, rules_of, set_rules
from desk.monitoring.notifications.trial import NO_ADDRESS, send_test
from set_up.study_files.typed import keep_form_input

PAGE, SENT = 25, 20


@login_required
@require_GET
def alerts(request: HttpRequest, slug: str) -> HttpResponse:
    """Open and past alerts of a study, and their settings as far as the reader may see them."""
    return _page(request, get_study(request.user, slug))


def _page(request: HttpRequest, study: Study, *, status: int = 200, **changed: Any) -> HttpResponse:
    role = get_role(request.user, study) or Role.VIEWER
    rules, member = rules_of(study), _member(request, study)
    past = study.alerts.exclude(ended_at=None)
    subscription = Subscription.objects.filter(member=member).first()
    context: dict[str, Any] = {
        "study": study,
        "open": [_shown(alert) for alert in study.alerts.open()],
        "past": Paginator(past, PAGE).get_page(request.GET.get("page")),
        "past_titles": {name: kind.title for name, kind in BY_NAME.items()},
        "may_edit": role.may(Role.EDITOR),
        "owns": role.may(Role.OWNER),
        "currency": currency_of(study),
        "email_enabled": settings.EMAIL_ENABLED,
        "address": member.user.email,
        "subscription_form": SubscriptionForm.of(subscription),
    }
    if role.may(Role.EDITOR):
        context["rules_form"] = RulesForm(rules)
        context["spent"] = spent_and_promised(study) if study.budget else None
        sent = study.deliveries.filter(owner=None)  # and not what other members' own webhooks got
        sent = sent.select_related("alert", "member__user", "job")
        context["deliveries"] = sent[:SENT]
    if role.may(Role.OWNER):
        context["webhook"] = Webhook.objects.filter(study=study).first()
    return render(request, "desk/alerts.html", context | changed, status=status)


def _shown(alert: Alert) -> dict[str, Any]:
    kind = BY_NAME.get(alert.kind)
    return {"alert": alert, "title": title_of(alert.kind), "page": kind.page if kind else ""}


def _member(request: HttpRequest, study: Study) -> Member:
    return study.members.select_related("user").get(user=account(request))


@keep_form_input
@login_required
@require_POST
def change_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the budget and when alerts open."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RulesForm(rules_of(study), request.POST)
    if not form.is_valid():
        return _page(request, study, status=422, rules_form=form)
    begun = form.cleaned_data["begun"]
    try:
        set_rules(study=study, keys=form.keys, begun=begun, by=account(request))
    except JustSet as other:
        joined = RulesForm(other.merge.keys, begun=other.standing)
        return _page(request, study, status=409, rules_form=joined, meanwhile=other.merge)
    messages.success(request, "Saved.")
    return redirect("desk:alerts", slug)


@login_required
@require_POST
def subscribe(request: HttpRequest, slug: str) -> HttpResponse:
    """How the reader hears of alerts."""
    study, form = get_study(request.user, slug), SubscriptionForm(request.POST)
    if not form.is_valid():
        return _page(request, study, status=422, subscription_form=form)
    fields = {"by_email": form.cleaned_data["by_email"], "without": form.without}
    Subscription.objects.update_or_create(member=_member(request, study), defaults=fields)
    messages.success(request, "Saved.")
    return redirect("desk:alerts", slug)


@login_required
@require_POST
def test_message(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a test e-mail to the reader."""
    study = get_study(request.user, slug)
    if settings.EMAIL_ENABLED and account(request).email:
        send_test(request, study, _member(request, study).pk)
    else:
        messages.warning(request, NO_ADDRESS)
    return redirect("desk:alerts", slug)
