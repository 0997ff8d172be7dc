"""What is told of each request: a number under which its lines are found, a count, a span."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from telemetry.context import bound, new_id
from telemetry.counters import count_request
from telemetry.logs import REQUESTS
from telemetry.routes import method_of, route_of
from telemetry.traces import span

HEADER = "X-Request-ID"
log = logging.getLogger(REQUESTS)


def observed(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """The middleware: first of all, so that it sees what the others answer. It asks the database
    nothing, and names a request by its route: addresses hold tokens and workers' ids."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request_id, begun = new_id(), time.perf_counter()
        with bound(request=request_id), span("request", kind="server") as name_it:
            response = get_response(request)
            route, method = route_of(request), method_of(request)
            seconds = time.perf_counter() - begun
            count_request(route=route, method=method, status=response.status_code, seconds=seconds)
            name_it(f"{method} {route}", status=response.status_code)
            fields = {
                "method": method,
                "route": route,
                "status": response.status_code,
                "ms": round(seconds * 1000),
            }
            log.info("answered", extra={"fields": fields})
        response.headers[HEADER] = request_id
        return response

    return middleware
