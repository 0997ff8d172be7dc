"""The labels of a table as the rows that statistics start from, in memory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from estimates.data.options import EPSILON
from estimates.data.raters import RaterKind, RaterOrigin, RaterRecord
from estimates.data.records import BlockRecord, RatingRecord, Records, ShownItem, UnansweredRecord
from label_table.labels import LabelTable
from label_table.scales import Scale


class TableRecords(Records):
    """A table of labels as `Records`: a source, an item and a question per unit and scale, as an
    import would store them."""

    epsilon = EPSILON
    overlap = 1
    margins: Mapping[str, float] = {}
    published: Sequence[Mapping[str, Any]] = ()

    def __init__(self, table: LabelTable, scale: Scale, epsilon: float) -> None:
        self.table, self.scale, self.epsilon = table, scale, epsilon
        self._units = {key: number for number, key in enumerate(table.units, start=1)}
        sources = dict.fromkeys(unit.source for unit in table.units.values())
        self._sources = {key: number for number, key in enumerate(sources, start=1)}
        self._raters = {
            name: RaterRecord(
                *(number, name, kind, RaterOrigin.IMPORTED),
                numbered=table.numbers_raters and kind == RaterKind.HUMAN,
            )
            for number, (name, kind) in enumerate(table.raters.items(), start=1)
        }
        self._blocks = {
            measure.block.key: BlockRecord.of(
                number, measure.block.key, measure.task_type.slug, measure.block.full_options
            )
            for number, measure in enumerate(scale.measures, start=1)
        }

    @property
    def group_by(self) -> Sequence[str]:
        """The keys of the own columns that results are grouped by."""
        return self.table.read.reading.group_by

    def own_values(self, key: str) -> Iterable[tuple[int, str]]:
        """What the own column says of sources, units or raters."""
        raters = {name: rater.pk for name, rater in self._raters.items()}
        rows = {"source": self._sources, "rater": raters}.get(key.partition(".")[0], self._units)
        own = self.table.own.get(key, {}).items()
        return ((rows[name], value) for name, value in own if name in rows)

    def blocks(self) -> Sequence[BlockRecord]:
        return list(self._blocks.values())

    def raters(self) -> Sequence[RaterRecord]:
        return sorted(self._raters.values(), key=lambda rater: (rater.kind, rater.name))

    def ratings(self) -> Iterable[RatingRecord]:
        for label in self.table.labels:
            measure, value = self.scale.measure(label.rater), self.scale.value(label)
            is_label = isinstance(value, str)
            yield RatingRecord(
                question=self._question(label.unit, self._blocks[measure.block.key].pk),
                rater=self._raters[label.rater].pk,
                replicate=label.replicate,
                round=None,
                facet=measure.facet,
                element="",
                number=None if is_label else float(value),
                label=str(value) if is_label else None,
                members=None,
            )

    def units(self) -> Iterable[tuple[int, int]]:
        for key, unit in self.table.units.items():
            yield self._units[key], self._sources[unit.source]

    def verdicts(self) -> Iterable[tuple[int, str]]:
        return ((number, "") for number in self._sources.values())

    def shown_items(self) -> Iterable[ShownItem]:
        for key, unit in self.table.units.items():
            number, source = self._units[key], self._sources[unit.source]
            yield ShownItem(number, number, key, source, (unit.system, "", "", ""))

    def questions(self) -> Iterable[tuple[int, int]]:
        for key, number in self._units.items():
            for block in self._blocks.values():
                yield self._question(key, block.pk), number

    def unanswered(self) -> Iterable[UnansweredRecord]:
        """The gaps of judges, who were asked about every unit of the table."""
        for name, units in self.table.gaps.items():
            if self.table.raters[name] == RaterKind.JUDGE:
                key, rater = self.scale.measure(name).block.key, self._raters[name].pk
                for unit in units:
                    yield UnansweredRecord(self._units[unit], key, rater)

    def _question(self, unit: str, block: int) -> int:
        return (self._units[unit] - 1) * len(self._blocks) + block
