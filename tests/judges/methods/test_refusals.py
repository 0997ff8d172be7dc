"""Refusals in words: counted as such where no answer can be read, and nothing else is."""

import pytest

from judges.backends.contract import Failure, Reply
from judges.methods.refusals import is_refusal, unreadable


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t help with that.",
        "I‘m sorry, but I canʼt assist with that request.",
        "Im sorry but I cant help you.",
        "I am sorry, but I cannot assist you with this.",
        "I'm really sorry – I can not comply.",
        "I'm sorry. I won't provide a rating for this text.",
        "**I'm sorry, but I can't help with that.**",
        "\u201cI'm sorry, but I cannot answer that.\u201d",
        "Sorry, I'm unable to help with this.",
        "Sorry, but I am not able to judge this content.",
        "I apologize, but I cannot evaluate this.",
        "My apologies, but I will not participate in this.",
        "I\u00a0can\u2019t\u00a0assist with\nthat.",
        "I cannot fulfill your request.",
        "I can't do that.",
        "I must respectfully decline.",
        "I'm sorry, but I have to decline.",
        "As an AI language model, I cannot assist with this request.",
        "<think>It is harmful.</think>I’m sorry, but I can’t help with that.",
    ],
)
def test_a_refusal_in_words_is_counted_as_a_refusal(reply: str) -> None:
    failed = unreadable(Reply(text=reply), "the reply holds no JSON object")
    assert failed.failure is Failure.REFUSAL
    assert failed.error == "The model refused in words: the reply holds no JSON object."
    assert failed.text == reply


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Sorry.",
        "I'm sorry to hear that. The answer is 2.",
        "I'm sorry for the confusion: sentence 2.",
        "I cannot find a sentence that supports the claim.",
        "I can't determine which sentence is meant.",
        "I can see why one would not help.",
        "I cannot help but notice that sentence 1 fits.",
        "I will help: sentence 2.",
        "The author says: I'm sorry, but I can't help with that.",
        "None. I'm sorry, but I can't help with that.",
        "I cannot provide more than this: 2",
        "As an AI language model, I choose sentence 2.",
        "The model cannot assist with that.",
        '{"sentences": [1, 2}',
    ],
)
def test_anything_else_stays_a_parse_failure(reply: str) -> None:
    assert not is_refusal(reply)
    failed = unreadable(Reply(text=reply), "why")
    assert (failed.failure, failed.error) == (Failure.PARSE_FAILURE, "why")
