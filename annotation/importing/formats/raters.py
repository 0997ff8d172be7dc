"""Answers by rater: objects of rater to unit to value, one of people and one of machines."""

from collections.abc import Iterator
from typing import Any

from annotation.importing.answers import AnswerLine
from annotation.importing.errors import ImportFailure
from annotation.importing.files.documents import whole_object
from annotation.importing.formats.contract import Format, FormatInput
from annotation.importing.formats.scales import (
    Measure,
    ObservedValues,
    RawRating,
    line_through,
    nominal,
    points,
)
from annotation.importing.formats.stand_ins import item_named, source_named
from annotation.importing.material.records import Entry, UnitSpec
from annotation.importing.study_file.schema import StudyRecord

FACET = "rating"
KINDS = ("human", "judge")


class Raters(Format):
    """One unit per unit id, in order of appearance; the texts are not in these files."""

    options = ("level",)
    needs = ("level",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        if len(format_input.files) > 2:
            raise ImportFailure(
                str(format_input.files[2]), "file", "people and judges are two files"
            )
        # (where, kind, rater, unit, value)
        self._ratings: list[tuple[str, str, str, str, RawRating]] = []
        self._measure: Measure

    def study(self) -> StudyRecord:
        file_of: dict[str, str] = {}
        for path, kind in zip(self.input.files, KINDS, strict=False):
            for rater, ratings in whole_object(path, self.input.watch).items():
                where = f"{path} (rater {rater})"
                if rater in file_of:
                    raise ImportFailure(where, "rater", f"also in {file_of[rater]}")
                file_of[rater] = path.name
                self._ratings.extend(self._ratings_of(where, kind, rater, ratings))
        if not self._ratings:
            raise ImportFailure(str(self.input.files[0]), "ratings", "none in this file")
        self._measure = self._measured()
        return StudyRecord(blocks=(self._measure.block,))

    def entries(self) -> Iterator[Entry]:
        seen: set[str] = set()
        for where, _, _, unit, _ in self._ratings:
            if unit not in seen:
                seen.add(unit)
                item = item_named(unit)
                try:
                    source = source_named(unit)
                except ValueError as error:
                    raise ImportFailure.of(where, error, within=unit[:40]) from error
                yield Entry(where, source, (item,), (UnitSpec(key=unit, items=(item,)),))

    def answers(self) -> Iterator[AnswerLine]:
        for where, kind, rater, unit, value in self._ratings:
            answer = self._measure.answer(value)
            yield AnswerLine.of(where, unit=unit, rater=rater, kind=kind, answer=answer)

    def _ratings_of(
        self, where: str, kind: str, rater: str, ratings: Any
    ) -> Iterator[tuple[str, str, str, str, RawRating]]:
        if not isinstance(ratings, dict):
            raise ImportFailure(where, "ratings", "not an object of unit to value")
        for unit, value in ratings.items():
            yield where, kind, rater, unit, self._value(where, unit, value)

    def _value(self, where: str, unit: str, value: Any) -> RawRating:
        if self.input.level == "nominal":
            if isinstance(value, str | int | float) and (label := _label(value)):
                return label
            raise ImportFailure(where, unit, "not a label")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ImportFailure(where, unit, f"{str(value)[:40]!r} is not a number")
        return float(value)

    def _measured(self) -> Measure:
        observed = ObservedValues()
        for *_, value in self._ratings:
            observed.add(value)
        try:
            if self.input.level == "nominal":
                return nominal(FACET, sorted(observed.labels))
            if self.input.level == "ordinal":
                return points(FACET, observed, "ordinal")
            few = observed.whole and len(observed.numbers) > 1
            return points(FACET, observed, "interval") if few else line_through(FACET, observed)
        except ValueError as error:
            raise ImportFailure.of(str(self.input.files[0]), error, within=FACET) from error


def _label(value: str | float) -> str:
    """A label is a word: 1 and 1.0, which one program or another writes for it, are one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()
