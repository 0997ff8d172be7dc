"""The webhook of a study or an account: its address and secret, and posting to it.

A post is signed: `Jurybox-Signature: t=<seconds>,v1=<hex>`, where the hex is the HMAC-SHA256 of
`<seconds>.<body>` under the secret. For a day after the secret was renewed there are two,
`v1=<hex>,v1=<hex>`, of the new secret and of the old; a recipient accepts either. It refuses old
times, so that nobody can send a recorded message again, and knows a repeated one by its
`Jurybox-Delivery`.
"""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import httpcore2
import httpx2
from django.conf import settings
from django.db import transaction

from alerts.events import NAMES
from alerts.feeds import begin_feed, wants_more
from alerts.models import Delivery, Listener, Webhook, WebhookFeed
from alerts.models.webhooks import belonging_to
from annotation.models import Study, User, log_change
from jobs.queue import start_again
from retrieval.connections import GuardedNetwork, LinkRefused
from retrieval.exchange import NO_CONNECTION, answered, web_address
from retrieval.proxy import configured_proxy

# Seconds for one post, all in all.
TIMEOUT = 10.0
# For how long the secret before signs as well.
OVERLAP = timedelta(days=1)
# Answers that may be others the next time.
_TRANSIENT = frozenset({408, 425, 429})
NO_OLD_SECRET: dict[str, Any] = {"old_secret": "", "old_until": None}
UNREADABLE = "SECRET_KEY has changed, so that its secret is lost: save the address again"


class BadAddress(ValueError):
    """No address that messages can be posted to; the message says why."""


class PostOutcome(NamedTuple):
    """What became of a post. problem: empty where it was taken. again: whether a later try may be
    taken."""

    status: int | None
    problem: str
    again: bool = False


@transaction.atomic
def set_webhook(*, of: Listener, url: str, by: User, now: datetime) -> Webhook:
    """Post the events of a study, or of all studies that an account owns, to an address, under a
    new secret. BadAddress where that cannot be. The secret is to be shown now and never again.
    Where the address stays, the secret before signs as well for a while; renewed once more in that
    time, it stays that one, since the recipient may not have the other yet."""
    check_address(url)
    standing = Webhook.objects.select_for_update(no_key=True).of(of).first()
    fresh = {"url": url, "secret": secrets.token_urlsafe(32), "made_at": now, **NO_OLD_SECRET}
    if standing is not None and standing.url == url and (signing := standing.secrets(now)):
        fresh |= {"old_secret": signing[-1], "old_until": now + OVERLAP}
    webhook, _created = Webhook.objects.update_or_create(**belonging_to(of), defaults=fresh)
    host = httpx2.URL(url).host  # paths and queries of such addresses are often secrets
    _log(of, by, "set", subject=host)
    if not WebhookFeed.objects.of(of).exists():
        begin_feed(of=of, now=now)
    return webhook


def renew_secret(*, of: Listener, by: User, now: datetime) -> Webhook | None:
    """The webhook under a new secret, which is to be shown now and never again; None where there is
    none. Messages that wait are signed with it, and for a while with the one before."""
    webhook = Webhook.objects.of(of).first()
    return None if webhook is None else set_webhook(of=of, url=webhook.url, by=by, now=now)


@transaction.atomic
def end_old_secret(*, of: Listener, by: User, now: datetime) -> bool:
    """Sign with the newest secret alone from now on. False where that is so already."""
    if not Webhook.objects.of(of).filter(old_until__gt=now).update(**NO_OLD_SECRET):
        return False
    _log(of, by, "old_secret_ended")
    return True


def forget_old_secrets(*, now: datetime) -> int:
    """Remove secrets that no longer sign; how many."""
    return Webhook.objects.filter(old_until__lte=now).update(**NO_OLD_SECRET)


