"""The parts of a reading as forms, each of which is changed by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from pydantic import ValidationError

from imports.reading.model import AnswersReading, Axis, Holds, Reading, TableReading
from imports.reading.samples import ColumnSample, TableSample

# What columns hold, in words.
HOLDS = (
    (Holds.LEFT_OUT, "–"),
    (Holds.ANSWER, "Answer"),
    (Holds.RATER, "Rater: who answered"),
    (Holds.KIND, "Whether the rater is a person or a judge"),
    (Holds.CRITERION, "Criterion"),
    (Holds.REASON, "Reason for the answer"),
    (Holds.REFERENCE, "Right answer"),
    (Holds.TEXT, "Output: the text that is judged"),
    (Holds.OUTPUT, "ID of the output"),
    (Holds.SYSTEM, "System that wrote it"),
    (Holds.POSITION, "Position of the output"),
    (Holds.PART, "Statement or question about the output"),
    (Holds.SOURCE, "ID of what outputs are about"),
    (Holds.DOCUMENT, "Document that outputs are about"),
    (Holds.CLAIM, "Claim that is checked"),
    (Holds.QUERY, "Query that is answered"),
    (Holds.PASSAGES, "Passages of evidence"),
    (Holds.KEPT, "Kept as it is"),
    (Holds.PERSONAL, "Identifies a person: left out"),
)
AXES = (("", "–"), *((axis.value, axis.value) for axis in Axis))
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
REPEATED = (
    ("first", "the first counts"),
    ("last", "the last counts"),
    ("none", "none of them counts"),
    ("all", "all are kept"),
)
_AXIS = "|".join(Axis)
_PLACE = re.compile(rf"({_AXIS})\s+(.+?)\s*(?:,\s*(?=(?:{_AXIS})\s)|$)")
_LINE_HINT = "One a line, as {}."


class ReadingPartForm(forms.Form):
    """A form of one part of a reading. name: of the part, as it is posted."""

    use_required_attribute = False

    def __init__(self, name: str, data: Any = None) -> None:
        self.name = name
        super().__init__(data if data and data.get("part") == name else None, prefix=name)

    def changed(self, reading: Reading) -> Reading | None:
        """The reading with what was typed; None where that does not fit, which is said then."""
        if not self.is_valid():
            return None
        try:
            part = self.put_into(reading.model_dump(mode="json"))
            return Reading.model_validate(part)
        except ValidationError as error:
            complaint = error.errors(include_url=False)[0]
            reason = str(complaint["msg"]).removeprefix("Value error, ")
            self.add_error(None, f"{reason[:1].upper()}{reason[1:]}.")
            return None

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record of a reading with what was typed."""
        raise NotImplementedError


@dataclass(frozen=True)
class ColumnRow:
    """A column in the form of its table. place: the field of what its name says."""

    sample: ColumnSample
    holds: forms.BoundField
    place: forms.BoundField


