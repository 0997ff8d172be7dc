"""What comes back is read with suspicion: whose it is, what was thought, what was said."""

import json
from typing import Any

import pytest

from judges.backends.chat.replies import read_reply
from judges.backends.contract import Failure, Reply


def reply_with(model: str = "m", logprobs: Any = None, **message: Any) -> Reply:
    """The reply to a model `m`, or to what `asked` names."""
    asked = message.pop("asked", "m")
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": logprobs}
    body = {"model": model, "choices": [choice]}
    return read_reply(json.dumps(body).encode(), model=asked, price=None, same_model=True)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-3.5-turbo", "gpt-3.5-turbo-0125"),
        ("gemini-1.5-pro", "gemini-1.5-pro-002"),
        ("command-r", "command-r-08-2024"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("meta-llama/Llama-3-8B", "llama-3-8b"),
        ("llama3.1", "llama3.1:latest"),
        ("mistral-7b-instruct", "mistral-7b-instruct-v0.2"),
        ("/models/tiny", "/models/tiny@main"),
        ("deepseek/deepseek-r1:free", "deepseek/deepseek-r1"),
        ("openai/gpt-4o:nitro", "openai/gpt-4o-2024-08-06"),
        ("openai/gpt-4o:floor", "gpt-4o:exacto"),
    ],
)
def test_one_model_may_have_two_names(asked: str, answered: str) -> None:
    for one, other in ((asked, answered), (answered, asked)):
        assert reply_with(other, asked=one, content="4").failure is None


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06"),
        ("o1", "o1-preview-2024-09-12"),
        ("llama3", "llama3:70b"),
        ("llama-3", "llama-3-70b"),
        ("claude-3", "claude-3-5"),
        ("gpt-4", "chatgpt-4"),
        ("claude-3.7-sonnet:thinking", "claude-3.7-sonnet"),
        ("gpt-4o:online", "gpt-4o"),
        ("gpt-4o:free", "gpt-4o-mini"),
    ],
)
def test_the_reply_of_a_like_sounding_model_is_an_error(asked: str, answered: str) -> None:
    for one, other in ((asked, answered), (answered, asked)):
        reply = reply_with(other, asked=one, content="4")
        assert reply.failure is Failure.ERROR
        assert "another model" in reply.error


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("<think>\n{4} or 5?\n</think>\n\n4", "4"),
        ("so {4} or 5?</think>4", "4"),
        ("<think>4", ""),
        ("<think></think>4", "4"),
        ("4", "4"),
        ('{"note": "<think>"}', '{"note": "<think>"}'),
    ],
)
def test_a_thought_before_the_reply_is_no_part_of_what_was_said(text: str, spoken: str) -> None:
    reply = reply_with(content=text)
    assert (reply.text, reply.text_without_reasoning) == (text, spoken)
    assert reply.failure is (None if spoken else Failure.PARSE_FAILURE)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_a_thought_that_is_told_apart_is_kept_beside_the_reply(name: str) -> None:
    reply = reply_with(content="4", **{name: "4 or 5?"})
    assert (reply.text, reply.detail["reasoning"]) == ("4", "4 or 5?")


@pytest.mark.parametrize(
    "entry",
    [{"token": 4, "logprob": -0.1}, {"token": "4", "logprob": "-0.1"}, {"token": "4"}, "4"],
)
def test_probabilities_that_are_none_make_a_reply_malformed(entry: Any) -> None:
    reply = reply_with(logprobs={"content": [entry]}, content="4")
    assert reply.failure is Failure.ERROR
    assert "malformed" in reply.error


def test_a_probability_is_never_above_one() -> None:
    reply = reply_with(logprobs={"content": [{"token": "4", "logprob": 1e9}]}, content="4")
    assert reply.detail["logprobs"] == [{"token": "4", "logprob": 0.0, "top": []}]
