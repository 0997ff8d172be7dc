"""When a request is sent again, and after how long."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Too many requests; and what a server or the proxy before it answers while it restarts.
PASSING = frozenset({429, 502, 503, 504})
_FIRST, _LONGEST = 0.5, 30.0


@dataclass(frozen=True)
class Patience:
    """How often and how long a request is tried. attempts: in all, at least 1. longest_wait: in
    seconds; a server that asks for a longer wait is refused at once."""

    attempts: int = 6
    longest_wait: float = 120.0

    def wait(self, attempt: int, retry_after: str | None = None) -> float | None:
        """Seconds before the next attempt; None where there is none. attempt: from 0.
        retry_after: the header of that name, in seconds or as a date."""
        if attempt + 1 >= self.attempts:
            return None
        demanded = _seconds(retry_after)
        if demanded is None:
            # Clients that failed together do not come back together.
            return min(_FIRST * 2.0**attempt, _LONGEST) * random.uniform(0.5, 1)  # noqa: S311
        return demanded if demanded <= self.longest_wait else None


def _seconds(retry_after: str | None) -> float | None:
    text = (retry_after or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
