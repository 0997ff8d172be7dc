"""What a unit is about, as its page shows it: its source, its items, and what is in question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from annotation.models import Item, Unit
from judges.models import Call
from results.units.page import AnsweredQuestion, asked_about
from tasktypes.prepared_lists import PREPARED, PreparedList
from tasktypes.texts.material import Source


def context_of(unit: Unit, asked: Sequence[AnsweredQuestion] | None = None) -> dict[str, Any]:
    """The template context of a unit's page. asked: its questions, where the caller has them."""
    source = unit.source.material
    questions = asked_about(unit) if asked is None else asked
    types = [part.question.block.task_type for part in questions]
    lists = {prepared.name: prepared for kind in types for prepared in kind.prepared_lists}
    focus = [_focused(source, name, value, lists) for name, value in unit.focus.items()]
    return {
        "unit": unit,
        "source": source,
        "items": [
            Output(shown.item, _numbered(shown.item, unit.focus.get("blanked", ())))
            for shown in unit.unit_items.all()
        ],
        "focus": focus,
        "asked": questions,
        "failed": _failed_calls(unit),
    }


@dataclass(frozen=True)
class Output:
    """An item with its sentences, numbered as the questions about it number them: from 1, and
    those that are left out of them not at all."""

    item: Item
    sentences: Sequence[tuple[str, str]]


def _numbered(item: Item, blanked: Collection[Any]) -> list[tuple[str, str]]:
    numbers = count(1)
    return [
        ("–" if at in blanked else str(next(numbers)), sentence["text"])
        for at, sentence in enumerate(item.sentences)
    ]


def _failed_calls(unit: Unit) -> Any:
    """Calls of judges that led to no answer."""
    calls = Call.objects.filter(question__unit=unit, annotation=None, status__in=Call.FAILED)
    calls = calls.filter(run__probe_set=None)
    return calls.select_related("run__judge", "question__block").order_by("run", "pk")


@dataclass(frozen=True)
class Focused:
    """What the unit is about, within its source: a number or name, with its text where it is a
    passage's; or several texts."""

    name: str
    value: str = ""
    text: str = ""
    texts: Sequence[str] = ()


def _focused(source: Source, name: str, value: Any, lists: Mapping[str, PreparedList]) -> Focused:
    if isinstance(value, list) and any(isinstance(part, str | dict) for part in value):
        return Focused(name, texts=[_in_words(part, lists.get(name)) for part in value])
    if name == "passage" and value in source.passage_indices:
        return Focused(name, str(value), source.passage(value).text)
    if name == PREPARED:
        return Focused(name, texts=[_origin(key, part) for key, part in value.items()])
    listed = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return Focused(name, listed)


def _origin(name: str, origin: Mapping[str, Any]) -> str:
    """Where a prepared list is from."""
    facts = [f"{key.replace('_', ' ')} {value}" for key, value in origin.items()]
    return f"{name}: {', '.join(facts)}"


def _in_words(part: Any, prepared: PreparedList | None) -> str:
    """An error is its sentence, its reason and its correction, an order that databases lose."""
    if prepared is not None and isinstance(part, dict):
        part = {field.name: part[field.name] for field in prepared.fields if field.name in part}
    return " – ".join(map(str, part.values())) if isinstance(part, dict) else str(part)
