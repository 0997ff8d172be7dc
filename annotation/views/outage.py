"""The page for a request that failed: 503 while the database cannot be used, else 500. And for one
that is refused, where more is asked than can be answered: else all would wait, longer and longer,
also for pages that nobody waits for any more."""

import sys
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.views.defaults import server_error

from annotation.middleware.language import activate_browser_language
from annotation.queries.outages import RETRY_AFTER_S, is_outage, outage_log
from annotation.views.faults import typed
from telemetry.waiting import waited

SECRETS = settings.AXES_SENSITIVE_PARAMETERS
# Nothing has been done for a request that waited so long: it may be sent again.
LONGEST_WAIT_S = 3.0
# They say how the program is, which is wanted then above all.
ALWAYS_ANSWERED = {"/healthz", "/readyz", "/metrics"}


def refuse_after_wait(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Middleware: what has waited too long for a thread is refused at once, without a question to
    the database, and the browser sends it again a little later."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if waited.get() > LONGEST_WAIT_S and request.path_info not in ALWAYS_ANSWERED:
            return unavailable(request, busy=True)
        return get_response(request)

    return middleware


def request_failed(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`: called while the error that nobody caught is being handled."""
    error = sys.exc_info()[1]
    if error is None or not is_outage(error):
        return server_error(request)
    outage_log.write(error)
    return unavailable(request)


def unavailable(request: HttpRequest, *, busy: bool = False) -> HttpResponse:
    """A page that tries again by itself, where nothing has been done. It is drawn without the
    request: what templates know of one, such as who is signed in, is read from the database."""
    of_workers = _is_of_workers(request)
    if of_workers:
        activate_browser_language(request)
    posted = request.method == "POST"
    may_repeat = not posted or _may_repeat(request)
    context = {
        "busy": busy,
        "posted": posted,
        "typed": typed(request),
        "may_repeat": may_repeat,
        # What researchers' forms set off is sent again by themselves alone.
        "by_itself": may_repeat and (of_workers or not posted),
        "address": request.path if posted else request.get_full_path(),
        "csrf_token": request.POST.get("csrfmiddlewaretoken", ""),
        "seconds": RETRY_AFTER_S,
    }
    response = HttpResponse(render_to_string("annotation/outage.html", context), status=503)
    response["Retry-After"] = str(RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    response._has_been_logged = True  # type: ignore[attr-defined] # else Django writes a traceback
    return response


def _is_of_workers(request: HttpRequest) -> bool:
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return True  # an address inside a panel's frame, whose worker could not be looked up
    return match.app_name == "annotation"


def _may_repeat(request: HttpRequest) -> bool:
    """No page repeats a password, and none can repeat a file."""
    names = {name for name, _value in typed(request)}
    secret = any("password" in name for name in names) or not names.isdisjoint(SECRETS)
    return not secret and not request.FILES
