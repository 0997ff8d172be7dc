"""The files of requests that a provider works as a batch, and what it says of one."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from judges.backends.chat.habits import Body, Form
from judges.backends.contract import Reply

URL: Final = "/v1/chat/completions"
# In the detail of replies: what of a request was not taken.
NOT_TAKEN = "not_taken"
# What a provider takes in one file; OpenAI's limits, of which we know none that is narrower.
MOST_LINES = 50_000
MOST_BYTES = 190_000_000


@dataclass(frozen=True)
class Look:
    """What a provider says of a batch; `replies` once it has ended, by key."""

    has_ended: bool
    can_be_stopped: bool = False
    error: str = ""
    replies: Mapping[str, Reply] | None = None


def in_form(requests: Mapping[str, Body], form: Form) -> dict[str, Body]:
    """The same requests, written in a form that is as plain as this one at least."""
    return {key: {**one, "body": form.written(one["body"])} for key, one in requests.items()}


def shares(requests: Mapping[str, Body]) -> Iterator[dict[str, Body]]:
    """Requests in files that a provider takes; what is left of them is shared out the same way."""
    share: dict[str, Body] = {}
    size = 0
    for key, request in sorted(requests.items()):
        more = len(written({key: request}))
        if share and (len(share) >= MOST_LINES or size + more > MOST_BYTES):
            yield share
            share, size = {}, 0
        share[key], size = request, size + more
    if share:
        yield share


def written(requests: Mapping[str, Body]) -> bytes:
    """The file of a batch, the same for the same requests."""
    lines = [
        {"custom_id": key, "method": "POST", "url": URL, "body": request["body"]}
        for key, request in sorted(requests.items())
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def sha256_of(requests: Mapping[str, Body]) -> str:
    """What tells one batch's file from another."""
    return hashlib.sha256(written(requests)).hexdigest()
