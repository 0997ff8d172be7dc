"""Replies that were paid for once, kept in the database and found again."""

import dataclasses
from decimal import Decimal
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.models import CachedReply


class DatabaseCache:
    """A `judges.backends.contract.ReplyCache` of rows."""

    def get(self, key: str) -> Reply | None:
        """The reply kept under that key; its cost is what it once cost."""
        found = CachedReply.objects.filter(key=key).values_list("reply", flat=True).first()
        return None if found is None else _reply(found)

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; the first one kept under a key stays."""
        rows = [CachedReply(key=key, reply=_fields(reply))]
        CachedReply.objects.bulk_create(rows, ignore_conflicts=True)


def forget(keys: list[str]) -> None:
    """Forget replies that turned out to hold no answer: asked again, they are asked for real."""
    if keys:
        CachedReply.objects.filter(key__in=keys).delete()


def _fields(reply: Reply) -> dict[str, Any]:
    fields = dataclasses.asdict(reply)
    return fields | {"cost": None if reply.cost is None else str(reply.cost)}


def _reply(fields: dict[str, Any]) -> Reply:
    cost = fields["cost"]
    failure = fields["failure"]
    return Reply(
        **fields
        | {
            "cost": None if cost is None else Decimal(cost),
            "failure": Failure(failure) if failure else None,
        }
    )
