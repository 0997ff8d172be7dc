"""Tokens of the API: making, using and revoking them."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.models import Study, User, log_change
from annotation.models.changes import account_subject
from api.models import ApiToken, KeyedWrite
from api.scopes import Scope

# By which scanners for leaked secrets, and people, recognise a token.
PREFIX = "jbx_"
SHOWN = 10
# How long a write is remembered under the key of its caller.
REMEMBERED = timedelta(days=2)
_USE_NOTED = timedelta(minutes=1)


def digest_of(secret: str) -> str:
    """What is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(
    *, owner: User, name: str, scopes: Sequence[Scope], days: int, study: Study | None = None
) -> tuple[ApiToken, str]:
    """A token and its secret, which is known nowhere afterwards. study: None for all studies of
    the owner, those to come included."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        owner=owner,
        study=study,
        name=name,
        scopes=[str(scope) for scope in scopes],
        digest=digest_of(secret),
        start=secret[:SHOWN],
        expires_at=timezone.now() + timedelta(days=days),
    )
    detail = {"token": token.pk, "scopes": token.scopes, "days": days}
    subject = account_subject(owner)
    log_change(study=study, by=owner, action="token.made", subject=subject, detail=detail)
    return token, secret


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User) -> bool:
    """Let a token open nothing any more. False where it was revoked before."""
    standing = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if not standing.update(revoked_at=timezone.now()):
        return False
    subject, detail = account_subject(token.owner), {"token": token.pk}
    log_change(study=token.study, by=by, action="token.revoked", subject=subject, detail=detail)
    return True


def token_of(secret: str) -> ApiToken | None:
    """The token that works now, with its owner."""
    rows = ApiToken.objects.working(timezone.now()).select_related("owner")
    return rows.filter(digest=digest_of(secret)).first()


def note_use(token: ApiToken, now: datetime) -> None:
    """Note when the token was used last, at most once in a minute."""
    if token.last_used_at is None or now - token.last_used_at > _USE_NOTED:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def forget_old_writes(*, now: datetime) -> int:
    """Remove what is remembered of writes of some days ago; how many."""
    return KeyedWrite.objects.filter(made_at__lt=now - REMEMBERED).delete()[0]


def forget_answered(study: Study, **_signal: object) -> None:
    """Forget what was answered to writes: it may hold words of a worker that are erased now. They
    are still done once; repeated, they are answered with their status alone."""
    writes = KeyedWrite.objects.filter(token__owner__memberships__study=study)
    writes.filter(body__isnull=False).update(body=None)
