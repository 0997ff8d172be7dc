"""Lists that task types can have prepared: what is asked for them, and how they are read."""

from typing import Any

import pytest

from tasktypes.machines.replies import ReplyError
from tasktypes.prepared_lists import MOST_ENTRIES, PreparedList
from tasktypes.registry import TASK_TYPES

LISTS = [(kind, prepared) for kind in TASK_TYPES for prepared in kind.prepared_lists]
every_list = pytest.mark.parametrize(
    ("kind", "prepared"), LISTS, ids=lambda part: getattr(part, "slug", None) or part.name
)


def entries_of(kind: Any, prepared: PreparedList) -> Any:
    """The list in the focus of the type's example, or what the example's source has instead."""
    if prepared.name in kind.example.focus:
        return kind.example.focus[prepared.name]
    labels = {True: "vital", False: "okay"}
    return [{"text": n.text, "importance": labels[n.vital]} for n in kind.example.source.nuggets]


@every_list
def test_the_example_is_such_a_list_and_its_texts_make_it_again(
    kind: Any, prepared: PreparedList
) -> None:
    entries = prepared.checked(entries_of(kind, prepared))
    assert entries == list(entries_of(kind, prepared))
    assert [prepared.entry_of(prepared.texts(entry)) for entry in entries] == entries
    assert all(len(prepared.texts(entry)) == len(prepared.fields) for entry in entries)


@every_list
def test_an_entry_without_one_of_its_texts_is_named(kind: Any, prepared: PreparedList) -> None:
    first = entries_of(kind, prepared)[0]
    for at in range(len(prepared.fields)):
        texts = prepared.texts(first)
        texts[at] = "  "
        reason = "input should be" if prepared.fields[at].choices else "empty"
        with pytest.raises(ValueError, match=rf"entries\[1\].*: {reason}"):
            prepared.checked([first, prepared.entry_of(texts)])


@every_list
def test_a_list_that_nobody_could_check_is_refused(kind: Any, prepared: PreparedList) -> None:
    first = entries_of(kind, prepared)[0]
    assert len(prepared.checked([first] * MOST_ENTRIES)) == MOST_ENTRIES
    with pytest.raises(ValueError, match="too many"):
        prepared.checked([first] * (MOST_ENTRIES + 1))


@every_list
def test_the_prompt_shows_what_the_list_is_about_and_leaves_no_gap(
    kind: Any, prepared: PreparedList
) -> None:
    example = kind.example
    item = example.items[0]
    about_item = prepared.about == "item"
    prompt = prepared.prompt(example.source, item if about_item else None)
    assert "$" not in prompt
    assert (item.sentences[0].text in prompt) is about_item


@every_list
@pytest.mark.parametrize("reply", ["", "I cannot say.", "{}", '{"claims": [""]}', "[1, 2]"])
def test_a_garbled_reply_is_no_list_but_a_reason(
    kind: Any, prepared: PreparedList, reply: str
) -> None:
    with pytest.raises(ReplyError):
        prepared.read_reply(reply)


@every_list
def test_a_question_with_the_list_awaits_nothing(kind: Any, prepared: PreparedList) -> None:
    example = kind.example
    options = kind.Options.model_validate(example.options)
    assert not kind.awaits_list(example.items, example.focus, options)


def test_a_type_of_question_has_one_list_about_each_thing_at_most() -> None:
    for kind in TASK_TYPES:
        abouts = [prepared.about for prepared in kind.prepared_lists]
        assert len(abouts) == len(set(abouts))
