"""How many requests a token may make in a minute."""

from math import ceil

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

    def limits(self) -> dict[str, str]:
        """What is left, before there is none: the headers `RateLimit-Policy` and `RateLimit` of the
        IETF's draft (draft-ietf-httpapi-ratelimit-headers, from its 8th edition on). q: requests in
        w seconds; r: those that are left now; t: seconds until there is one more again, or, where
        none was made yet, all."""
        history = getattr(self, "history", None)
        if history is None:
            return {}  # refused before it was counted
        left = max(0, self.num_requests - len(history))
        age = self.now - history[-1] if history else 0
        policy = f'"{self.scope}";q={self.num_requests};w={int(self.duration)}'
        now = f'"{self.scope}";r={left};t={ceil(self.duration - age)}'
        return {"RateLimit-Policy": policy, "RateLimit": now}
