"""Who somebody is at the provider, and the account here that it is connected to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.accounts import make_account
from accounts.addresses import NotConfirmed, mark_confirmed
from accounts.signing_in.factors import Type, factors_of
from annotation.models import User
from annotation.models.changes import account_subject, log_change

LONGEST_SUBJECT = 190
MOST_NAMES = 1000


class NotLetIn(Exception):
    """Why somebody whom the provider knows does not come in, in words for them."""


@dataclass(frozen=True)
class Identity:
    """What a checked id token says of a person. email: empty unless the provider verified it."""

    subject: str
    email: str
    name: str
    user_name: str
    groups: frozenset[str]


def identity_of(claims: Mapping[str, Any]) -> Identity:
    """The person of the claims of a checked token; NotLetIn where it names nobody."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise NotLetIn("The company account has no usable number.")
    email = _text(claims, "email", 254).lower()
    listed = claims.get(settings.OIDC.groups_claim)
    names = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
    return Identity(
        subject=subject,
        email=email if claims.get("email_verified") is True else "",
        name=_text(claims, "name", 150),
        user_name=_text(claims, "preferred_username", 150) or email,
        groups=frozenset(name for name in names if isinstance(name, str)),
    )


def _text(claims: Mapping[str, Any], name: str, longest: int) -> str:
    value = claims.get(name)
    return value.strip()[:longest] if isinstance(value, str) else ""


def refuse_strangers(identity: Identity) -> None:
    """NotLetIn for people outside the domains and groups of the settings."""
    domain = identity.email.rpartition("@")[2]
    if settings.OIDC.domains and domain not in settings.OIDC.domains:
        raise NotLetIn("Accounts with this e-mail address may not sign in here.")
    if settings.OIDC.groups and not settings.OIDC.groups & identity.groups:
        raise NotLetIn("This company account is in no group that may sign in here.")


def account_for(identity: Identity) -> User:
    """The account that the person signs in to: the one that was connected, else one that has
    confirmed the same e-mail address, else a new one where the settings make them."""
    refuse_strangers(identity)
    row = connected(identity)
    if row is not None:
        if not row.user.is_active:
            raise NotLetIn("This account is deactivated.")
        SocialAccount.objects.filter(pk=row.pk).update(last_login=timezone.now())
        return row.user  # type: ignore[no-any-return]
    if (user := _of_same_address(identity)) is not None:
        connect(user=user, identity=identity)
        return user
    if not settings.OIDC.makes_accounts:
        raise NotLetIn(
            "No account here is connected to this company account. Sign in with your password "
            "and connect it on the page Account, or ask for an invitation."
        )
    return _made_for(identity)


def connected(identity: Identity) -> SocialAccount | None:
    """The connection of the person to an account."""
    rows = SocialAccount.objects.filter(provider=settings.OIDC.key, uid=identity.subject)
    return rows.select_related("user").first()


def connections_of(user: User) -> "QuerySet[SocialAccount]":
    """How the account is connected to providers, of now and of before."""
    return SocialAccount.objects.filter(user=user).order_by("pk")  # type: ignore[no-any-return]


def _of_same_address(identity: Identity) -> User | None:
    """Whoever has confirmed the address here reads that mailbox. It counts only for domains that
    the settings name: at others the provider may verify less than we do."""
    if not identity.email or not settings.OIDC.domains:
        return None
    rows = EmailAddress.objects.filter(email=identity.email, verified=True, user__is_active=True)
    row = rows.select_related("user").first()
    return None if row is None else row.user


@transaction.atomic
def connect(*, user: User, identity: Identity) -> None:
    """Let the person sign in to the account by the provider from now on. Of what the provider says
    only the number is stored."""
    try:
        with transaction.atomic():
            SocialAccount.objects.create(
                user=user, provider=settings.OIDC.key, uid=identity.subject, extra_data={}
            )
    except IntegrityError as error:
        row = connected(identity)
        if row is not None and row.user == user:
            return
        raise NotLetIn("This company account is connected to another account here.") from error
    log_change(
        study=None, by=user, action="account.company_connected", subject=account_subject(user)
    )


def has_other_way_in(user: User) -> bool:
    """Whether somebody gets into the account without the provider."""
    return user.has_usable_password() or factors_of(user).filter(type=Type.WEBAUTHN).exists()


@transaction.atomic
def disconnect(*, user: User) -> bool:
    """Take the connections away; False where nobody could sign in to the account any more."""
    if not has_other_way_in(user):
        return False
    if connections_of(user).delete()[0]:
        log_change(
            study=None,
            by=user,
            action="account.company_disconnected",
            subject=account_subject(user),
        )
    return True


@transaction.atomic
def _made_for(identity: Identity) -> User:
    user = make_account(username=_free_name(identity), password=None, name=identity.name)
    if identity.email:
        try:
            mark_confirmed(user=user, email=identity.email)
        except NotConfirmed as error:  # an account that is deactivated has it
            raise NotLetIn("Another account here has this e-mail address.") from error
    connect(user=user, identity=identity)
    return user


def _free_name(identity: Identity) -> str:
    wanted = re.sub(r"[^\w.@+-]", "", identity.user_name.partition("@")[0], flags=re.ASCII)
    wanted = wanted[:140] or "colleague"
    taken = {
        name.lower()
        for name in User.objects.filter(username__istartswith=wanted)
        .order_by("username")
        .values_list("username", flat=True)[:MOST_NAMES]
    }
    names = (wanted if n == 1 else f"{wanted}{n}" for n in range(1, MOST_NAMES + 2))
    return next(name for name in names if name.lower() not in taken)
