"""The schema of the API, and the page on which it can be read and tried."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView

from annotation.middleware.security_policy import allow_sources


class Schema(SpectacularAPIView):
    """The schema, for anybody: it says nothing of any study."""

    renderer_classes = [OpenApiJsonRenderer]
    permission_classes = []
    authentication_classes = []


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """The page on which operations can be read and tried, all of it served from here."""
    response = render(request, "desk/api_docs.html")
    # Pictures in the styles of Swagger UI.
    allow_sources(response, "img-src", ("'self'", "data:"))
    return response