@transaction.atomic
def choose_events(*, of: Listener, events: Sequence[str], by: User, now: datetime) -> bool:
    """Tell the webhook of these events, names of `events.KINDS`, and of no other. False where that
    is so already, or where there is no webhook."""
    chosen = [name for name in NAMES if name in events]
    webhook = Webhook.objects.select_for_update(no_key=True).of(of).first()
    if webhook is None or webhook.chosen == chosen:
        return False
    if not wants_more(webhook):
        begin_feed(of=of, now=now)  # nobody has looked for a while
    webhook.events = chosen
    webhook.save(update_fields=["events"])
    _log(of, by, "events_chosen", detail={"events": chosen})
    return True


@transaction.atomic
def send_again(*, delivery: Delivery, by: User) -> bool:
    """Send a message that has ended once more, under the same key. False where it still waits, or
    there is no webhook any more."""
    is_post = delivery.channel == Delivery.Channel.WEBHOOK
    if not is_post or not Webhook.objects.of(delivery.listener).exists():
        return False
    if not start_again(delivery.job, by=by):
        return False
    Delivery.objects.filter(pk=delivery.pk).update(status=None)
    _log(delivery.listener, by, "sent_again", subject=str(delivery.key))
    return True


@transaction.atomic
def remove_webhook(*, of: Listener, by: User) -> bool:
    """Post the events nowhere. False where there was no webhook."""
    removed, _ = Webhook.objects.of(of).delete()
    WebhookFeed.objects.of(of).delete()
    if removed:
        _log(of, by, "removed")
    return bool(removed)


def _log(of: Listener, by: User, what: str, **more: Any) -> None:
    """What somebody does with the webhook of an account is of no study: `by` names the account."""
    study = of if isinstance(of, Study) else None
    log_change(study=study, by=by, action=f"webhook.{what}", **more)


def check_address(url: str) -> httpx2.URL:
    """The address, as it will be posted to. Whether its host is public is seen at every post."""
    try:
        return web_address(url)
    except LinkRefused as error:
        message = "This is not a web address: it must begin with https:// and hold no password."
        raise BadAddress(message) from error


def signature(*, signing: Sequence[str], body: bytes, at: int) -> str:
    """The value of `Jurybox-Signature`. signing: the secrets; each makes a part. at: seconds since
    1970."""
    signed = f"{at}.".encode() + body
    codes = [hmac.new(secret.encode(), signed, hashlib.sha256) for secret in signing]
    return ",".join([f"t={at}", *(f"v1={code.hexdigest()}" for code in codes)])


def post(*, webhook: Webhook, body: bytes, key: str, event: str, now: datetime) -> PostOutcome:
    """Post a message once. Redirects are not followed, and what is answered is not read."""
    signing = webhook.secrets(now)
    if not signing:
        return PostOutcome(None, UNREADABLE)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Jurybox",
        "Jurybox-Delivery": key,
        "Jurybox-Event": event,
        "Jurybox-Signature": signature(signing=signing, body=body, at=int(now.timestamp())),
        "Connection": "close",
    }
    try:
        status = asyncio.run(_post(check_address(webhook.url), headers, body))
    except (LinkRefused, BadAddress) as error:
        return PostOutcome(None, f"refused: {error}"[:200])
    except TimeoutError:
        return PostOutcome(None, f"no answer within {TIMEOUT:g} seconds", again=True)
    except NO_CONNECTION as error:
        return PostOutcome(
            None, f"no connection: {error or type(error).__name__}"[:200], again=True
        )
    except httpcore2.ProtocolError as error:
        return PostOutcome(None, f"no HTTP: {error}"[:200], again=True)
    return _outcome(status)


def _outcome(status: int) -> PostOutcome:
    if 200 <= status < 300:
        return PostOutcome(status, "")
    if 300 <= status < 400:
        return PostOutcome(status, "redirects are not followed: enter the address that it leads to")
    again = status >= 500 or status in _TRANSIENT
    return PostOutcome(status, f"answered with the status {status}", again)


async def _post(address: httpx2.URL, headers: dict[str, str], body: bytes) -> int:
    network = GuardedNetwork(
        ports=settings.WEBHOOK_PORTS,
        allowed=settings.WEBHOOK_PRIVATE,
        proxy=configured_proxy(),
    )
    async with (
        asyncio.timeout(TIMEOUT),
        answered(network, "POST", address, headers=headers, content=body) as response,
    ):
        return response.status_code
