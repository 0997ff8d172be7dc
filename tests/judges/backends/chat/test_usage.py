"""What a reply has cost is counted, whatever is made of the rest of it."""

import json
from decimal import Decimal
from typing import Any

import pytest

from endpoints.endpoint import Price
from judges.backends.chat.replies import read_replies
from judges.backends.chat.usage import Usage, usage_in_text, usage_of, with_usage
from judges.backends.contract import Reply

PRICE = Price(input=Decimal(2), output=Decimal(8))
USAGE = {"prompt_tokens": 1000, "completion_tokens": 500}
# (1000 * 2 + 500 * 8) / 1,000,000
COST = Decimal("0.006")
CHOICE = {"index": 0, "finish_reason": "stop", "message": {"content": "4"}}


def replies(wanted: int = 1, **body: Any) -> list[Reply]:
    content = json.dumps({"model": "m", "usage": USAGE, **body}).encode()
    return read_replies(content, wanted=wanted, model="m", price=PRICE, same_model=True)


@pytest.mark.parametrize(
    "choices",
    [
        [CHOICE],
        [],
        None,
        "none",
        [{"index": 0}],
        [{"index": 3, "message": {"content": "4"}}],
        [{"index": 0, "message": {"content": {"a": 1}}}],
        [CHOICE, {**CHOICE, "index": 1}],
        [1],
    ],
)
def test_tokens_and_cost_are_read_before_the_choices(choices: Any) -> None:
    (reply,) = replies(choices=choices)
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (1000, 500, COST)


def test_of_several_replies_of_one_call_the_first_carries_what_it_cost() -> None:
    for choices in ([CHOICE, {**CHOICE, "index": 1}], []):
        first, second = replies(wanted=2, choices=choices)
        assert (first.cost, second.cost) == (COST, Decimal(0))
        assert (second.tokens_in, second.tokens_out) == (0, 0)


@pytest.mark.parametrize(
    "usage", [None, [], "x", 5, {}, {"prompt_tokens": -1}, {"prompt_tokens": "7"}]
)
def test_usage_that_is_none_is_unknown(usage: Any) -> None:
    (reply,) = replies(choices=[], usage=usage)
    assert (reply.tokens_in, reply.cost) == (None, None)


def test_cached_tokens_are_charged_as_such() -> None:
    price = Price(input=Decimal(2), cached_input=Decimal(1), output=Decimal(8))
    usage = usage_of({"usage": {**USAGE, "prompt_tokens_details": {"cached_tokens": 400}}}, price)
    assert usage.cost == Decimal(600 * 2 + 400 * 1 + 500 * 8) / 1_000_000


def test_the_body_of_an_error_is_read_too() -> None:
    assert usage_in_text(json.dumps({"error": {}, "usage": USAGE}), PRICE).cost == COST
    assert not usage_in_text('{"error": "usage"}', PRICE)
    assert not usage_in_text('"usage" {', PRICE)


def test_what_earlier_tries_have_cost_is_added_once() -> None:
    (reply,) = with_usage(replies(choices=[CHOICE]), Usage(1, 2, Decimal("0.001")))
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (1001, 502, Decimal("0.007"))
    assert Usage(1) + Usage(None, 2) == Usage(1, 2)
