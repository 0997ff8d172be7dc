"""The page of the webhook of a study, or of all studies that an account owns: its address, secret
and events, and the log of what was sent. The account's has no slug."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from alerts import webhooks
from alerts.events import name_of
from alerts.models import Delivery, Listener, Webhook
from annotation.access import Role, account, get_study
from annotation.models import Study
from desk.monitoring.notifications.forms import EventsForm, WebhookForm
from desk.monitoring.notifications.trial import NO_ADDRESS, send_test
from jobs.models import JobState

PAGE = 50
SHOWN = (JobState.QUEUED, JobState.DONE, JobState.FAILED)


# The addresses that the page posts to.
ACTIONS = (
    *("webhook", "choose-events", "renew-secret", "end-old-secret"),
    *("remove-webhook", "test-webhook"),
)


def _listener(request: HttpRequest, slug: str) -> Listener:
    """The study, for its owners, or the reader's account."""
    return get_study(request.user, slug, Role.OWNER) if slug else account(request)


def _address(listener: Listener, name: str, *more: int) -> str:
    slugs = [listener.slug] if isinstance(listener, Study) else []
    return reverse(f"desk:{name}", args=[*slugs, *more])


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def webhook(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Where events are posted and what became of each message. A new address makes a new secret,
    which is shown in that answer alone."""
    listener = _listener(request, slug)
    form = WebhookForm(request.POST or None)
    if request.method == "GET":
        return _page(request, listener)
    if not form.is_valid():
        return _page(request, listener, status=422, form=form)
    url = form.cleaned_data["url"]
    made = webhooks.set_webhook(of=listener, url=url, by=account(request), now=timezone.now())
    return _page(request, listener, secret=made.secret)


def _page(
    request: HttpRequest, listener: Listener, *, status: int = 200, **changed: Any
) -> HttpResponse:
    hook = Webhook.objects.of(listener).first()
    rows = Delivery.objects.posted_for(listener).select_related("study", "alert", "job")
    state = request.GET.get("state", "")
    if state in SHOWN:
        rows = rows.filter(job__state=state)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    may_send = hook is not None
    context: dict[str, Any] = {
        "study": listener if isinstance(listener, Study) else None,
        "webhook": hook,
        "old_until": hook.old_until if hook and hook.signs_with_old(timezone.now()) else None,
        "form": WebhookForm(),
        "events_form": None if hook is None else EventsForm(initial={"events": hook.chosen}),
        "page": page,
        "lines": [
            {
                "row": row,
                "event": name_of(row.event),
                "again": _address(listener, "send-again", row.pk)
                if may_send and not row.job.is_under_way
                else "",
            }
            for row in page
        ],
        "states": [(shown.value, shown.label) for shown in SHOWN],
        "state": state,
        "to": {name.replace("-", "_"): _address(listener, name) for name in ACTIONS},
    }
    return render(request, "desk/webhook.html", context | changed, status=status)


@login_required
@require_POST
def choose_events(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Which events are posted."""
    listener, form = _listener(request, slug), EventsForm(request.POST)
    if not form.is_valid():
        return _page(request, listener, status=422, events_form=form)
    events, now = form.cleaned_data["events"], timezone.now()
    webhooks.choose_events(of=listener, events=events, by=account(request), now=now)
    messages.success(request, "Saved.")
    return redirect(_address(listener, "webhook"))


@login_required
@require_POST
@never_cache
def renew_secret(request: HttpRequest, slug: str = "") -> HttpResponse:
    """A new secret for the same address, shown in this answer alone."""
    listener = _listener(request, slug)
    made = webhooks.renew_secret(of=listener, by=account(request), now=timezone.now())
    if made is None:
        messages.warning(request, "There is no webhook.")
        return redirect(_address(listener, "webhook"))
    return _page(request, listener, secret=made.secret)


@login_required
@require_POST
def end_old_secret(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Sign with the newest secret alone."""
    listener = _listener(request, slug)
    if webhooks.end_old_secret(of=listener, by=account(request), now=timezone.now()):
        messages.success(request, "Messages are signed with the newest secret alone.")
    return redirect(_address(listener, "webhook"))


@login_required
@require_POST
def remove_webhook(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Post events nowhere."""
    listener = _listener(request, slug)
    if webhooks.remove_webhook(of=listener, by=account(request)):
        messages.success(request, "The webhook is removed.")
    return redirect(_address(listener, "webhook"))


@login_required
@require_POST
def post_test(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Post a test message."""
    listener = _listener(request, slug)
    if Webhook.objects.of(listener).exists():
        send_test(request, listener)
    else:
        messages.warning(request, NO_ADDRESS)
    return redirect(_address(listener, "webhook"))


@login_required
@require_POST
def send_again(request: HttpRequest, delivery_id: int, slug: str = "") -> HttpResponse:
    """Send one message once more."""
    listener = _listener(request, slug)
    rows = Delivery.objects.posted_for(listener).select_related("job", "study", "owner")
    row = get_object_or_404(rows, pk=delivery_id)
    if webhooks.send_again(delivery=row, by=account(request)):
        messages.success(request, "It is sent again.")
    else:
        messages.info(request, "It waits already, or there is no webhook to send it to.")
    return redirect(_address(listener, "webhook"))
