"""Lists that a question is asked by, and that may have to be prepared first.

A file may come without them: the errors of a claim, the claims of a response. Then a model, or a
person, proposes the list, and a person accepts it (`imports.preparation`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from tasktypes.machines.prompts import Slot, filled
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source

# A unit's focus says under this name where its prepared lists come from.
PREPARED = "prepared"
# Nobody could check a longer list. Its form has five fields to an entry, and Django reads 1,000.
MOST_ENTRIES = 150
# The place of an entry in its list, which answers go by.
Number = Annotated[int, Field(strict=True, ge=0)]

T = TypeVar("T")


class EntryField(NamedTuple):
    """One text of an entry. name: its key; empty where the entry is nothing but this text. choices:
    all that it may be, where it is one of a few."""

    name: str
    title: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class PreparedList:
    """A list in a unit's focus that can be prepared, and how a model is asked for it.

    name: its key in the focus. about: what one list holds for: all the items of a source, or one
    item; a task type has one of each at most. entry: what an entry has to be. may_be_empty: whether
    a list without entries says something. prompt_template, slots: what a model is asked.
    shown(source, item): what the slots are filled of; the item where the list is about one.
    read_reply: the entries in its reply, ReplyError where there are none to be read. wanted:
    whether a block with these options asks by it. given: the field of a source that makes it
    needless. without: what there is not without it, as in "2 sources have …". until: what a block
    with these options asks by before a list is accepted, with the option by which it waits for one;
    empty where it waits. first: the statement
    of a list that matters most; empty where it does not say which.
    """

    name: str
    title: str
    about: Literal["source", "item"]
    entry: TypeAdapter[Any]
    fields: tuple[EntryField, ...]
    may_be_empty: bool
    prompt_template: str
    slots: tuple[Slot, ...]
    shown: Callable[[Source, Item | None], Any]
    reply_schema: type[Schema]
    read_reply: Callable[[str], Sequence[Any]]
    wanted: Callable[[Any], bool] = lambda options: True
    given: str = ""
    without: str = ""
    until: Callable[[Any], str] = lambda options: ""
    first: Callable[[Sequence[Any]], str] = lambda entries: ""

    def prompt(self, source: Source, item: Item | None) -> str:
        """What a model is asked, in our words."""
        return filled(self.prompt_template, self.slots, self.shown(source, item))

    def checked(self, entries: object) -> list[Any]:
        """The entries as plain JSON; ValueError('entries[0].reason: …') where one is wrong."""
        if not isinstance(entries, list | tuple):
            raise ValueError("entries: not a list")  # noqa: TRY004 (as of any other field)
        if len(entries) > MOST_ENTRIES:
            raise ValueError(f"entries: {len(entries):,} are too many (at most {MOST_ENTRIES})")
        return [self._checked(number, entry) for number, entry in enumerate(entries)]

    def _checked(self, number: int, entry: object) -> Any:
        try:
            return self.entry.dump_python(self.entry.validate_python(entry), mode="json")
        except ValidationError as error:
            first = error.errors()[0]
            place = "".join(f".{part}" for part in first["loc"])
            raise ValueError(f"entries[{number}]{place}: {_reason(first)}") from error

    def texts(self, entry: Any) -> list[str]:
        """The texts of an entry, in the order of the fields."""
        return [str(entry[field.name] if field.name else entry) for field in self.fields]

    def entry_of(self, texts: Sequence[str]) -> Any:
        """The entry of these texts, unchecked: the reverse of `texts`."""
        named = {field.name: text for field, text in zip(self.fields, texts, strict=True)}
        return named.get("", named)


def _reason(complaint: Mapping[str, Any]) -> str:
    plain = {"missing": "missing", "extra_forbidden": "unknown field", "string_too_short": "empty"}
    message = str(complaint["msg"])
    return plain.get(complaint["type"], message[:1].lower() + message[1:])


def listed_in(focus: Mapping[str, Any], name: str, default: Any, adapter: TypeAdapter[T]) -> T:
    """A list in a unit's focus, else the one by default; ValueError('focus.field: reason') where it
    is none."""
    try:
        return adapter.validate_python(focus.get(name, default))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(["focus", name, *map(str, first["loc"])])
        raise ValueError(f"{field}: {first['msg']}") from error


def check_once(name: str, numbers: Sequence[int], *, done: str = "answered") -> None:
    """ValueError where one entry is answered twice."""
    for at, number in enumerate(numbers):
        if number in numbers[:at]:
            raise ValueError(f"{name} {number} is {done} twice")


def check_numbers(field: str, numbers: Sequence[int], count: int) -> None:
    """ValueError('field: reason') where answers are not about every one of so many entries."""
    for number in numbers:
        if number >= count:
            raise ValueError(f"{field}: there is no number {number} in this question")
    for number in range(count):
        if number not in numbers:
            raise ValueError(f"{field}: number {number} is missing")
