"""What an answer is about: the keys of source, outputs and unit, and their texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from files.errors import ImportFailure
from files.reading.model import ABOUT, ASKING, OF_SYSTEMS, Axis, Holds, Reading
from files.reading.records import Output, ReadUnit
from files.reading.rows.joined_rows import CellPlace, JoinedRow, Told
from files.reading.rows.layout import Layout, Spot

# A text longer than that is no name of anything.
LONGEST_KEY = 150
SOURCE_TEXTS = (*ABOUT, Holds.VERDICT, Holds.PASSAGES)
# What tells outputs without a name apart, where names are not made up for other texts.
_TELLING = (Holds.TEXT, Holds.REFERENCE, *OF_SYSTEMS, *SOURCE_TEXTS)
NO_SOURCE = "empty (write it in every row, also where cells are merged)"


class OutputPlace(NamedTuple):
    """An output by its key, and where in the row it stands. name: its key within the source."""

    key: str
    name: str
    source: str
    system: str
    spot: Spot


class UnitPlace(NamedTuple):
    """What an answer in a row is about. turned: whether the row has the pair the other way round
    than the first that had it."""

    key: str
    outputs: tuple[OutputPlace, ...]
    part: str = ""
    turned: bool = False


@dataclass
class TextNumbers:
    """Numbers for texts that have no name: the first of a group is 1. Texts are not held."""

    _numbers: dict[int, int] = field(default_factory=dict)
    _counts: dict[int, int] = field(default_factory=dict)

    def number(self, group: object, text: str) -> int:
        """The text's number among those of the group."""
        of_group, known = hash(group), hash((group, " ".join(text.split())))
        if known not in self._numbers:
            self._counts[of_group] = self._numbers[known] = self._counts.get(of_group, 0) + 1
        return self._numbers[known]


# Where texts stand that other tables only name: by (axis, keys).
Elsewhere = dict[tuple[str, ...], tuple[JoinedRow, Spot]]


