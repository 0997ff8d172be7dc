"""The worker's page part: radio buttons, one group per criterion and part of the text."""

from typing import NamedTuple

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.translation import gettext

from tasktypes.likert.schema import Answer, Payload, Point, PointValue, Scale
from tasktypes.pages.answer_forms import AnswerForm, quoted
from tasktypes.pages.choices import choice_field
from tasktypes.pages.comparison import PartMark, part_name
from tasktypes.texts.surroundings import asked_numbers

# Beyond this many letters a label gets a line of its own.
_SHORT = 14
# So many sentences of running text are read in a list as well as in their text.
_FEW = 9


class ScalePoint(NamedTuple):
    """A point as the template draws it."""

    button: BoundWidget
    label: str
    definition: str
    numbered: bool


class Group(NamedTuple):
    """The points of one criterion for one part of the text."""

    field: BoundField
    scale: Scale
    choices: list[ScalePoint]
    in_a_row: bool
    mark: PartMark | None


class TextPart(NamedTuple):
    """What is judged at once: a whole text, one sentence, or one of several texts."""

    id: str
    letter: str
    text: str
    groups: list[Group]
    # The number of the turn of a conversation that it is, from 1; 0 where it is none.
    turn: int = 0


class LikertForm(AnswerForm[Payload, Answer]):
    """A choice per criterion and part; the fields count the parts in the order shown."""

    def add_fields(self) -> None:
        """A choice of point per criterion and part."""
        for scale in self.payload.criteria:
            for part in range(self.payload.size):
                self.fields[self.field_name(scale, part)] = _field(scale)

    def field_name(self, scale: Scale, part: int) -> str:
        """The name under which the choice is posted."""
        name = f"score-{scale.key}"
        return name if self.payload.whole else f"{name}-{part}"

    def answer(self) -> Answer:
        """The points chosen; those of several texts in the order of the unit's items."""
        return Answer(scores={scale.key: self._score(scale) for scale in self.payload.criteria})

    def _score(self, scale: Scale) -> PointValue | tuple[PointValue, ...]:
        values = [
            self.cleaned_data[self.field_name(scale, part)] for part in range(self.payload.size)
        ]
        if self.payload.whole:
            score: PointValue = values[0]
            return score
        if self.payload.candidates:
            by_item = {
                candidate.item: v
                for candidate, v in zip(self.payload.candidates, values, strict=True)
            }
            values = [by_item[item] for item in range(len(by_item))]
        return tuple(values)

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """The points chosen, part by part in the order shown."""
        shown = [candidate.item for candidate in self.payload.candidates] or range(
            self.payload.size
        )
        return {
            self.field_name(scale, part): [Point(value=answer.of(scale.key)[stored]).text]
            for scale in self.payload.criteria
            for part, stored in enumerate(shown)
        }

    def parts(self) -> list[TextPart]:
        """What there is to judge, in the order shown."""
        texts = self._texts()
        turns = self._turns() or [0] * len(texts)
        return [
            TextPart(
                id=self.add_prefix(f"part-{number}"),
                letter=letter,
                text=text,
                groups=[self._group(scale, number) for scale in self.payload.criteria],
                turn=turn,
            )
            for number, ((letter, text), turn) in enumerate(zip(texts, turns, strict=True))
        ]

    def named(self, name: str) -> tuple[str, ...]:
        return next(
            (
                (*self._part_named(part), scale.question)
                for scale in self.payload.criteria
                for part in range(self.payload.size)
                if self.field_name(scale, part) == name
            ),
            (),
        )

    def _part_named(self, part: int) -> tuple[str, ...]:
        if self.payload.whole:
            return ()
        (letter, text), turns = self._texts()[part], self._turns()
        if letter:
            return (gettext("Text %(letter)s") % {"letter": letter},)
        words = gettext("Turn %(number)s") if turns else gettext("Sentence %(number)s")
        return (quoted(words % {"number": turns[part] if turns else part + 1}, text),)

    def _turns(self) -> list[int]:
        """The numbers of the turns in question, where each takes an answer."""
        if not self.payload.per_sentence:
            return []
        asked = asked_numbers(self.payload.turns)
        return asked if len(asked) == self.payload.size else []

    @property
    def judges_conversation(self) -> bool:
        """Whether turns of the conversation shown are judged as a whole."""
        return self.payload.whole and bool(asked_numbers(self.payload.turns))

    @property
    def whole_text(self) -> str:
        """The text whose sentences are judged, where these alone do not show what it is like."""
        payload = self.payload
        shows = payload.per_sentence and not self._turns() and not self.prefix
        return payload.text if shows and (payload.spaces or payload.size > _FEW) else ""

    def _texts(self) -> list[tuple[str, str]]:
        if self.payload.candidates:
            return [(candidate.letter, candidate.text) for candidate in self.payload.candidates]
        if self.payload.per_sentence:
            return [("", sentence) for sentence in self.payload.sentences]
        return [("", self.payload.text)]

    def _group(self, scale: Scale, part: int) -> Group:
        field = self[self.field_name(scale, part)]
        choices = [
            ScalePoint(
                button=button,
                label=point.label if scale.distance != "nominal" else point.label or point.text,
                definition=point.definition,
                numbered=scale.distance != "nominal",
            )
            for button, point in zip(field.subwidgets, scale.points, strict=True)
        ]
        return Group(field, scale, choices, _fits_a_row(scale), self._mark(scale, part))

    def _mark(self, scale: Scale, part: int) -> PartMark | None:
        if self.payload.whole:
            return self.marks.get(scale.key)
        shown = self.payload.candidates
        return self.marks.get(part_name(scale.key, shown[part].item if shown else part))

    @property
    def one_question(self) -> bool:
        """Whether a single criterion is asked about many parts, so that it is written once."""
        return not self.payload.whole and len(self.payload.criteria) == 1


def _field(scale: Scale) -> forms.Field:
    values = {point.text: point.value for point in scale.points}
    return choice_field([(text, text) for text in values], coerce=values.__getitem__)


def _fits_a_row(scale: Scale) -> bool:
    """Whether the points stand side by side: short words, or numbers with labelled ends."""
    if any(point.definition for point in scale.points):
        return False
    if all(point.label for point in scale.points) or scale.distance == "nominal":
        return len(scale.points) <= 4 and all(
            len(point.label or point.text) <= _SHORT for point in scale.points
        )
    return True
