"""How many requests a token may make in a minute."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from api.models import ApiToken


class TokenThrottle(SimpleRateThrottle):
    """Counts the requests of each token; those without one by their address. Each process of the
    web server counts by itself."""

    scope = "token"

    def get_rate(self) -> str:
        """The setting `API_RATE`."""
        return str(settings.API_RATE)

    def get_cache_key(self, request: Request, view: object) -> str:
        """Under which the requests are counted."""
        token = request.auth
        ident = f"{token.pk}" if isinstance(token, ApiToken) else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
