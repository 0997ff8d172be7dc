"""How many there are of everything that a reading finds."""

from dataclasses import dataclass, field

from files.reading.proposal_parts import Counts
from files.reading.records import ReadAnswer
from files.reading.rows.units import UnitPlace


@dataclass
class Tally:
    """Distinct keys, by their digests. closely: whether answers are counted that a rater gave
    again, and the units of each rater."""

    closely: bool = False
    again: int = 0
    _slots: dict[int, tuple[str, object]] = field(default_factory=dict)
    _units_of: dict[str, set[int]] = field(default_factory=dict)
    _units: set[int] = field(default_factory=set)
    _sources: set[int] = field(default_factory=set)
    _outputs: set[int] = field(default_factory=set)
    _systems: set[str] = field(default_factory=set)
    _raters: dict[str, set[str]] = field(default_factory=lambda: {"human": set(), "judge": set()})
    _criteria: set[str] = field(default_factory=set)
    _given: dict[int, int] = field(default_factory=dict)
    _answers: int = 0

    def add_unit(self, unit: UnitPlace) -> None:
        """Count what an answer, or a text, is about."""
        self._units.add(hash(unit.key))
        for output in unit.outputs:
            self._sources.add(hash(output.source))
            self._outputs.add(hash(output.key))
            if output.system:
                self._systems.add(output.system)

    def add_source(self, unit: UnitPlace) -> None:
        """Count a source about which nothing is written yet."""
        self._sources.add(hash(unit.key))

    def add(self, unit: UnitPlace, answer: ReadAnswer) -> None:
        """Count an answer and what it is about."""
        self.add_unit(unit)
        self._raters.setdefault(answer.kind, set()).add(answer.rater)
        self._criteria.add(answer.criterion)
        self._answers += 1
        if self.closely:
            self._look(answer)
        if answer.kind == "human":
            asked = hash((answer.unit, answer.criterion))
            self._given[asked] = self._given.get(asked, 0) + 1

    def _look(self, answer: ReadAnswer) -> None:
        """An answer that a second file has word for word is a copy, and is not given again."""
        slot = hash((answer.unit, answer.rater, answer.criterion))
        said = str(answer.where.file), answer.value
        before = self._slots.setdefault(slot, said)
        if before is not said:
            self.again += before[0] == said[0] or before[1] != said[1]
        self._units_of.setdefault(answer.rater, set()).add(hash(answer.unit))

    @property
    def units_of_raters(self) -> int:
        """The most units that one rater answered; looked at closely."""
        return max(map(len, self._units_of.values()), default=0)

    def counts(self, *, sampled: bool) -> Counts:
        """The numbers."""
        given = self._given.values()
        return Counts(
            sources=len(self._sources),
            outputs=len(self._outputs),
            systems=len(self._systems),
            units=len(self._units),
            raters=len(self._raters["human"]),
            judges=len(self._raters["judge"]),
            criteria=len(self._criteria),
            answers=self._answers,
            answers_per_unit=(min(given), max(given)) if given else (0, 0),
            sampled=sampled,
        )
