"""Answers by rater: objects of rater to unit to value, one of people and one of machines."""

from collections.abc import Iterator
from typing import Any

from annotation.importing.answers import AnswerLine
from annotation.importing.errors import ImportFailure
from annotation.importing.files.documents import whole_object
from annotation.importing.formats.contract import Format, Given
from annotation.importing.formats.scales import (
    Measure,
    RatingGiven,
    Seen,
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

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        if len(given.files) > 2:
            raise ImportFailure(str(given.files[2]), "file", "people and judges are two files")
        # (where, kind, rater, unit, value)
        self._ratings: list[tuple[str, str, str, str, RatingGiven]] = []
        self._measure: Measure

    def study(self) -> StudyRecord:
        known: dict[str, str] = {}
        for path, kind in zip(self.given.files, KINDS, strict=False):
            for rater, ratings in whole_object(path, self.given.watch).items():
                where = f"{path} (rater {rater})"
                if rater in known:
                    raise ImportFailure(where, "rater", f"also in {known[rater]}")
                known[rater] = path.name
                self._ratings.extend(self._of(where, kind, rater, ratings))
        if not self._ratings:
            raise ImportFailure(str(self.given.files[0]), "ratings", "none in this file")
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

    def _of(
        self, where: str, kind: str, rater: str, ratings: Any
    ) -> Iterator[tuple[str, str, str, str, RatingGiven]]:
        if not isinstance(ratings, dict):
            raise ImportFailure(where, "ratings", "not an object of unit to value")
        for unit, given in ratings.items():
            yield where, kind, rater, unit, self._value(where, unit, given)

    def _value(self, where: str, unit: str, given: Any) -> RatingGiven:
        if self.given.level == "nominal":
            if isinstance(given, str | int | float) and (label := _label(given)):
                return label
            raise ImportFailure(where, unit, "not a label")
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise ImportFailure(where, unit, f"{str(given)[:40]!r} is not a number")
        return float(given)

    def _measured(self) -> Measure:
        seen = Seen()
        for *_, value in self._ratings:
            seen.add(value)
        try:
            if self.given.level == "nominal":
                return nominal(FACET, sorted(seen.labels))
            if self.given.level == "ordinal":
                return points(FACET, seen, "ordinal")
            few = seen.whole and len(seen.numbers) > 1
            return points(FACET, seen, "interval") if few else line_through(FACET, seen)
        except ValueError as error:
            raise ImportFailure.of(str(self.given.files[0]), error, within=FACET) from error


def _label(given: str | float) -> str:
    """A label is a word: 1 and 1.0, which one program or another writes for it, are one."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    return str(given).strip()
