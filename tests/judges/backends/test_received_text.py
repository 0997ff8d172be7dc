"""What comes in from outside is kept whole, but for what no database keeps."""

from math import inf, nan

import pytest

from judges.backends.contract import Reply
from judges.backends.received_text import cleaned


@pytest.mark.parametrize(
    ("came", "kept", "replaced"),
    [
        ("a\0b", "a�b", 1),
        ("\ud800 and \udfff", "� and �", 2),
        ("\N{GRINNING FACE} بسم الله \t\n", "\N{GRINNING FACE} بسم الله \t\n", 0),
    ],
)
def test_a_character_that_no_database_keeps_is_replaced_and_counted(
    came: str, kept: str, replaced: int
) -> None:
    reply = cleaned(Reply(text=came))
    assert (reply.text, reply.detail.get("replaced", 0)) == (kept, replaced)


def test_a_reply_is_cleaned_in_all_its_parts() -> None:
    detail = {"logprobs": [{"token": "\ud800", "top": [["\0", -inf], ["4", -0.1]]}], "n\0": nan}
    reply = cleaned(Reply(text="4", error="No: \0", detail=detail))
    assert reply.error == "No: �"
    assert reply.detail == {
        "logprobs": [{"token": "�", "top": [["�", None], ["4", -0.1]]}],
        "n�": None,
        "replaced": 6,
    }


def test_a_reply_with_nothing_odd_is_the_same() -> None:
    reply = Reply(text="4", detail={"logprobs": [{"token": "4", "top": [["4", -0.1]]}]})
    assert cleaned(reply) is reply
