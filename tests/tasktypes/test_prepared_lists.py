"""Lists that task types can have prepared: what is asked for them, and how they are read."""

from typing import Any

import pytest

from tasktypes.machines.replies import ReplyError
from tasktypes.prepared_lists import MOST_ENTRIES, PreparedList
from tasktypes.registry import TASK_TYPES

KINDS = [kind for kind in TASK_TYPES if kind.prepared_list is not None]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)


def list_of(kind: Any) -> PreparedList:
    prepared: PreparedList = kind.prepared_list
    return prepared


def entries_of(kind: Any) -> Any:
    """The list in the focus of the type's example."""
    return kind.example.focus[list_of(kind).name]


@every_kind
def test_the_example_is_such_a_list_and_its_texts_make_it_again(kind: Any) -> None:
    prepared = list_of(kind)
    entries = prepared.checked(entries_of(kind))
    assert entries == list(entries_of(kind))
    assert [prepared.entry_of(prepared.texts(entry)) for entry in entries] == entries
    assert all(len(prepared.texts(entry)) == len(prepared.fields) for entry in entries)


@every_kind
def test_an_entry_without_one_of_its_texts_is_named(kind: Any) -> None:
    prepared = list_of(kind)
    first = entries_of(kind)[0]
    for at in range(len(prepared.fields)):
        texts = prepared.texts(first)
        texts[at] = "  "
        with pytest.raises(ValueError, match=r"entries\[1\].*: empty"):
            prepared.checked([first, prepared.entry_of(texts)])


@every_kind
def test_a_list_that_nobody_could_check_is_refused(kind: Any) -> None:
    first = entries_of(kind)[0]
    assert len(list_of(kind).checked([first] * MOST_ENTRIES)) == MOST_ENTRIES
    with pytest.raises(ValueError, match="too many"):
        list_of(kind).checked([first] * (MOST_ENTRIES + 1))


@every_kind
def test_the_prompt_shows_what_the_list_is_about_and_leaves_no_gap(kind: Any) -> None:
    prepared, example = list_of(kind), kind.example
    item = example.items[0]
    about_item = prepared.about == "item"
    prompt = prepared.prompt(example.source, item if about_item else None)
    assert "$" not in prompt
    assert (item.sentences[0].text in prompt) is about_item


@every_kind
@pytest.mark.parametrize("reply", ["", "I cannot say.", "{}", '{"claims": [""]}', "[1, 2]"])
def test_a_garbled_reply_is_no_list_but_a_reason(kind: Any, reply: str) -> None:
    with pytest.raises(ReplyError):
        list_of(kind).read_reply(reply)


@every_kind
def test_a_question_with_the_list_awaits_nothing(kind: Any) -> None:
    example = kind.example
    options = kind.Options.model_validate(example.options)
    assert not kind.awaits_list(example.items, example.focus, options)
