import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.citation_recovery import CITATION_RECOVERY as RECOVERY
from tasktypes.citation_recovery.schema import Payload
from tasktypes.contract import ReplyError

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
        ('{"sentences": [1],}', "malformed"),
        ('{"a": ' * 100_000, "malformed"),
        ('{"sentences": [' + "9" * 5000 + "]}", "malformed"),
        ('{"sentences": [1]} or {"sentences": [2]}', "different"),
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
