"""What a call has cost: the tokens that an endpoint reports, whatever else it replied."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Self

from endpoints.endpoint import Price
from judges.backends.contract import Reply
from judges.backends.received_text import parsed_json

MOST_TOKENS = 2**31 - 1


@dataclass(frozen=True)
class Usage:
    """Tokens and USD; None where the endpoint does not tell, or no price is known. cached: how many
    of the tokens in were charged as cached."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None
    cached: int = 0

    def __bool__(self) -> bool:
        return self.tokens_in is not None or self.tokens_out is not None

    def __add__(self, other: Self) -> "Usage":
        return Usage(
            _sum(self.tokens_in, other.tokens_in),
            _sum(self.tokens_out, other.tokens_out),
            _sum(self.cost, other.cost),
            self.cached + other.cached,
        )


NO_USAGE = Usage()


def usage_of(body: Any, price: Price | None) -> Usage:
    """The usage in the body of a reply, of whatever form the rest of it is."""
    usage = body.get("usage") if isinstance(body, Mapping) else None
    if not isinstance(usage, Mapping):
        return NO_USAGE
    tokens_in = _count(usage.get("prompt_tokens"))
    tokens_out = _count(usage.get("completion_tokens"))
    details = usage.get("prompt_tokens_details")
    cached = (_count(details.get("cached_tokens")) if isinstance(details, Mapping) else None) or 0
    cost = None
    if price is not None and tokens_in is not None and tokens_out is not None:
        cost = price.cost(tokens_in, tokens_out, min(cached, tokens_in))
    return Usage(tokens_in, tokens_out, cost, cached)


def usage_in_text(text: str, price: Price | None) -> Usage:
    """The same of a body as text, such as that of an error."""
    if '"usage"' not in text:
        return NO_USAGE
    try:
        return usage_of(parsed_json(text.encode()), price)
    except (ValueError, RecursionError):
        return NO_USAGE


def with_usage(replies: Sequence[Reply], usage: Usage) -> list[Reply]:
    """The replies of one call: the first carries its usage, added to what it carries already, and
    the others nothing."""
    if not usage or not replies:
        return list(replies)
    first, *others = replies
    whole = Usage(first.tokens_in, first.tokens_out, first.cost) + usage
    detail = {**first.detail, "tokens_cached": usage.cached} if usage.cached else first.detail
    first = replace(
        first,
        tokens_in=whole.tokens_in,
        tokens_out=whole.tokens_out,
        cost=whole.cost,
        detail=detail,
    )
    return [first, *(_without(reply, whole) for reply in others)]


def _without(reply: Reply, whole: Usage) -> Reply:
    """A further reply of one call, whose usage is counted with the first."""
    return replace(
        reply,
        tokens_in=None if whole.tokens_in is None else 0,
        tokens_out=None if whole.tokens_out is None else 0,
        cost=None if whole.cost is None else Decimal(0),
    )


def _sum(left: Any, right: Any) -> Any:
    return left if right is None else right if left is None else left + right


def _count(value: Any) -> int | None:
    """The value, if it is a count that fits into an integer column."""
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None
