"""The page of a study's webhook: its address, secret and events, and the log of what was sent."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from alerts import webhooks
from alerts.events import name_of
from alerts.models import Delivery, Webhook
from annotation.access import Role, account, get_study
from annotation.models import Study
from desk.monitoring.notifications.forms import EventsForm, WebhookForm
from jobs.models import JobState

PAGE = 50
SHOWN = (JobState.QUEUED, JobState.DONE, JobState.FAILED)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Where events are posted and what became of each message. A new address makes a new secret,
    which is shown in that answer alone."""
    study = get_study(request.user, slug, Role.OWNER)
    form = WebhookForm(request.POST or None)
    if request.method == "GET":
        return _page(request, study)
    if not form.is_valid():
        return _page(request, study, status=422, form=form)
    url = form.cleaned_data["url"]
    made = webhooks.set_webhook(study=study, url=url, by=account(request), now=timezone.now())
    return _page(request, study, secret=made.secret)


def _page(request: HttpRequest, study: Study, *, status: int = 200, **changed: Any) -> HttpResponse:
    hook = Webhook.objects.filter(study=study).first()
    rows = study.deliveries.filter(channel=Delivery.Channel.WEBHOOK)
    rows = rows.select_related("alert", "job")
    state = request.GET.get("state", "")
    if state in SHOWN:
        rows = rows.filter(job__state=state)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "study": study,
        "webhook": hook,
        "old_until": hook.old_until if hook and hook.signs_with_old(timezone.now()) else None,
        "form": WebhookForm(),
        "events_form": None if hook is None else EventsForm(initial={"events": hook.chosen}),
        "page": page,
        "lines": [(row, name_of(row.event)) for row in page],
        "states": [(shown.value, shown.label) for shown in SHOWN],
        "state": state,
    }
    return render(request, "desk/webhook.html", context | changed, status=status)


@login_required
@require_POST
def choose_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Which events are posted."""
    study, form = get_study(request.user, slug, Role.OWNER), EventsForm(request.POST)
    if not form.is_valid():
        return _page(request, study, status=422, events_form=form)
    events, now = form.cleaned_data["events"], timezone.now()
    webhooks.choose_events(study=study, events=events, by=account(request), now=now)
    messages.success(request, "Saved.")
    return redirect("desk:webhook", slug)


@login_required
@require_POST
@never_cache
def renew_secret(request: HttpRequest, slug: str) -> HttpResponse:
    """A new secret for the same address, shown in this answer alone."""
    study = get_study(request.user, slug, Role.OWNER)
    made = webhooks.renew_secret(study=study, by=account(request), now=timezone.now())
    if made is None:
        messages.warning(request, "There is no webhook.")
        return redirect("desk:webhook", slug)
    return _page(request, study, secret=made.secret)


@login_required
@require_POST
def end_old_secret(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign with the newest secret alone."""
    study = get_study(request.user, slug, Role.OWNER)
    if webhooks.end_old_secret(study=study, by=account(request), now=timezone.now()):
        messages.success(request, "Messages are signed with the newest secret alone.")
    return redirect("desk:webhook", slug)


@login_required
@require_POST
def remove_webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Post events nowhere."""
    study = get_study(request.user, slug, Role.OWNER)
    if webhooks.remove_webhook(study=study, by=account(request)):
        messages.success(request, "The webhook is removed.")
    return redirect("desk:webhook", slug)


@login_required
@require_POST
def send_again(request: HttpRequest, slug: str, delivery_id: int) -> HttpResponse:
    """Send one message once more."""
    study = get_study(request.user, slug, Role.OWNER)
    row = get_object_or_404(study.deliveries.select_related("job"), pk=delivery_id)
    if webhooks.send_again(delivery=row, by=account(request)):
        messages.success(request, "It is sent again.")
    else:
        messages.info(request, "It waits already, or there is no webhook to send it to.")
    return redirect("desk:webhook", slug)
