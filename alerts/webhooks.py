"""The webhook of a study: its address and secret, and posting to it.

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
from alerts.models import Delivery, Webhook, WebhookFeed
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
def set_webhook(*, study: Study, url: str, by: User, now: datetime) -> Webhook:
    """Post the study's events to an address, under a new secret. BadAddress where that cannot be.
    The secret is to be shown now and never again. Where the address stays, the secret before signs
    as well for a while; renewed once more in that time, it stays that one, since the recipient may
    not have the other yet."""
    check_address(url)
    standing = Webhook.objects.select_for_update(no_key=True).filter(study=study).first()
    fresh = {"url": url, "secret": secrets.token_urlsafe(32), "made_at": now, **NO_OLD_SECRET}
    if standing is not None and standing.url == url and (signing := standing.secrets(now)):
        fresh |= {"old_secret": signing[-1], "old_until": now + OVERLAP}
    webhook, _created = Webhook.objects.update_or_create(study=study, defaults=fresh)
    host = httpx2.URL(url).host  # paths and queries of such addresses are often secrets
    log_change(study=study, by=by, action="webhook.set", subject=host)
    if not WebhookFeed.objects.filter(study=study).exists():
        begin_feed(study=study, now=now)
    return webhook


def renew_secret(*, study: Study, by: User, now: datetime) -> Webhook | None:
    """The webhook under a new secret, which is to be shown now and never again; None where the
    study has none. Messages that wait are signed with it, and for a while with the one before."""
    webhook = Webhook.objects.filter(study=study).first()
    return None if webhook is None else set_webhook(study=study, url=webhook.url, by=by, now=now)


@transaction.atomic
def end_old_secret(*, study: Study, by: User, now: datetime) -> bool:
    """Sign with the newest secret alone from now on. False where that is so already."""
    if not Webhook.objects.filter(study=study, old_until__gt=now).update(**NO_OLD_SECRET):
        return False
    log_change(study=study, by=by, action="webhook.old_secret_ended")
    return True


def forget_old_secrets(*, now: datetime) -> int:
    """Remove secrets that no longer sign; how many."""
    return Webhook.objects.filter(old_until__lte=now).update(**NO_OLD_SECRET)


@transaction.atomic
def choose_events(*, study: Study, events: Sequence[str], by: User, now: datetime) -> bool:
    """Tell the webhook of these events, names of `events.KINDS`, and of no other. False where that
    is so already, or where there is no webhook."""
    chosen = [name for name in NAMES if name in events]
    webhook = Webhook.objects.select_for_update(no_key=True).filter(study=study).first()
    if webhook is None or webhook.chosen == chosen:
        return False
    if not wants_more(webhook):
        begin_feed(study=study, now=now)  # nobody has looked for a while
    webhook.events = chosen
    webhook.save(update_fields=["events"])
    log_change(study=study, by=by, action="webhook.events_chosen", detail={"events": chosen})
    return True


@transaction.atomic
def send_again(*, delivery: Delivery, by: User) -> bool:
    """Send a message that has ended once more, under the same key. False where it still waits, or
    there is no webhook any more."""
    is_post = delivery.channel == Delivery.Channel.WEBHOOK
    if not is_post or not Webhook.objects.filter(study=delivery.study_id).exists():
        return False
    if not start_again(delivery.job, by=by):
        return False
    Delivery.objects.filter(pk=delivery.pk).update(status=None)
    subject = str(delivery.key)
    log_change(study=delivery.study, by=by, action="webhook.sent_again", subject=subject)
    return True


@transaction.atomic
def remove_webhook(*, study: Study, by: User) -> bool:
    """Post the study's events nowhere. False where there was no webhook."""
    removed, _ = Webhook.objects.filter(study=study).delete()
    WebhookFeed.objects.filter(study=study).delete()
    if removed:
        log_change(study=study, by=by, action="webhook.removed")
    return bool(removed)


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