class TableForm(ReadingPartForm):
    """What the columns of a table hold, what names of files say, and which rows are no data."""

    def __init__(
        self, number: int, table: TableReading, seen: TableSample, data: Any = None
    ) -> None:
        super().__init__(f"table{number}", data)
        self.number, self.table, self.seen = number, table, seen
        for n, column in enumerate(table.columns):
            self.fields[f"holds{n}"] = forms.ChoiceField(
                label=f"What {column.column} holds", choices=HOLDS, initial=column.holds.value
            )
            self.fields[f"at{n}"] = forms.CharField(
                label=f"What the name {column.column} says",
                initial=", ".join(f"{axis.value} {value}" for axis, value in column.at.items()),
                required=False,
            )
        self._add_names()
        self._add_rows()

    def _add_names(self) -> None:
        said = {each.of: each for each in self.table.names}
        for of in ("file", "folder", "sheet"):
            standing = said.get(of)
            self.fields[f"says-{of}"] = forms.ChoiceField(
                label=f"The name of the {of} says the",
                choices=AXES,
                initial=standing.says.value if standing else "",
                required=False,
            )
            self.fields[f"pattern-{of}"] = forms.CharField(
                label=f"Which part of the name of the {of}",
                initial=standing.pattern if standing else "(.+)",
                help_text="A regular expression; its group is the part that counts.",
                required=False,
            )

    def _add_rows(self) -> None:
        left_out = [f"{c} = {v}" for c, values in self.table.left_out.items() for v in values]
        self.fields["left_out"] = forms.CharField(
            label="Rows that are no data",
            initial="\n".join(left_out),
            help_text=_LINE_HINT.format("column = value"),
            widget=forms.Textarea({"rows": 2}),
            required=False,
        )
        self.fields["numbered_raters"] = forms.BooleanField(
            label="Rows name no rater: number the answers to each output",
            initial=self.table.numbered_raters,
            required=False,
        )
        self.fields["kind"] = forms.ChoiceField(
            label="The raters of these files are",
            choices=[("human", "people"), ("judge", "machines")],
            initial=self.table.kind,
        )

    @property
    def rows(self) -> list[ColumnRow]:
        """The columns."""
        return [
            ColumnRow(column, self[f"holds{n}"], self[f"at{n}"])
            for n, column in enumerate(self.seen.columns)
        ]

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields that are about no column; of names those that these files have."""
        has = {"file": True, "folder": any("/" in name for name in self.seen.names)}
        has["sheet"] = any("#" in name for name in self.seen.names)
        names = [of for of in has if has[of]]
        fields = [f"{field}-{of}" for of in names for field in ("says", "pattern")]
        return [self[name] for name in (*fields, "left_out", "kind")]

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        table = record["tables"][self.number]
        for n, column in enumerate(table["columns"]):
            column["holds"] = self.cleaned_data[f"holds{n}"]
            if f"at{n}" in self.changed_data:
                column["at"] = dict(_PLACE.findall(self.cleaned_data[f"at{n}"]))
        table["names"] = [
            {"of": of, "says": says, "pattern": self.cleaned_data[f"pattern-{of}"]}
            for of in ("file", "folder", "sheet")
            if (says := self.cleaned_data[f"says-{of}"])
        ]
        left_out: dict[str, list[str]] = {}
        for column, value in _pairs(self.cleaned_data["left_out"]):
            left_out.setdefault(column, []).append(value)
        table["left_out"] = left_out
        table |= {name: self.cleaned_data[name] for name in ("numbered_raters", "kind")}
        return record


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
        self.words = {**dict.fromkeys(answers.words, 0), **seen}
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

    def _typed(self) -> Any:
        for n, word in enumerate(self.words):
            if self.cleaned_data[f"none{n}"]:
                yield word, None
            elif typed := self.cleaned_data[f"means{n}"]:
                yield word, _number_or_text(typed)


class RestForm(ReadingPartForm):
    """Repeated answers, spellings of systems, raters that are machines."""

    repeated = forms.ChoiceField(label="Of several answers of one rater", choices=REPEATED)
    systems = forms.CharField(
        label="Spellings of systems",
        help_text=_LINE_HINT.format("spelling = name"),
        widget=forms.Textarea({"rows": 2}),
        required=False,
    )
    judges = forms.CharField(
        label="Raters that are machines",
        help_text="One a line.",
        widget=forms.Textarea({"rows": 2}),
        required=False,
    )

    def __init__(self, reading: Reading, data: Any = None) -> None:
        super().__init__("rest", data)
        self.fields["repeated"].initial = reading.repeated
        spellings = (f"{spelling} = {name}" for spelling, name in reading.systems.items())
        self.fields["systems"].initial = "\n".join(spellings)
        self.fields["judges"].initial = "\n".join(reading.judges)

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        typed = self.cleaned_data
        judges = [line.strip() for line in typed["judges"].splitlines() if line.strip()]
        systems = dict(_pairs(typed["systems"]))
        return {**record, "repeated": typed["repeated"], "systems": systems, "judges": judges}


def reading_forms(
    reading: Reading,
    seen: Sequence[TableSample],
    words: Mapping[str, Mapping[str, int]],
    data: Any = None,
) -> list[ReadingPartForm]:
    """The forms of all parts of a reading. seen: its tables. words: what cells say."""
    tables = zip(reading.tables, seen, strict=True)
    return [
        *(TableForm(n, table, own, data) for n, (table, own) in enumerate(tables)),
        *(
            AnswersForm(n, each, words.get(each.criterion, {}), data)
            for n, each in enumerate(reading.answers)
        ),
        RestForm(reading, data),
    ]


def spellings(systems: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """Systems whose names differ in case and marks alone: spelling -> the name met first."""
    first: dict[str, str] = {}
    found = {}
    for name in systems:
        plain = re.sub(r"[\W_]+", "", name).casefold()
        if (other := first.setdefault(plain, name)) != name and name not in known:
            found[name] = other
    return found


def _pairs(text: str) -> list[tuple[str, str]]:
    lines = (line.partition("=") for line in text.splitlines() if "=" in line)
    return [(name.strip(), value.strip()) for name, _mark, value in lines]


def _plain(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else value


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
