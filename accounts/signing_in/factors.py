"""Second factors of an account: an app that makes codes, passkeys, and recovery codes.

Kept by django-allauth, and reached through this module alone.
"""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.webauthn.internal import auth as webauthn
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from annotation.models import User
from annotation.models.changes import account_subject, log_change
from files.readers.json_values import json_value

Type = Authenticator.Type
SECOND_FACTORS = (Type.TOTP, Type.WEBAUTHN)
LARGEST_CREDENTIAL = 20_000  # characters; a passkey's answer has some 2,000


class FactorRefused(Exception):
    """What came from the app or the passkey does not fit."""


def factors_of(user: User | OuterRef) -> "QuerySet[Authenticator]":
    """The second factors of an account; recovery codes are none by themselves."""
    rows = Authenticator.objects.filter(user=user, type__in=SECOND_FACTORS)
    return rows.order_by("created_at")  # type: ignore[no-any-return]


def has_second_factor(user: User) -> bool:
    """Whether signing in to the account takes a second step."""
    return factors_of(user).exists()


def new_app_secret() -> str:
    """A secret for an app that makes codes."""
    return str(totp.generate_totp_secret())


def app_picture(user: User, secret: str) -> str:
    """The secret as a QR code: SVG, without any style of its own."""
    adapter = get_adapter()
    svg = str(adapter.build_totp_svg(adapter.build_totp_url(user, secret)))
    return svg[svg.index("<svg") :]


@transaction.atomic
def add_app(*, user: User, secret: str, code: str) -> None:
    """Let an app make codes for the account, if the code shows that it has the secret."""
    if not totp.validate_totp_code(secret, code):
        raise FactorRefused
    Authenticator.objects.filter(user=user, type=Type.TOTP).delete()
    totp.TOTP.activate(user, secret)
    RecoveryCodes.activate(user)  # only where there are none
    log_change(study=None, by=user, action="account.app_added", subject=account_subject(user))


@transaction.atomic
def check_code(*, user: User, code: str) -> None:
    """Use a code of the app or a recovery code, once; Refused for any other."""
    # The lock serialises two uses of one code, also in two processes.
    rows = Authenticator.objects.select_for_update().filter(user=user)
    for row in rows.filter(type__in=[Type.TOTP, Type.RECOVERY_CODES]).order_by("-type"):
        fits = _fits_app(row, code) if row.type == Type.TOTP else row.wrap().validate_code(code)
        if fits:
            row.refresh_from_db()
            row.record_usage()
            return
    raise FactorRefused


def _fits_app(row: Authenticator, code: str) -> bool:
    """Whether the app makes this code about now, later than the last one that was used
    (RFC 6238, section 5.2)."""
    secret, last = get_adapter().decrypt(row.data["secret"]), row.data.get("last_counter", 0)
    for counter in totp.yield_hotp_counters_from_time():
        expected = totp.format_hotp_value(totp.hotp_value(secret, counter))
        if counter > last and totp.compare_user_code(actual=code, expected=expected):
            row.data["last_counter"] = counter
            row.save(update_fields=["data"])
            return True
    return False


@transaction.atomic
def remove_factor(*, user: User, factor: Authenticator, by: User | None) -> None:
    """Take a second factor away; with the last one the recovery codes go, too."""
    kind = "app" if factor.type == Type.TOTP else "passkey"
    factor.delete()
    if not has_second_factor(user):
        Authenticator.objects.filter(user=user).delete()
    log_change(study=None, by=by, action=f"account.{kind}_removed", subject=account_subject(user))


@transaction.atomic
def remove_all_factors(*, user: User, by: User | None) -> int:
    """For somebody who lost them all: the password alone signs in again. How many there were."""
    number = factors_of(user).count()
    Authenticator.objects.filter(user=user).delete()
    log_change(study=None, by=by, action="account.factors_removed", subject=account_subject(user))
    return number


# --- Recovery codes -----------------------------------------------------------------------------


@transaction.atomic
def renew_recovery_codes(*, user: User) -> None:
    """New recovery codes; the old ones no longer work."""
    Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).delete()
    log_change(study=None, by=user, action="account.codes_renewed", subject=account_subject(user))
    RecoveryCodes.activate(user)


def unused_recovery_codes(user: User) -> list[str]:
    """The recovery codes that still work."""
    row = Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).first()
    return [] if row is None else list(row.wrap().get_unused_codes())


# --- Passkeys -----------------------------------------------------------------------------------


def begin_passkey(user: User) -> dict[str, Any]:
    """What the browser needs to make a passkey, as JSON; the challenge is kept in its session."""
    return dict(webauthn.begin_registration(user, passwordless=True))


@transaction.atomic
def add_passkey(*, user: User, name: str, credential: str) -> None:
    """Keep a passkey that the browser made."""
    answer = _read(credential)
    try:
        webauthn.parse_registration_response(answer)
        webauthn.complete_registration(answer)
    except (ValidationError, ValueError, TypeError, KeyError) as error:
        raise FactorRefused from error
    webauthn.WebAuthn.add(user, name, answer)
    RecoveryCodes.activate(user)  # only where there are none
    log_change(study=None, by=user, action="account.passkey_added", subject=account_subject(user))


def ask_for_passkey(user: User | None) -> dict[str, Any]:
    """What the browser needs to use a passkey: one of the account's, or whichever it has."""
    return dict(webauthn.begin_authentication(user))


def check_passkey(*, credential: str, user: User | None = None) -> User:
    """The account that a passkey belongs to, after the browser has used it; Refused for any other
    than `user`, where one is named."""
    answer = _read(credential)
    try:
        owner = webauthn.extract_user_from_response(answer) if user is None else user
        webauthn.parse_authentication_response(answer)
        row = webauthn.complete_authentication(owner, answer)
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FactorRefused from error
    finally:
        webauthn.clear_state()  # a challenge is for one try
    row.last_used_at = timezone.now()
    row.save(update_fields=["last_used_at"])
    assert isinstance(owner, User)
    return owner


def _read(credential: str) -> dict[str, Any]:
    if len(credential) > LARGEST_CREDENTIAL:
        raise FactorRefused
    try:
        answer = json_value(credential)
    except ValueError as error:
        raise FactorRefused from error
    if not isinstance(answer, dict):
        raise FactorRefused
    return answer
