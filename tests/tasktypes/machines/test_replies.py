import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.citation_recovery import CITATION_RECOVERY as RECOVERY
from tasktypes.citation_recovery.schema import Payload
from tasktypes.machines.replies import ReplyError

EXAMPLE = RECOVERY.example
PAYLOAD = RECOVERY.payload(EXAMPLE.source, EXAMPLE.items, EXAMPLE.focus, RECOVERY.Options())


def read(reply: str, payload: Payload = PAYLOAD) -> tuple[int, ...]:
    return RECOVERY.parse_reply(payload, reply).sentences


@pytest.mark.parametrize(
    ("reply", "sentences"),
    [
        ('{"sentences": [1, 2]}', (1, 2)),
        ('{"sentences": []}', ()),
        ('  {"sentences":[2,0,2]}\n', (0, 2)),
        ('```json\n{"sentences": [1]}\n```', (1,)),
        ('```\n{\n  "sentences": [\n    1\n  ]\n}\n```\n', (1,)),
        ('Sentence 1 rests on it.\n{"sentences": [1]}', (1,)),
        ('{"sentences": [1]}\nNo other sentence [2] does.', (1,)),
        ('{"sentences": [1]} Again: {"sentences": [1]}', (1,)),
        ('{"sentences": [0, 1]} Again: {"sentences": [1, 0, 1]}', (0, 1)),
        ('The candidate set is {0, 1}. Final: {"sentences":[2]}', (2,)),
        ('{"sentences":[2]} is all of {2}.', (2,)),
        ('From {{0}, {1, 2}} and {} I take {"sentences": [2]}', (2,)),
        ('{"a", "b"} and \\boxed{2}: {"sentences": [2]}', (2,)),
        ('{"confidence": {"of": 9}} {"sentences": [2]}', (2,)),
        ('Well. <think>{"sentences": [1]}</think> {"sentences": [2]}', (2,)),
        ('{"sentences": [1, 2,],\n}', (1, 2)),
        ("Well: {“sentences”: [1],} That is all.", (1,)),
        ("{„sentences”: [1]} and {“sentences”: [1]}", (1,)),
        ('{"sentences": [2]} <think>or {"sentences": [1]}', (2,)),
    ],
)
def test_one_object_is_read_with_or_without_words_around_it(
    reply: str, sentences: tuple[int, ...]
) -> None:
    assert read(reply) == sentences


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"sentences": [1], "why": "\\u0000"}', "no database keeps"),
        ('{"sentences": [1], "\\ud800": 1}', "no database keeps"),
        ("", "empty"),
        (" \n", "empty"),
        ("I am sorry, but I cannot help with that.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ("none", "no JSON object"),
        ('{"sentences": [1, 2}', "malformed"),
        ('{"sentences": [1, 2]', "malformed"),
        ("{'sentences': [1]}", "malformed"),
        ('{"sentences": [,]}', "malformed"),
        ('{"sentences": [1,,]}', "malformed"),
        ('{,"sentences": [1]}', "malformed"),
        ('{“sentences": [1]}', "malformed"),
        ('{"sentences": [1] “why”: 2}', "malformed"),
        ('{"a": ' * 100_000, "malformed"),
        ('{"sentences": [' + "9" * 5000 + "]}", "malformed"),
        ('{"sentences": [1]} or {"sentences": [2]}', "different"),
        ('{"sentences": [1]} or {"sentences": [2', "malformed"),
        ('{"sentences": [1 or 2]} so {"sentences": [1]}', "malformed"),
        ('{"sentences": ["1"]} so {"sentences": [1]}', "sentences.0"),
        ('{"sentences": [1]}, I mean {"sentences": "2"}', "sentences"),
        ("{'sentences': [1]} so {\"sentences\": [2]}", "malformed"),
        ('{sentences: [1]} so {"sentences": [2]}', "malformed"),
        ('{x: x > 0} so {"sentences": [2]}', "malformed"),
        ('{{"sentences": [2]}}', "malformed"),
        ('{0, 1, so {"sentences": [2]}', "malformed"),
        ('{"sentences": [2]} {', "malformed"),
        ('{"outer": {"sentences": [2]}}', "sentences"),
        ("the set {0, 1}", "no JSON object"),
        ('<think>{"sentences": [1]}', "no JSON object"),
        ('<think>{"sentences": [1]}</think>', "no JSON object"),
        ('{"sentences": [1], "sentences": [2]}', "twice"),
        ('{"sentences": [3]}', "no sentence 3"),
        ('{"sentences": [-1]}', "sentences.0"),
        ('{"sentences": ["1"]}', "sentences.0"),
        ('{"sentences": [1.0]}', "sentences.0"),
        ('{"sentences": [true]}', "sentences.0"),
        ('{"sentences": [NaN]}', "NaN"),
        ('{"sentences": [[1]]}', "sentences.0"),
        ('{"sentences": 1}', "sentences"),
        ('{"sentences": "1"}', "sentences"),
        ('{"sentences": {"1": true}}', "sentences"),
        ('{"sentences": null}', "sentences"),
        ("{}", "sentences"),
        ('{"answer": [1]}', "sentences"),
        ('{"sentences": [1], "reason": "it says so"}', "reason"),
    ],
)
def test_everything_else_is_refused_with_a_reason(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        read(reply)


@given(st.text(alphabet='{}[]",: 0123sentences\n`', max_size=40))
def test_no_garbage_gets_past_as_anything_but_a_reply_error(reply: str) -> None:
    try:
        sentences = read(reply)
    except ReplyError:
        return
    assert set(sentences) <= set(PAYLOAD.numbers)
    assert '"sentences"' in reply


PIECES = st.sampled_from(
    [
        '{"sentences": [1]}',
        '{"sentences": [2]}',
        '{"sentences": []}',
        '{"sentences": ["1"]}',
        '{"sentences": [1,',
        "{'sentences': [1]}",
        '{"confidence": 1}',
        "{0, 1}",
        "{",
        "}",
        "the",
        ": ",
        "<think>",
        "</think>",
        '"',
        "[1]",
        "1",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=7).map(" ".join))
def test_an_answer_is_one_of_the_objects_that_the_reply_holds_whole(reply: str) -> None:
    try:
        answer = read(reply)
    except ReplyError:
        return
    assert f'{{"sentences": {json.dumps(list(answer))}}}' in reply
    # Nothing else in the reply, outside of reasoning, names sentences in another way.
    spoken = reply
    while "<think>" in spoken:
        before, _, thought = spoken.partition("<think>")
        spoken = before + thought.partition("</think>")[2]
    assert {part.split("]")[0].split("[")[1] for part in spoken.split("sentences")[1:]} == {
        ", ".join(map(str, answer))
    }


@given(st.text(max_size=30), st.text(max_size=30))
def test_words_around_an_answer_change_nothing_or_make_it_unreadable(
    before: str, after: str
) -> None:
    try:
        answer = read(f'{before} {{"sentences": [2]}} {after}')
    except ReplyError:
        assert set("{}<") & set(before + after)
        return
    assert answer == (2,)
