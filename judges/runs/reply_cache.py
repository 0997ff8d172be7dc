"""The cache of replies in the database, so that no request is paid for twice.

A reply is kept as soon as it comes, before the answer that it leads to is written. So when a worker
is killed, the one that takes over finds what was paid for, and its cost is still counted.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.models import CachedReply


class DatabaseCache:
    """A `judges.backends.contract.ReplyCache` in the database, for one run."""

    def __init__(self, run_id: int) -> None:
        self.run_id = run_id

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies under those keys, at no cost.

        A failed reply is found only by the run that paid for it: it was kept so that its cost can
        still be counted after a crash. Other runs ask again.
        """
        rows = CachedReply.objects.filter(key__in=list(keys)).values_list("key", "reply")
        replies = {key: (_reply(fields), fields["run"]) for key, fields in rows}
        return {
            key: _at_no_cost(reply, own=run == self.run_id)
            for key, (reply, run) in replies.items()
            if reply.failure is None or run == self.run_id
        }

    def keep(self, replies: Mapping[str, Reply]) -> None:
        """Keep replies; the first one kept under a key stays."""
        rows = [
            CachedReply(key=key, reply=_fields(reply, self.run_id))
            for key, reply in replies.items()
        ]
        CachedReply.objects.bulk_create(rows, ignore_conflicts=True)


def forget(keys: list[str]) -> None:
    """Remove replies that held no answer, so that the next request is really made."""
    if keys:
        CachedReply.objects.filter(key__in=keys).delete()


def forget_failures(keys: Iterable[str]) -> None:
    """Remove the failed replies under those keys: the first reply under a key stays, so a new one
    could not be kept."""
    failures = [failure.value for failure in Failure]
    CachedReply.objects.filter(key__in=list(keys), reply__failure__in=failures).delete()


def _at_no_cost(reply: Reply, *, own: bool) -> Reply:
    """The reply without cost and tokens; its detail holds them, and whether this run paid."""
    original = {
        "cost": None if reply.cost is None else str(reply.cost),
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "own": own,
    }
    return dataclasses.replace(
        reply,
        cost=None if reply.cost is None else Decimal(0),
        tokens_in=None if reply.tokens_in is None else 0,
        tokens_out=None if reply.tokens_out is None else 0,
        latency_ms=0,
        detail={**reply.detail, "cached": original},
    )


def at_full_cost(reply: Reply) -> Reply:
    """A cached reply with its original cost and tokens, where these were never counted."""
    original = reply.detail["cached"]
    return dataclasses.replace(
        reply,
        cost=None if original["cost"] is None else Decimal(original["cost"]),
        tokens_in=original["tokens_in"],
        tokens_out=original["tokens_out"],
    )


def _fields(reply: Reply, run_id: int) -> dict[str, Any]:
    # Without the request, which is long, and which those who look the reply up have already.
    # Not dataclasses.asdict, which copies every log probability.
    names = (field.name for field in dataclasses.fields(reply) if field.name != "request")
    fields = {name: getattr(reply, name) for name in names}
    cost = None if reply.cost is None else str(reply.cost)
    return fields | {"cost": cost, "run": run_id}


def _reply(fields: Mapping[str, Any]) -> Reply:
    cost, failure = fields["cost"], fields["failure"]
    own_fields = {name: value for name, value in fields.items() if name != "run"}
    return Reply(
        **own_fields
        | {
            "cost": None if cost is None else Decimal(cost),
            "failure": Failure(failure) if failure else None,
        }
    )
