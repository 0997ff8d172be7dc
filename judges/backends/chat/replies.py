"""What comes back from a chat endpoint: read with suspicion, and kept whole."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.backends.endpoints import Price

# What may follow a model's name in another name of it: a date, a version, a revision. A number
# of one or two digits is not it: that may be another model.
_VERSION = re.compile(r"((-\d{2})?-\d{3,}(-\d{2}){0,2}|-v\d+(\.\d+)*|@.+)?")
MOST_TOKENS = 2**31 - 1


class _Odd(ValueError):
    """A reply that is not of the shape that the protocol promises."""


def read(content: bytes, *, model: str, price: Price | None, same_model: bool) -> Reply:
    """The reply in a body; a failure with the reason where it holds none.

    model: the one that was asked. same_model: whether another model's reply is an error.
    """
    (reply,) = read_all(content, wanted=1, model=model, price=price, same_model=same_model)
    return reply


def read_all(
    content: bytes, *, wanted: int, model: str, price: Price | None, same_model: bool
) -> list[Reply]:
    """A reply for each choice in a body: as many as were wanted, or fewer, but never none.

    What they took together is told by the first.
    """
    try:
        body = json.loads(content)
        if not isinstance(body, dict):
            raise _Odd("it is no object")
        choices = _choices(body, wanted)
        first, *others = (
            _read(body, choice, model, price, same_model=same_model) for choice in choices
        )
        return [first, *map(_counted_elsewhere, others)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        text = content.decode(errors="replace")
        reason = str(error) if isinstance(error, _Odd) else f"not as promised ({error})"
        failed = Reply(text=text).failed(Failure.ERROR, f"The reply is malformed: {reason}.")
        return [failed] * wanted


def _read(
    body: Mapping[str, Any],
    choice: Mapping[str, Any],
    model: str,
    price: Price | None,
    *,
    same_model: bool,
) -> Reply:
    message = choice.get("message")
    if not isinstance(message, dict):
        raise _Odd("its choice has no message")
    answered = body.get("model") or ""
    came = Reply(text=_text(message), detail=_detail(body, choice, message))
    reply = _with_usage(came, body, price)
    if same_model and answered and not _are_alike(model, str(answered)):
        reason = f"The reply is of another model, {answered}, than {model}."
        return reply.failed(Failure.ERROR, reason)
    return _judged(reply, choice.get("finish_reason"), message)


def _choices(body: Mapping[str, Any], wanted: int) -> list[Mapping[str, Any]]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise _Odd("it has no choices")
    if len(choices) > wanted:
        raise _Odd("it has more choices than were asked for")
    by_index = {choice.get("index", at): choice for at, choice in enumerate(choices)}
    if by_index.keys() != set(range(len(choices))):
        raise _Odd("its choice is for another sample")
    return [by_index[at] for at in range(len(choices))]


def _counted_elsewhere(reply: Reply) -> Reply:
    """A further reply of one call, which has been counted with the first."""
    return replace(
        reply,
        tokens_in=None if reply.tokens_in is None else 0,
        tokens_out=None if reply.tokens_out is None else 0,
        cost=None if reply.cost is None else Decimal(0),
    )


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if content is not None and not isinstance(content, str):
        raise _Odd("its content is no text")
    refusal = message.get("refusal")
    return content or (refusal if isinstance(refusal, str) else "") or ""


def _judged(reply: Reply, finish: Any, message: Mapping[str, Any]) -> Reply:
    if finish == "content_filter":
        return reply.failed(Failure.REFUSAL, "The endpoint's content filter stopped the reply.")
    if message.get("refusal"):
        return reply.failed(Failure.REFUSAL, "The model refused.")
    if finish == "length":
        return reply.failed(Failure.TRUNCATED, "The reply was cut at the limit of tokens.")
    if not reply.spoken.strip():
        return reply.failed(Failure.PARSE_FAILURE, "The reply is empty.")
    return reply


def _with_usage(reply: Reply, body: Mapping[str, Any], price: Price | None) -> Reply:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return reply
    told_in, told_out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    details = usage.get("prompt_tokens_details")
    cached = (_count(details.get("cached_tokens")) if isinstance(details, dict) else None) or 0
    cost = None
    if price is not None and told_in is not None and told_out is not None:
        cost = price.cost(told_in, told_out, min(cached, told_in))
    return replace(
        reply,
        tokens_in=told_in,
        tokens_out=told_out,
        cost=cost,
        detail={**reply.detail, "tokens_cached": cached} if cached else reply.detail,
    )


def _count(value: Any) -> int | None:
    """A count, where it is one that an integer of a database holds."""
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _detail(
    body: Mapping[str, Any], choice: Mapping[str, Any], message: Mapping[str, Any]
) -> dict[str, Any]:
    """What is worth keeping beside the text; `reasoning` is told under either of two names."""
    told = {
        "model": body.get("model"),
        "finish_reason": choice.get("finish_reason"),
        "system_fingerprint": body.get("system_fingerprint"),
        "id": body.get("id"),
        "reasoning": message.get("reasoning_content") or message.get("reasoning"),
        "logprobs": _logprobs(choice.get("logprobs")),
    }
    return {name: value for name, value in told.items() if value}


def _logprobs(told: Any) -> list[dict[str, Any]]:
    """`[{"token", "logprob", "top": [[token, logprob], …]}, …]`, one for each token of the text."""
    tokens = told.get("content") if isinstance(told, dict) else None
    if not isinstance(tokens, list):
        return []
    entries = []
    for one in tokens:
        token, logprob = _probable(one)
        top = [list(_probable(other)) for other in one.get("top_logprobs") or []]
        entries.append({"token": token, "logprob": logprob, "top": top})
    return entries


def _probable(one: Any) -> tuple[str, float]:
    """A token and the logarithm of its probability, which is above 0 by rounding at most."""
    token, logprob = one["token"], one["logprob"]
    if not isinstance(token, str) or not isinstance(logprob, int | float):
        raise _Odd("its probabilities are none")
    return token, min(logprob, 0.0)


def _are_alike(asked: str, answered: str) -> bool:
    """`gpt-4o` and `gpt-4o-2024-08-06`, `meta/llama` and `llama`, `llama` and `llama:latest`: the
    same by two names. `gpt-4o` and `gpt-4o-mini` are not."""
    left, right = (
        name.lower().rpartition("/")[2].removesuffix(":latest").removesuffix("-latest")
        for name in (asked, answered)
    )
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer.startswith(shorter) and bool(_VERSION.fullmatch(longer[len(shorter) :]))
