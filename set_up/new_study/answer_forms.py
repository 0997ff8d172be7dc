"""The answers to one criterion as a form: their scale, and what each word means."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from files.reading.model import AnswersReading
from set_up.new_study.part_forms import ReadingPartForm

# So many different numbers are shown one by one, since they may be codes.
MOST_CODES = 12
FORMS = (
    ("scale", "a value on a scale"),
    ("choice", "the better of a pair"),
    ("set", "the accepted outputs"),
    ("marks", "marks, of which there may be several"),
)
LEVELS = (
    ("", "as the values say"),
    ("nominal", "labels without an order"),
    ("ordinal", "steps in order"),
    ("interval", "numbers with even distances"),
)


@dataclass(frozen=True)
class WordRow:
    """Something that cells say, how often, and the fields of what it means."""

    word: str
    count: int
    means: forms.BoundField
    none: forms.BoundField


class AnswersForm(ReadingPartForm):
    """What the answers to one criterion are, and what each word means."""

    title = forms.CharField(label="Name of the criterion, or its question", required=False)
    form = forms.ChoiceField(label="An answer is", choices=FORMS)
    level = forms.ChoiceField(label="Its values are", choices=LEVELS, required=False)
    low = forms.FloatField(label="Lowest value", required=False)
    high = forms.FloatField(label="Highest value", required=False)

    def __init__(
        self, number: int, answers: AnswersReading, seen: Mapping[str, int], data: Any = None
    ) -> None:
        super().__init__(f"answers{number}", data)
        self.number, self.answers = number, answers
        numbers = [word for word in seen if _is_number(word) and word not in answers.words]
        self.numbers = numbers if len(numbers) > MOST_CODES else []
        shown = {word: n for word, n in seen.items() if word not in self.numbers}
        self.words = {**dict.fromkeys(answers.words, 0), **shown}
        for name in ("title", "form", "level", "low", "high"):
            self.fields[name].initial = getattr(answers, name)
        for n, word in enumerate(self.words):
            meant = answers.words.get(word)
            self.fields[f"means{n}"] = forms.CharField(
                label=f"What “{word}” means",
                initial="" if meant is None else _plain(meant),
                required=False,
            )
            self.fields[f"none{n}"] = forms.BooleanField(
                label=f"“{word}” is no answer",
                initial=word in answers.words and meant is None,
                required=False,
            )

    @property
    def own(self) -> list[forms.BoundField]:
        """The fields that are about no word."""
        return [self[name] for name in ("title", "form", "level", "low", "high")]

    @property
    def rows(self) -> list[WordRow]:
        """The words."""
        return [
            WordRow(word, count, self[f"means{n}"], self[f"none{n}"])
            for n, (word, count) in enumerate(self.words.items())
        ]

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        answers = record["answers"][self.number]
        answers |= {name: self.cleaned_data[name] for name in ("title", "form", "low", "high")}
        answers["level"] = self.cleaned_data["level"] or None
        answers["words"] = dict(self._typed())
        return record

    def _typed(self) -> Iterator[tuple[str, float | str | None]]:
        for n, word in enumerate(self.words):
            if self.cleaned_data[f"none{n}"]:
                yield word, None
            elif typed := self.cleaned_data[f"means{n}"]:
                yield word, _number_or_text(typed)


def _plain(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else value


def _is_number(text: str) -> bool:
    return not isinstance(_number_or_text(text), str)


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
