"""Answers by rater: objects of rater to unit to value, one of people and one of machines."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from files.errors import Contradiction, ImportFailure, RecordPlace
from files.readers.documents import whole_object
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.scales import Measure, ObservedValues, RawRating, line_through, nominal, points
from imports.formats.stand_ins import item_named, source_named
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord

FACET = "rating"
KINDS = ("human", "judge")
_LARGEST = 1e300


@dataclass(frozen=True)
class RaterRating:
    """One rating of a file, which is a record of its own."""

    where: RecordPlace
    kind: str
    rater: str
    unit: str
    value: Any


class Raters(Format):
    """One unit per unit id, in order of appearance; the texts are not in these files."""

    taken = AcceptedFiles(
        "Values by rater and unit",
        "JSON objects: those of people first, then those of judges",
        (".json", ".gz"),
        group="",
    )

    options = ("level",)
    needs = ("level",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        if len(format_input.files) > 2:
            raise ImportFailure(
                str(format_input.files[2]), "file", "people and judges are two files"
            )
        self._ratings: list[RaterRating] = []
        self._measure: Measure

    def study(self) -> StudyRecord:
        file_of: dict[str, str] = {}
        for path, kind in zip(self.input.files, KINDS, strict=False):
            raters = whole_object(path, self.input.watch)
            for rater, ratings in raters.items():
                if rater in file_of:
                    where = f"{path} (rater {rater})"
                    raise Contradiction(where, "rater", f"also in {file_of[rater]}")
                if not isinstance(ratings, dict):
                    raise ImportFailure(
                        f"{path} (rater {rater})", "ratings", "not an object of unit to value"
                    )
                file_of[rater] = path.name
            recorded = _recorded_ratings(path, kind, raters)
            self._ratings.extend(self.skipped.usable(recorded, self._rating))
        if not self._ratings:
            raise ImportFailure(str(self.input.files[0]), "ratings", "none in this file")
        self._measure = self._measured()
        return StudyRecord(blocks=(self._measure.block,))

    def entries(self) -> Iterator[MaterialEntry]:
        seen: set[str] = set()
        for rated in self._ratings:
            if rated.unit not in seen:
                seen.add(rated.unit)
                item = item_named(rated.unit)
                unit = UnitSpec(key=rated.unit, items=(item,))
                yield MaterialEntry(rated.where, source_named(rated.unit), (item,), (unit,))

    def answers(self) -> Iterator[AnswerLine]:
        return self.skipped.usable(self._ratings, self._answer)

    def _answer(self, rated: RaterRating) -> AnswerLine:
        return AnswerLine.of(
            rated.where,
            unit=rated.unit,
            rater=rated.rater,
            kind=rated.kind,
            answer=self._measure.answer(rated.value),
        )

    def _rating(self, recorded: RaterRating) -> RaterRating:
        """The rating with its value as the level has it; a unit needs a name, and a rater one
        that can be reported."""
        unit, value = recorded.unit, recorded.value
        about = f"{recorded.where.file} (rater {recorded.rater})"
        where = RecordPlace(about, file=recorded.where.file, raw=recorded.where.raw)
        try:
            source_named(unit)
        except ValueError as error:
            raise ImportFailure.of(where, error, within=unit[:40]) from error
        AnswerLine.of(where, unit=unit, rater=recorded.rater, kind=recorded.kind, answer={})
        return replace(recorded, value=self._value(where, unit, value))

    def _value(self, where: str, unit: str, value: Any) -> RawRating:
        if self.input.level == "nominal":
            if isinstance(value, str | int | float) and (label := _label(value)):
                return label
            raise ImportFailure(where, unit, "not a label")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ImportFailure(where, unit, f"{str(value)[:40]!r} is not a number")
        if not abs(value) < _LARGEST:
            raise ImportFailure(where, unit, "too large a number")
        return float(value)

    def _measured(self) -> Measure:
        observed = ObservedValues()
        for rated in self._ratings:
            observed.add(rated.value)
        try:
            if self.input.level == "nominal":
                return nominal(FACET, sorted(observed.labels))
            if self.input.level == "ordinal":
                return points(FACET, observed, "ordinal")
            few = observed.whole and len(observed.numbers) > 1
            return points(FACET, observed, "interval") if few else line_through(FACET, observed)
        except ValueError as error:
            raise ImportFailure.of(str(self.input.files[0]), error, within=FACET) from error


def _recorded_ratings(path: Path, kind: str, raters: dict[str, Any]) -> Iterator[RaterRating]:
    for rater, ratings in raters.items():
        for unit, value in ratings.items():
            where = RecordPlace(
                f"{path} (rater {rater}, unit {unit})", file=path, raw={rater: {unit: value}}
            )
            yield RaterRating(where, kind, rater, unit, value)


def _label(value: str | float) -> str:
    """A label is a word: 1 and 1.0, which one program or another writes for it, are one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()
