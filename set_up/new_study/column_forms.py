"""What the columns of a table hold as a form, with what names say and which rows are no data."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms

from files.reading.model import GROUPED, Axis, ColumnReading, Holds, TableReading
from files.reading.samples import ColumnSample, TableSample
from set_up.new_study.part_forms import LINE_HINT, ReadingPartForm, pairs_in

# What own columns describe.
KEPT_WITH = {
    "source": "what outputs are about",
    "output": "the output",
    "unit": "the unit",
    "answer": "the answer",
    "rater": "the rater (personal data)",
}
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
    (Holds.SYSTEM_FAMILY, "Family of the system"),
    (Holds.EVIDENCE_SOURCE, "Whose evidence the output rests on"),
    (Holds.CONDITION, "Condition that groups outputs"),
    (Holds.POSITION, "Position of the output"),
    (Holds.PART, "Statement or question about the output"),
    (Holds.SOURCE, "ID of what outputs are about"),
    (Holds.DOCUMENT, "Document that outputs are about"),
    (Holds.CLAIM, "Claim that is checked"),
    (Holds.QUERY, "Query that is answered"),
    (Holds.VERDICT, "Verdict on the claim"),
    (Holds.PASSAGES, "Passages of evidence"),
    *((f"{Holds.KEPT}:{of}", f"Kept, with {words}") for of, words in KEPT_WITH.items()),
    (Holds.PERSONAL, "Identifies a person: left out"),
)
AXES = (("", "–"), *((axis.value, axis.value) for axis in Axis))
# Columns of which there may be several in a row, told apart by what their names say.
_PLACED = (Holds.ANSWER, Holds.TEXT, Holds.PART, Holds.SYSTEM, Holds.OUTPUT, Holds.REASON)
_AXIS = "|".join(Axis)
_PLACE = re.compile(rf"({_AXIS})\s+(.+?)\s*(?:,\s*(?=(?:{_AXIS})\s)|$)")


@dataclass(frozen=True)
class ColumnRow:
    """A column in the form of its table. place: the field of what its name says, where it may say
    anything. groups: whether results are grouped by it, where they can be."""

    sample: ColumnSample
    holds: forms.BoundField
    place: forms.BoundField | None
    groups: forms.BoundField | None = None


class TableForm(ReadingPartForm):
    """What the columns of a table hold, what names of files say, and which rows are no data."""

    def __init__(
        self, number: int, table: TableReading, seen: TableSample, data: Any = None
    ) -> None:
        super().__init__(f"table{number}", data)
        self.number, self.table, self.seen = number, table, seen
        for n, column in enumerate(table.columns):
            self.fields[f"holds{n}"] = forms.ChoiceField(
                label=f"What {column.column} holds", choices=HOLDS, initial=_held(column)
            )
            if column.at or column.holds in _PLACED:
                self.fields[f"at{n}"] = forms.CharField(
                    label=f"What the name {column.column} says",
                    initial=", ".join(f"{axis.value} {value}" for axis, value in column.at.items()),
                    required=False,
                )
            if column.may_group:
                self.fields[f"groups{n}"] = forms.BooleanField(
                    label=f"Group results by {column.column}",
                    initial=column.groups,
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
            help_text=LINE_HINT.format("column = value"),
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
            ColumnRow(column, self[f"holds{n}"], self._drawn(f"at{n}"), self._drawn(f"groups{n}"))
            for n, column in enumerate(self.seen.columns)
        ]

    def _drawn(self, name: str) -> forms.BoundField | None:
        return self[name] if name in self.fields else None

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
            holds, _, of = self.cleaned_data[f"holds{n}"].partition(":")
            column |= {"holds": holds, "of": of}
            if f"at{n}" in self.changed_data:
                column["at"] = dict(_PLACE.findall(self.cleaned_data[f"at{n}"]))
            ticked = self.cleaned_data.get(f"groups{n}", False)
            column["groups"] = ticked and of in GROUPED
        table["names"] = [
            {"of": of, "says": says, "pattern": self.cleaned_data[f"pattern-{of}"]}
            for of in ("file", "folder", "sheet")
            if (says := self.cleaned_data[f"says-{of}"])
        ]
        left_out: dict[str, list[str]] = {}
        for column, value in pairs_in(self.cleaned_data["left_out"]):
            left_out.setdefault(column, []).append(value)
        table["left_out"] = left_out
        table |= {name: self.cleaned_data[name] for name in ("numbered_raters", "kind")}
        return record


def _held(column: ColumnReading) -> str:
    """What the column holds, and of an own column what it describes."""
    own = f":{column.of or 'answer'}" if column.holds is Holds.KEPT else ""
    return f"{column.holds}{own}"
