"""An app that makes codes, as the tests hold it."""

import time

from allauth.mfa.totp.internal import auth as totp

from accounts.signing_in.factors import add_app, new_app_secret
from annotation.models import User


def code_for(secret: str) -> str:
    """The code that the app shows now."""
    return str(totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30)))


def connect_app(user: User) -> str:
    """The secret of an app that is now connected to the account."""
    secret = new_app_secret()
    add_app(user=user, secret=secret, code=code_for(secret))
    return secret
