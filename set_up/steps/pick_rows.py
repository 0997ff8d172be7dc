"""Picking several units of the table at once: each right answer is a line in its row."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from annotation.models import Question, Unit
from set_up.steps.picks import Pick
from tasktypes.pages.answer_forms import AnswerForm

# More values than that are given on the page of the unit.
MOST_VALUES, LONGEST = 12, 300
_SINGLE = (forms.ChoiceField, forms.FloatField, forms.IntegerField)


@dataclass
class RightAnswer:
    """The right answer to a question as a line: the values of the fields that a worker would fill
    in, in their order. known: what the material says it is, for kinds that no line can answer.
    text: as it was typed."""

    question: Question
    name: str
    wanted: str
    known: str
    first: str
    text: str
    error: str = ""

    @property
    def is_line(self) -> bool:
        """Whether it can be typed."""
        return bool(self.wanted)

    @property
    def is_typed(self) -> bool:
        """Whether something else stands there than at first."""
        return self.text != self.first

    def answer(self) -> dict[str, Any] | None:
        """It as the study file has it; None where there is none, or it does not fit, which is said
        then."""
        if not self.is_line:
            return self.question.reference
        form = _form(self.question)
        form = _form(self.question, _posted(form, self.text))
        if form.is_valid():
            found: dict[str, Any] = form.answer().model_dump(mode="json")
            return found
        if self.text:
            self.error = f"Give {self.wanted}."
        return None


@dataclass
class PickRow:
    """A unit of the table, with its right answers; none where it is used already."""

    unit: Unit
    parts: list[RightAnswer] = field(default_factory=list)
    ticked: bool = False
    error: str = ""

    @property
    def is_chosen(self) -> bool:
        """Whether it is to be picked: ticked, or answered."""
        return self.ticked or any(part.is_typed for part in self.parts)

    @property
    def is_offered(self) -> bool:
        """Whether it can be picked here, and not only on its own page."""
        return any(part.is_line or part.known for part in self.parts)

    def answers(self) -> dict[str, Any]:
        """The right answers by block; what is wrong is said in the row."""
        given = {part.question.block.key: part.answer() for part in self.parts}
        found = {key: answer for key, answer in given.items() if answer is not None}
        wrong = any(part.error for part in self.parts)
        self.error = "" if found or wrong else "Give the right answer."
        return found


def pick_rows(units: Iterable[Unit], data: QueryDict | None) -> list[PickRow]:
    """The rows of these units, with what was posted."""
    return [_row(unit, data) for unit in units]


def _row(unit: Unit, data: QueryDict | None) -> PickRow:
    if unit.role != Unit.Role.NORMAL:
        return PickRow(unit)
    parts = [_right_answer(question, data) for question in unit.questions.all()]
    return PickRow(unit, parts, bool(data and f"pick-{unit.pk}" in data))


def chosen_picks(rows: Iterable[PickRow], role: str, round_: str) -> list[Pick] | None:
    """What is to be picked of these rows; None where a row does not fit, which is said there."""
    chosen = [(row, row.answers()) for row in rows if row.is_chosen]
    if any(row.error or any(part.error for part in row.parts) for row, _answers in chosen):
        return None
    return [Pick(row.unit, role, round_, answers) for row, answers in chosen]


def _right_answer(question: Question, data: QueryDict | None) -> RightAnswer:
    form, kind, reference = _form(question), question.block.task_type, question.typed_reference
    name, wanted = f"right-{question.pk}", _wanted(form)
    known = kind.summary(question.typed_payload, reference) if reference else ""
    filled = form.filled(reference) if reference and wanted else {}
    first = " ".join(value for name in filled for value in filled[name])
    typed = first if data is None else data.get(name, "")[:LONGEST].strip()
    return RightAnswer(question, name, wanted, known, first, typed)


def _form(question: Question, data: MultiValueDict[str, str] | None = None) -> AnswerForm[Any, Any]:
    return question.block.task_type.Form(question.typed_payload, data)


def _wanted(form: AnswerForm[Any, Any]) -> str:
    """What a line holds, in words; empty where the form takes more than a line."""
    fields = form.fields
    multiple = any(isinstance(one, forms.MultipleChoiceField) for one in fields.values())
    single = all(isinstance(one, _SINGLE) for one in fields.values())
    if multiple or not single or not 0 < len(fields) <= MOST_VALUES:
        return ""
    names = [(name.partition("-")[2] or name).replace("_", " ") for name in fields]
    return f"{', '.join(names)} ({' / '.join(dict.fromkeys(_choices(fields.values())))})"


def _choices(fields: Iterable[forms.Field]) -> Iterator[str]:
    for each in fields:
        if not isinstance(each, forms.ChoiceField):
            yield "a number"
            continue
        choices: Any = each.choices
        values = [str(value) for value, _label in choices]
        yield f"{values[0]}–{values[-1]}" if all(map(str.isdecimal, values)) else ", ".join(values)


def _posted(form: AnswerForm[Any, Any], text: str) -> MultiValueDict[str, str]:
    """What a worker would post who gives these values; nothing where there are more or fewer."""
    names = list(form.fields)
    marks = r"[,;]" if re.search(r"[,;]", text) else r"\s+"
    values = [text] if len(names) == 1 else [value.strip() for value in re.split(marks, text)]
    if len(values) != len(names):
        return MultiValueDict()
    return MultiValueDict({name: [value] for name, value in zip(names, values, strict=True)})
