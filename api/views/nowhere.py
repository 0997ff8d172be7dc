"""Addresses of the API that do not exist: programs get a problem document there, too."""

from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from api.problems import CONTENT_TYPE


@csrf_exempt
def nowhere(request: HttpRequest, rest: str = "") -> JsonResponse:
    """404 for any method."""
    text = "There is no such address. They end in a slash; see /api/v1/docs/."
    body = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": text}
    return JsonResponse(body, status=HTTPStatus.NOT_FOUND, content_type=CONTENT_TYPE)
