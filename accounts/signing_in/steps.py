"""Signing in, in one step or two, and how wrong codes are counted.

After the password of an account with a second factor nobody is signed in yet: the browser's session
only remembers whose password was right, for some minutes.
"""

import time
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models import Sum
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.signing_in.sessions import describe_session
from annotation.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"
FIRST_STEP, CONFIRMED, SECOND_STEP = "first_step", "confirmed_at", "second_step"
FIRST_STEP_SECONDS = 10 * 60
CONFIRMED_SECONDS = 15 * 60
# Wrong codes for one account from everywhere, who all know its password; axes counts by address.
CODES_FROM_EVERYWHERE = 50


@receiver(user_logged_in)
def note_sign_in(*, request: HttpRequest, **_more: Any) -> None:
    """What the list of sessions shows, and that the account may be changed here for a while."""
    describe_session(request)
    request.session[CONFIRMED] = int(time.time())


def remember_first_step(request: HttpRequest, user: User, next_url: str) -> None:
    """Whose password was right, and where they were going. Under a new session key, so that no key
    which somebody planted gets this far."""
    request.session[FIRST_STEP] = {
        "user": user.pk,
        "at": int(time.time()),
        "hash": user.get_session_auth_hash(),
        "next": next_url,
    }
    request.session.cycle_key()


def after_first_step(request: HttpRequest) -> tuple[User, str] | None:
    """Who has given the right password a moment ago, and where they were going."""
    step = request.session.get(FIRST_STEP)
    if step is None or time.time() - step["at"] > FIRST_STEP_SECONDS:
        return None
    user = User.objects.filter(pk=step["user"], is_active=True).first()
    if user is None or not constant_time_compare(step["hash"], user.get_session_auth_hash()):
        return None
    return user, step["next"]


def sign_in(request: HttpRequest, user: User, *, second_step: bool = False) -> None:
    """Sign the account in to this browser session, under a new key. A worker whom the session
    belongs to stays there."""
    request.session.pop(FIRST_STEP, None)
    login(request, user, backend=BACKEND)
    request.session[SECOND_STEP] = second_step
    if second_step:
        AxesProxyHandler.reset_attempts(username=_code_name(user))


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the person signed in, or typed the password again, a moment ago."""
    age = time.time() - request.session.get(CONFIRMED, 0)
    return bool(age < CONFIRMED_SECONDS)


def confirm(request: HttpRequest) -> None:
    """The person has just shown that it is them."""
    request.session[CONFIRMED] = int(time.time())


def count_wrong_code(request: HttpRequest, user: User) -> None:
    """Count a wrong code as axes counts wrong passwords, apart from those."""
    user_login_failed.send(sender=__name__, credentials=code_credentials(user), request=request)


def may_try_code(request: HttpRequest, user: User) -> bool:
    """Whether fewer codes than too many were wrong, from this address and from all of them."""
    if not AxesProxyHandler.is_allowed(request, code_credentials(user)):
        return False
    recent = timezone.now() - settings.AXES_COOLOFF_TIME
    wrong = AccessAttempt.objects.filter(username=_code_name(user), attempt_time__gt=recent)
    number = wrong.aggregate(number=Sum("failures_since_start"))["number"] or 0
    return bool(number < CODES_FROM_EVERYWHERE)


def code_credentials(user: User) -> dict[str, str]:
    """The name under which wrong codes are counted."""
    return {"username": _code_name(user)}


def _code_name(user: User) -> str:
    # No user name has a space. By number, since a name may fill the column.
    return f"code of {user.pk}"
