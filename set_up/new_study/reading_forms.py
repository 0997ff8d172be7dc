"""All parts of a reading as forms."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from files.reading.model import Holds, Reading
from files.reading.reading_files import reading_written, reading_yaml
from files.reading.remarks import COUNTING
from files.reading.samples import TableSample
from set_up.new_study.answer_forms import AnswersForm
from set_up.new_study.column_forms import TableForm
from set_up.new_study.part_forms import LINE_HINT, ReadingPartForm, pairs_in


class RestForm(ReadingPartForm):
    """Repeated answers, spellings of systems, raters that are machines."""

    repeated = forms.ChoiceField(
        label="Of several answers of one rater", choices=[*COUNTING.items()]
    )
    systems = forms.CharField(
        label="Spellings of systems",
        help_text=LINE_HINT.format("spelling = name"),
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
        systems = dict(pairs_in(typed["systems"]))
        return {**record, "repeated": typed["repeated"], "systems": systems, "judges": judges}


class TextForm(ReadingPartForm):
    """The whole reading as a text, as `--reading` takes it: also what no other form shows."""

    text = forms.CharField(
        label="The reading as text",
        help_text="YAML or JSON. import_study table --reading takes it, too.",
        widget=forms.Textarea({"rows": 16, "class": "prose-field", "spellcheck": "false"}),
    )

    def __init__(self, reading: Reading, data: Any = None) -> None:
        super().__init__("text", data)
        self.fields["text"].initial = reading_yaml(reading)

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        return reading_written(self.cleaned_data["text"], "reading").model_dump(mode="json")


def reading_forms(
    reading: Reading,
    seen: Sequence[TableSample],
    words: Mapping[str, Mapping[str, int]],
    data: Any = None,
) -> list[ReadingPartForm]:
    """The forms of all parts of a reading, without those of files that are left out. seen: its
    tables. words: what cells say."""
    tables = zip(reading.tables, seen, strict=True)
    return [
        *(
            TableForm(n, table, own, data)
            for n, (table, own) in enumerate(tables)
            if any(column.holds is not Holds.LEFT_OUT for column in table.columns)
        ),
        *(
            AnswersForm(n, each, words.get(each.criterion, {}), data)
            for n, each in enumerate(reading.answers)
        ),
        RestForm(reading, data),
        TextForm(reading, data),
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
