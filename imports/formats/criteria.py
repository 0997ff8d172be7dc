"""The blocks of criteria whose scales are known from what people and machines answered."""

from collections.abc import Callable
from dataclasses import dataclass, field

from files.errors import ImportFailure
from imports.formats.scales import Measure, ObservedValues, RawRating, line_through
from imports.study_file.blocks import BlockPart

# The criterion, and the machine; every machine may have a scale of its own.
Scale = tuple[str, str]


@dataclass
class CriterionMeasures:
    """One block per criterion.

    The scores of a machine that are not on the people's scale go to a block for such scores, whose
    numbers are compared with those of the criterion, or of every criterion where they name none.

    file: where failures are placed. facet: the name of a criterion's facet. made: the block of a
    criterion on whose scale these values are.
    """

    file: str
    facet: Callable[[str], str]
    made: Callable[[str, ObservedValues], Measure]
    _people: dict[str, ObservedValues] = field(default_factory=dict)
    _machines: dict[Scale, ObservedValues] = field(default_factory=dict)
    # The block of each scale: (criterion, machine), of people (criterion, "").
    _measures: dict[Scale, Measure] = field(default_factory=dict)

    def observe(self, criterion: str, machine: str, value: RawRating) -> None:
        """Take in a value; machine: empty where a person gave it."""
        if machine:
            self._machines.setdefault((criterion, machine), ObservedValues()).add(value)
        else:
            self._people.setdefault(criterion, ObservedValues()).add(value)

    @property
    def criteria(self) -> set[str]:
        """All that were answered."""
        return {*self._people, *(criterion for criterion, _ in self._machines)}

    @property
    def machines(self) -> set[str]:
        """All that answered."""
        return {machine for _, machine in self._machines}

    def blocks(self) -> tuple[BlockPart, ...]:
        """The blocks of all that was observed; ImportFailure where it makes none."""
        for criterion, observed in self._people.items():
            self._measures[criterion, ""] = self._made(criterion, observed)
        self._measure_machines()
        of_key = {measure.block.key: measure.block for measure in self._measures.values()}
        return tuple(of_key.values())

    def of(self, criterion: str, machine: str) -> Measure:
        """How an answer to a criterion is written."""
        return self._measures[criterion, machine]

    def _measure_machines(self) -> None:
        """The people's block for each machine whose scores are on its scale; for the others of a
        criterion, one of their own."""
        apart: dict[str, ObservedValues] = {}
        for (criterion, machine), observed in self._machines.items():
            standing = self._measures.get((criterion, ""))
            if standing is not None and (observed.labels or standing.takes(observed)):
                self._measures[criterion, machine] = standing
            else:
                apart.setdefault(criterion, ObservedValues()).include(observed)
        for criterion, observed in apart.items():
            measure = self._of_scores(criterion, observed)
            for scale in self._machines.keys() - self._measures.keys():
                if scale[0] == criterion:
                    self._measures[scale] = measure

    def _of_scores(self, criterion: str, observed: ObservedValues) -> Measure:
        if not self._people:
            return self._made(criterion, observed)
        if observed.labels:
            reason = "labels without a criterion of the people"
            raise ImportFailure(self.file, "rating", reason)
        facets = [self.facet(name) for name in self._people if criterion in ("", name)]
        stem = self.facet(criterion) if criterion else ""
        return line_through(f"{stem}_score" if stem else "score", observed, compared_with=facets)

    def _made(self, criterion: str, observed: ObservedValues) -> Measure:
        try:
            return self.made(criterion, observed)
        except ValueError as error:
            raise ImportFailure.of(self.file, error, within=self.facet(criterion)) from error
