"""Pages are sent compressed, unless another site made the browser ask for them."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

# Who asks, as browsers say to addresses with https. From elsewhere none of our pages needs to be
# light: whoever comes by a link of a panel sees one such page.
ELSEWHERE = {"cross-site", "same-site"}


class CompressedPages(GZipMiddleware):
    """Whole texts only: what is streamed is a file, and is handed on piece by piece as it comes.

    A page that repeats something of its address says by its compressed length whether that occurs
    on it again (the BREACH attack); to find a secret, somebody must have the browser ask thousands
    of times from a page of theirs. Such requests are answered uncompressed. Browsers that do not
    say who asks are left with random lengths, which Django adds, session cookies that no other
    site's request carries along, and form tokens that are masked anew each time.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or request.headers.get("Sec-Fetch-Site") in ELSEWHERE:
            return response
        return super().process_response(request, response)
