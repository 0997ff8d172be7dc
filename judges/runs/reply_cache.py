"""Replies that were paid for once, kept in the database and found again.

A reply is kept the moment it comes, before the answer that it leads to: what a worker had paid for
when it was killed is found by the one that takes over, and still counted.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.models import CachedReply


class DatabaseCache:
    """A `judges.backends.contract.ReplyCache` of rows, as one run looks into it."""

    def __init__(self, run_id: int) -> None:
        self.run_id = run_id

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies kept under those keys, free of charge.

        A failed one is found by its own run alone: it was kept for its cost, and the worker that
        was to count it is gone. Everybody else asks again.
        """
        rows = CachedReply.objects.filter(key__in=list(keys)).values_list("key", "reply")
        found = {key: (_reply(fields), fields["run"]) for key, fields in rows}
        return {
            key: _free_of_charge(reply, own=run == self.run_id)
            for key, (reply, run) in found.items()
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
    """Forget replies that turned out to hold no answer: asked again, they are asked for real."""
    if keys:
        CachedReply.objects.filter(key__in=keys).delete()


def forget_failures(keys: Iterable[str]) -> None:
    """Forget what failed under those keys: nobody but its own run would find it, and whatever
    comes now could not be kept beside it."""
    failures = [failure.value for failure in Failure]
    CachedReply.objects.filter(key__in=list(keys), reply__failure__in=failures).delete()


def _free_of_charge(reply: Reply, *, own: bool) -> Reply:
    """As it is counted now; its detail says what it took once, and whether from this run."""
    once = {
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
        detail={**reply.detail, "cached": once},
    )


def charged(reply: Reply) -> Reply:
    """A kept reply with what it took once: for who finds that nobody has counted it."""
    once = reply.detail["cached"]
    return dataclasses.replace(
        reply,
        cost=None if once["cost"] is None else Decimal(once["cost"]),
        tokens_in=once["tokens_in"],
        tokens_out=once["tokens_out"],
    )


def _fields(reply: Reply, run_id: int) -> dict[str, Any]:
    # Without the request, which is as long as a study's texts and is known to who finds the reply.
    # Not dataclasses.asdict, which copies every probability on the way.
    names = (one.name for one in dataclasses.fields(reply) if one.name != "request")
    fields = {name: getattr(reply, name) for name in names}
    cost = None if reply.cost is None else str(reply.cost)
    return fields | {"cost": cost, "run": run_id}


def _reply(fields: Mapping[str, Any]) -> Reply:
    cost, failure = fields["cost"], fields["failure"]
    kept = {name: value for name, value in fields.items() if name != "run"}
    return Reply(
        **kept
        | {
            "cost": None if cost is None else Decimal(cost),
            "failure": Failure(failure) if failure else None,
        }
    )
