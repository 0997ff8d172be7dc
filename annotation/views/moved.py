"""Old addresses of pages that are parts of others now: they lead there for good, query and all."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.access import get_study

View = Callable[..., HttpResponse]


@login_required
@require_safe
def moved(request: HttpRequest, slug: str, to: str, **keys: int) -> HttpResponse:
    """The way from an old address to the page `to`, for those who may read the study."""
    get_study(request.user, slug)
    address, query = reverse(to, args=[slug, *keys.values()]), request.GET.urlencode()
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


def posted_from(page: str) -> Callable[[View], View]:
    """A decorator, outside of all others, for a view that a form of another page posts to: whoever
    opens its address is led to that page."""

    def decorate(view: View) -> View:
        @wraps(view)
        def posted(request: HttpRequest, slug: str) -> HttpResponse:
            return view(request, slug) if request.method == "POST" else moved(request, slug, page)

        return posted

    return decorate
