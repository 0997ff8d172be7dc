"""Pauses between wrong passwords from one address, whichever names they were for.

A name waits for a quarter of an hour after ten wrong passwords (axes); a guesser who tries few
passwords on many names meets these pauses. They end: an address is never locked, since many people
may share it.
"""

import math
from datetime import timedelta

from axes.helpers import get_client_ip_address
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max, Sum
from django.http import HttpRequest
from django.utils import timezone

# More than one person mistypes, fewer than a guesser needs.
FREE = 20
LONGEST_S = 30


def seconds_to_wait(request: HttpRequest) -> int:
    """How long the address of this request still has to wait: a second after the wrong password
    that follows the free ones, twice as long after each further one, and no longer than 30."""
    now = timezone.now()
    recent = AccessAttempt.objects.filter(
        ip_address=get_client_ip_address(request),
        attempt_time__gt=now - settings.AXES_COOLOFF_TIME,
    )
    wrong = recent.aggregate(number=Sum("failures_since_start"), last=Max("attempt_time"))
    extra: int = (wrong["number"] or 0) - FREE
    if extra <= 0:
        return 0
    pause = timedelta(seconds=min(LONGEST_S, 2 ** min(extra - 1, 10)))
    left: timedelta = wrong["last"] + pause - now
    return max(0, math.ceil(left.total_seconds()))
