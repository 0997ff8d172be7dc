"""Liveness, readiness and metrics for monitoring, and the page *Health* for operators."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.views.access import for_operators
from desk.installation.health import figures
from desk.installation.health.checks import failing_parts
from desk.installation.health.exposition import exposition
from desk.installation.health.faults import faults_since
from desk.installation.health.lines import health_lines
from desk.installation.safety import is_public

# What a proxy adds. Behind one every stranger comes from its address, which may be this machine's.
FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded")


@require_GET
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process runs."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_GET
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 only when every part answers, else 503 with the names of those that do not."""
    failing = failing_parts()
    return JsonResponse({"ready": not failing, "failing": failing}, status=503 if failing else 200)


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, for whoever has the token."""
    if not _may_read_metrics(request):
        return HttpResponseForbidden("METRICS_TOKEN is needed.\n", content_type="text/plain")
    text, kind = exposition()
    return HttpResponse(text, content_type=kind)


def _may_read_metrics(request: HttpRequest) -> bool:
    """With the token; where none is set, from this machine, if no other reaches the program."""
    if settings.METRICS_TOKEN:
        wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
        return constant_time_compare(request.headers.get("Authorization", "").encode(), wanted)
    if is_public() or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@never_cache
@for_operators
@require_GET
def health(request: HttpRequest) -> HttpResponse:
    """How the installation is: its parts, its queues, and errors of the last day."""
    now = timezone.now()
    context = {
        "lines": list(health_lines()),
        "queues": figures.queues(now),
        "faults": faults_since(now - figures.DAY),
    }
    return render(request, "desk/health.html", context)
