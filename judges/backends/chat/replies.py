"""Read the replies of a chat endpoint, which may be malformed, and keep everything in them."""

import re
from collections.abc import Mapping
from typing import Any

from endpoints.endpoint import Price
from judges.backends.chat.messages import Malformed, ReadMessage, read_message
from judges.backends.chat.usage import usage_of, with_usage
from judges.backends.contract import Failure, Reply
from judges.backends.received_text import parsed_json

# What may follow in another name of the same model: a date, a version, a revision. Not a number
# of one or two digits, which may mean another model.
_VERSION = re.compile(r"((-\d{2})?-\d{3,}(-\d{2}){0,2}|-v\d+(\.\d+)*|@.+)?")
# Names after a colon that choose where a model runs, at what price or in which version. `:thinking`
# and the like are not among them: they change what the model does.
_ALIAS = re.compile(r"(:latest|:free|:nitro|:floor|:exacto|-latest)+$")


def read_reply(content: bytes, *, model: str, price: Price | None, same_model: bool) -> Reply:
    """The reply in a body; a failure with the reason where it holds none.

    model: the one that was asked for. same_model: whether a reply of another model is an error.
    """
    (reply,) = read_replies(content, wanted=1, model=model, price=price, same_model=same_model)
    return reply


def read_replies(
    content: bytes, *, wanted: int, model: str, price: Price | None, same_model: bool
) -> list[Reply]:
    """A reply for each choice in a body: as many as were wanted, or fewer, but never none.

    The first carries the tokens and the cost of all, whatever is made of the choices.
    """
    body: Any = None
    try:
        body = parsed_json(content)
        if not isinstance(body, dict):
            raise Malformed("it is no object")
        choices = _choices(body, wanted)
        read = [_read(body, choice, model, same_model=same_model) for choice in choices]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        text = content.decode(errors="replace")
        reason = str(error) if isinstance(error, Malformed) else f"not as promised ({error})"
        failed = Reply(text=text).failed(Failure.ERROR, f"The reply is malformed: {reason}.")
        read = [failed] * wanted
    return with_usage(read, usage_of(body, price))


def _read(
    body: Mapping[str, Any],
    choice: Mapping[str, Any],
    model: str,
    *,
    same_model: bool,
) -> Reply:
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Malformed("its choice has no message")
    answering_model = body.get("model") or ""
    parts = read_message(message)
    reply = Reply(text=parts.kept, detail=_detail(body, choice, parts))
    if same_model and answering_model and not _is_same_model(model, str(answering_model)):
        reason = f"The reply is of another model, {answering_model}, than {model}."
        return reply.failed(Failure.ERROR, reason)
    return _with_failure(reply, choice.get("finish_reason"), parts)


def _choices(body: Mapping[str, Any], wanted: int) -> list[Mapping[str, Any]]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise Malformed("it has no choices")
    if len(choices) > wanted:
        raise Malformed("it has more choices than were asked for")
    by_index = {choice.get("index", at): choice for at, choice in enumerate(choices)}
    if by_index.keys() != set(range(len(choices))):
        raise Malformed("its choice is for another sample")
    return [by_index[at] for at in range(len(choices))]


def _with_failure(reply: Reply, finish: Any, message: ReadMessage) -> Reply:
    """The reply, marked as a failure where it was refused or cut, calls a tool or is empty."""
    if finish == "content_filter":
        return reply.failed(Failure.REFUSAL, "The endpoint's content filter stopped the reply.")
    if message.refusal:
        return reply.failed(Failure.REFUSAL, "The model refused.")
    if finish == "length":
        return reply.failed(Failure.TRUNCATED, "The reply was cut at the limit of tokens.")
    if message.calls:
        reason = f"The model called a tool ({message.called_tools[:80]}) and gave no answer."
        return reply.failed(Failure.PARSE_FAILURE, reason)
    if not reply.text_without_reasoning.strip():
        return reply.failed(Failure.PARSE_FAILURE, "The reply is empty.")
    return reply


def _detail(
    body: Mapping[str, Any], choice: Mapping[str, Any], message: ReadMessage
) -> dict[str, Any]:
    """What to keep beside the text."""
    detail = {
        "model": body.get("model"),
        "finish_reason": choice.get("finish_reason"),
        "system_fingerprint": body.get("system_fingerprint"),
        "id": body.get("id"),
        "reasoning": message.reasoning,
        "tool_calls": message.calls,
        "parts": message.others,
        "logprobs": _logprobs(choice.get("logprobs")),
    }
    return {name: value for name, value in detail.items() if value}


def _logprobs(logprobs: Any) -> list[dict[str, Any]]:
    """`[{"token", "logprob", "top": [[token, logprob], …]}, …]`, one for each token of the text."""
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(tokens, list):
        return []
    entries = []
    for content in tokens:
        token, logprob = _token_logprob(content)
        top = [list(_token_logprob(other)) for other in content.get("top_logprobs") or []]
        entries.append({"token": token, "logprob": logprob, "top": top})
    return entries


def _token_logprob(content: Any) -> tuple[str, float]:
    """A token and the logarithm of its probability; one above 0, by rounding, becomes 0."""
    token, logprob = content["token"], content["logprob"]
    if not isinstance(token, str) or not isinstance(logprob, int | float):
        raise Malformed("its probabilities are not numbers")
    return token, min(logprob, 0.0)


def _is_same_model(wanted: str, answering: str) -> bool:
    """`gpt-4o` and `gpt-4o-2024-08-06` are names of one model, so are `meta/llama` and `llama`,
    `llama` and `llama:latest` or `llama:free`. `gpt-4o` and `gpt-4o-mini` are not."""
    left, right = (_ALIAS.sub("", name.lower().rpartition("/")[2]) for name in (wanted, answering))
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer.startswith(shorter) and bool(_VERSION.fullmatch(longer[len(shorter) :]))
