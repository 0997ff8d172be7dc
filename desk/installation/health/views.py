"""Liveness and readiness, for monitoring."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from desk.installation.health.checks import failing_parts


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