@dataclass
class UnitPlaces:
    """The units of rows."""

    reading: Reading
    numbers: TextNumbers = field(default_factory=TextNumbers)
    elsewhere: Elsewhere = field(default_factory=dict)
    both_ways: set[str] = field(default_factory=set)
    _first: dict[int, bool] = field(default_factory=dict)
    _sources: dict[int, int] = field(default_factory=dict)

    def about(self, row: JoinedRow, spots: tuple[Spot, ...], *, is_pair: bool) -> UnitPlace:
        """The unit of the outputs at these places."""
        outputs = tuple(self.output(row, spot) for spot in spots)
        if len(outputs) == 1:
            return self._single(row, outputs[0])
        if len({output.key for output in outputs}) < len(outputs):
            raise ImportFailure(row.where, "row", f"{outputs[0].name!r} beside itself")
        key = f"{outputs[0].source}/" + "~".join(sorted(output.name for output in outputs))
        return UnitPlace(key, outputs, turned=is_pair and self._is_turned(key, outputs))

    def _is_turned(self, key: str, outputs: tuple[OutputPlace, ...]) -> bool:
        order = outputs[0].key < outputs[1].key
        turned = self._first.setdefault(hash(key), order) != order
        if turned:
            self.both_ways.add(key)
        return turned

    def _single(self, row: JoinedRow, output: OutputPlace) -> UnitPlace:
        if Holds.PART not in output.spot.told:
            return UnitPlace(output.key, (output,))
        part = output.spot.text(row, Holds.PART)
        number = self.numbers.number(("part", output.source), part)
        return UnitPlace(f"{output.key}/{number}", (output,), part)

    def output(self, row: JoinedRow, spot: Spot) -> OutputPlace:
        """The output at a place; ImportFailure where a cell that names it is empty."""
        key = self._key(row, spot, Holds.OUTPUT)
        source = self.source(row, spot, key)
        system = self.text(row, spot, Holds.SYSTEM, key)
        system = self.reading.systems.get(system, system)
        if key:
            return self._named(row, spot, key, source, system)
        text = spot.text(row, Holds.TEXT)
        if not source:
            source = str(self.numbers.number("alone", text)) if text else str(_number(row))
            if not system and Axis.POSITION not in spot.at:
                return OutputPlace(source, source, source, system, spot)
        telling = text
        if self.reading.refuses_other_texts:
            telling = "\0".join(spot.text(row, holds) for holds in _TELLING)
        name = self._name(source, system, telling if text else "", spot)
        return OutputPlace(
            f"{source}/{name}" if name else source, name or source, source, system, spot
        )

    def note_source(self, row: JoinedRow, spot: Spot) -> None:
        """Give a source without a name its number, whether its row has an output or none;
        ImportFailure where the row has no source."""
        about = [holds for holds in ABOUT if holds in spot.told]
        if about and not any(spot.text(row, holds) for holds in about):
            raise ImportFailure(row.where, _column(spot.told[about[0]]), NO_SOURCE)
        self.source(row, spot)

    def source_alone(self, row: JoinedRow, layout: Layout) -> UnitPlace:
        """A source about which no text is written yet; ImportFailure where its claim or query is
        empty, or its key has other texts above."""
        spot = layout.spot({})
        if not any(spot.text(row, holds) for holds in ASKING):
            raise ImportFailure(row.where, ", ".join(layout.asking_columns), "empty")
        key = self.source(row, spot)
        texts = "\0".join(spot.text(row, holds) for holds in SOURCE_TEXTS)
        if self.numbers.number(("bare", key), texts) > 1:
            reason = f"{key!r} stands above already, with other texts"
            raise ImportFailure(row.where, _column(spot.told[Holds.SOURCE]), reason)
        return UnitPlace(key, (OutputPlace(key, key, key, "", spot),))

    def _named(self, row: JoinedRow, spot: Spot, key: str, source: str, system: str) -> OutputPlace:
        """An output whose key the files have; one in the name of a column is that of the source's
        output."""
        if self.reading.refuses_other_texts:
            return OutputPlace(key, key, source or key, system, spot)
        if source and spot.told[Holds.OUTPUT].fixed and ("output", key) not in self.elsewhere:
            return OutputPlace(f"{source}/{key}", key, source, system, spot)
        own = hash(source or key)
        if self._sources.setdefault(hash(key), own) != own:
            reason = f"{key!r} is an output of {source!r} and of another source: name both columns"
            raise ImportFailure(row.where, _column(spot.told[Holds.OUTPUT]), f"{reason} outputs")
        text = spot.text(row, Holds.TEXT)
        if text and self.numbers.number(("output", key), text) > 1:
            reason = f"another text than above for {key!r}: name the column that tells them apart"
            raise ImportFailure(row.where, _column(spot.told[Holds.OUTPUT]), reason)
        return OutputPlace(key, key, source or key, system, spot)

    def _name(self, source: str, system: str, text: str, spot: Spot) -> str:
        """The output's key within its source."""
        if system:
            if self.reading.refuses_other_texts:
                return system
            number = self.numbers.number((source, system), text) if text else 1
            return f"{system}/{number}" if number > 1 else system
        if text:
            return str(self.numbers.number((source, ""), text))
        return spot.at.get(Axis.POSITION, "")

    def source(self, row: JoinedRow, spot: Spot, output: str = "") -> str:
        """The key of the source; empty where nothing tells of any."""
        if key := self._key(row, spot, Holds.SOURCE):
            return key
        if output and (found := self.elsewhere.get(("output", output))):
            if key := self._key(*found, Holds.SOURCE):
                return key
            return self._of_texts(*found)
        return self._of_texts(row, spot)

    def _of_texts(self, row: JoinedRow, spot: Spot) -> str:
        if spot.told.keys().isdisjoint(SOURCE_TEXTS):
            return ""
        texts = [spot.text(row, holds) for holds in SOURCE_TEXTS]
        return str(self.numbers.number("source", "\0".join(texts))) if any(texts) else ""

    def _key(self, row: JoinedRow, spot: Spot, holds: Holds) -> str:
        told = spot.told.get(holds)
        if told is None:
            return ""
        texts = told.texts(row)
        if not all(texts):
            raise ImportFailure(row.where, _column(told, texts.index("")), "empty")
        key = "/".join(texts)
        if len(key) <= LONGEST_KEY or self.reading.refuses_other_texts:
            return key
        return str(self.numbers.number(holds, key))

    def text(self, row: JoinedRow, spot: Spot, holds: Holds, output: str, source: str = "") -> str:
        """What the row tells at a place, or a table that it names."""
        if text := spot.text(row, holds):
            return text
        if not self.elsewhere:
            return ""
        for key in (("output", output), ("source", source)):
            found = self.elsewhere.get(key)
            if found and (text := found[1].text(found[0], holds)):
                return text
        return ""

    def note(self, row: JoinedRow, layout: Layout) -> None:
        """Remember where the texts of a table without answers stand, for those that name them."""
        for spot in layout.spots:
            key, source = self._key(row, spot, Holds.OUTPUT), self.source(row, spot)
            system = spot.text(row, Holds.SYSTEM)
            if key:
                self.elsewhere.setdefault(("output", key), (row, spot))
            elif source and system:
                system = self.reading.systems.get(system, system)
                self.elsewhere.setdefault(("output", f"{source}/{system}"), (row, spot))
            if source:
                self.elsewhere.setdefault(("source", source), (row, spot))

    # --- Texts -------------------------------------------------------------------------------

    def unit(self, row: JoinedRow, place: UnitPlace) -> ReadUnit:
        """The unit with all that the files tell of it."""
        first = place.outputs[0]
        texts = {
            holds.value: text
            for holds in SOURCE_TEXTS
            if (text := self.text(row, first.spot, holds, first.key, first.source))
        }
        return ReadUnit(
            row.where,
            place.key,
            first.source,
            tuple(self._output(row, output) for output in place.outputs),
            place.part,
            texts,
            self.text(row, first.spot, Holds.REFERENCE, first.key),
            source_kept=self._kept(row, first, "source"),
            unit_kept=self._kept(row, first, "unit"),
        )

    def _output(self, row: JoinedRow, output: OutputPlace) -> Output:
        text = self.text(row, output.spot, Holds.TEXT, output.key)
        about = {
            holds.value: told
            for holds in OF_SYSTEMS
            if (told := self.text(row, output.spot, holds, output.key))
        }
        kept = self._kept(row, output, "output")
        return Output(output.key, output.system, text or None, about, kept)

    def _kept(self, row: JoinedRow, output: OutputPlace, of: str) -> Mapping[str, str]:
        found = [(row, cell) for cell in output.spot.kept]
        for key in (("output", output.key), ("source", output.source)):
            if key in self.elsewhere:
                other, spot = self.elsewhere[key]
                found += [(other, cell) for cell in spot.kept]
        return kept_cells(found, of)


def kept_cells(found: list[tuple[JoinedRow, CellPlace]], *of: str) -> Mapping[str, str]:
    """The own columns of a source, an output, a unit, an answer or a rater."""
    return {
        cell.column.own_name: text
        for row, cell in found
        if cell.column.of in of and (text := cell.text(row))
    }


def _column(told: Told, number: int = 0) -> str:
    return told.cells[number].column.column if told.cells else "row"


def _number(row: JoinedRow) -> int:
    part = row.parts[0]
    assert part is not None
    return part.number
