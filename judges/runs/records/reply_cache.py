"""The cache of replies in the database, so that no request is paid for twice.

A reply is kept as soon as it comes, before the answer that it leads to is written. So when a worker
is killed, the one that takes over finds what was paid for, and its cost is still counted.
"""

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.models import CachedReply, JudgeRun


class DatabaseCache:
    """A `judges.backends.contract.ReplyCache` in the database, for one run.

    apart: the run takes no other run's replies and leaves them none. Its own are kept under keys of
    its own, since they are paid for and a worker that takes over, or a batch, needs them.
    """

    def __init__(self, run_id: int, *, apart: bool = False) -> None:
        self.run_id, self.apart = run_id, apart

    @classmethod
    def of(cls, run: JudgeRun) -> "DatabaseCache":
        """The cache as a run uses it: one that asks a probe set asks in earnest."""
        return cls(run.pk, apart=run.is_probe)

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies under those keys, at no cost.

        A failed reply is found only by the run that paid for it: it was kept so that its cost can
        still be counted after a crash. Other runs ask again.
        """
        by_stored = {self._stored(key): key for key in keys}
        rows = CachedReply.objects.filter(key__in=list(by_stored)).values_list("key", "reply")
        replies = {by_stored[key]: (_reply(fields), fields["run"]) for key, fields in rows}
        return {
            key: _at_no_cost(reply, own=run == self.run_id)
            for key, (reply, run) in replies.items()
            if reply.failure is None or run == self.run_id
        }

    def keep(self, replies: Mapping[str, Reply]) -> None:
        """Keep replies; the first one kept under a key stays."""
        rows = [
            CachedReply(key=self._stored(key), reply=_fields(reply, self.run_id))
            for key, reply in replies.items()
        ]
        CachedReply.objects.bulk_create(rows, ignore_conflicts=True)

    def forget(self, keys: Iterable[str]) -> None:
        """Remove replies that held no answer, so that the next request is really made."""
        if stored := [self._stored(key) for key in keys]:
            CachedReply.objects.filter(key__in=stored).delete()

    def forget_failures(self, keys: Iterable[str]) -> None:
        """Remove the failed replies under those keys: the first reply under a key stays, so a new
        one could not be kept."""
        failures = [failure.value for failure in Failure]
        stored = [self._stored(key) for key in keys]
        CachedReply.objects.filter(key__in=stored, reply__failure__in=failures).delete()

    def _stored(self, key: str) -> str:
        if not self.apart:
            return key
        return hashlib.sha256(f"run {self.run_id} alone: {key}".encode()).hexdigest()


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
