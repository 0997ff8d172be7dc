"""The study of a file that is marked: any format, asked one question, with the sample drawn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from getpass import getuser
from typing import Any

from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine
from imports.formats.contract import Format, FormatInput, Forwarded
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord
from marking.plans import BATCH, CANNOT_SAY, Plan
from marking.samples import drawn_order, share_out
from marking.verdicts import Verdicts, value_of
from tasktypes.likert import LIKERT
from tasktypes.texts.surroundings import EVERYTHING

BLOCK = ROUND = "mark"
# The subset of texts that people are asked about; where a unit keeps how it was drawn.
SAMPLE, STRATUM, PLACE, INCLUSION = "marking", "mark_stratum", "mark_place", "mark_inclusion"
MINUTES = 3
INSTRUCTIONS = """Read the text and say what you think of it, as you would if nobody else had \
looked at it. A program has judged it, too. You do not see how, so that your answer can be held \
against its own.

Choose *{cannot}* where you cannot tell. *Back* takes you to the text before, to change your \
answer. You can stop at any time: your place is kept."""
CONSENT = """Your answers and the time that they take are stored on the computer of the person who \
asked you, under a number instead of your name, to find out how good an automatic judge is. You \
may stop, and have your answers erased, at any time."""


@dataclass(frozen=True)
class Sample:
    """Which units are drawn, and how. order: label -> its units in the order in which they are
    drawn. numbers: label -> how many of them are."""

    order: Mapping[str, Sequence[str]]
    numbers: Mapping[str, int]

    @classmethod
    def draw(cls, verdicts: Verdicts, plan: Plan) -> "Sample":
        """The sample that a marking begins with."""
        order = drawn_order(verdicts.of, seed=plan.seed)
        sizes = {label: len(units) for label, units in order.items()}
        return cls(order, share_out(sizes, plan.texts, {}))

    def told(self) -> Mapping[str, Mapping[str, Any]]:
        """Unit -> what it keeps of how it was drawn: its verdict's stratum, its place in the order,
        and the probability with which a unit of the stratum is in the sample."""
        return {
            unit: {STRATUM: number, PLACE: place, INCLUSION: self.inclusion(label)}
            for number, (label, units) in enumerate(sorted(self.order.items()), start=1)
            for place, unit in enumerate(units, start=1)
        }

    def inclusion(self, label: str) -> float:
        """The probability with which a unit of this verdict is drawn."""
        return self.numbers[label] / len(self.order[label])

    @property
    def units(self) -> set[str]:
        """All that are drawn."""
        return {u for label, units in self.order.items() for u in units[: self.numbers[label]]}


def lines_in(kind: type[Format], format_input: FormatInput) -> list[AnswerLine]:
    """Every answer that the files hold, as an import would read them."""
    source = kind(replace(format_input, skipped=SkippedRecords(strict=False, folders=False)))
    try:
        source.study()
        for _entry in source.entries():  # answers are asked after all entries
            pass
        return list(source.answers())
    finally:
        source.close()


class Marked(Forwarded):
    """A format whose texts are asked one question, of which the judge's verdicts are answers."""

    def __init__(self, of: Format, plan: Plan, verdicts: Verdicts, sample: Sample) -> None:
        super().__init__(of.input)
        self.read_by(of)
        self.skipped = of.skipped
        self.plan, self.verdicts, self.sample = plan, verdicts, sample
        self._told, self._drawn = sample.told(), sample.units

    def study(self) -> StudyRecord:
        """What people are asked and told; of the file's own questions nothing is asked."""
        super().study()
        return marked_study(self.plan, self.verdicts)

    def entries(self) -> Iterator[MaterialEntry]:
        for entry in super().entries():
            units = entry.units
            yield replace(entry, units=None if units is None else tuple(map(self._unit, units)))

    def _unit(self, unit: UnitSpec) -> UnitSpec:
        subsets = (*unit.subsets, SAMPLE) if unit.key in self._drawn else unit.subsets
        told = self._told.get(unit.key, {})
        return replace(unit, subsets=subsets, metadata={**unit.metadata, **told})

    def answers(self) -> Iterator[AnswerLine]:
        """Those to the same question, as labels; what is none of them is left out."""
        for line in super().answers():
            label = self.verdicts.label(value_of(line)) if line.block == self.verdicts.block else ""
            if label:
                yield line._replace(block=BLOCK, answer={"scores": {BLOCK: label}})

    def summary(self) -> list[str]:
        return self.of.summary()

    def close(self) -> None:
        self.of.close()


def marked_study(plan: Plan, verdicts: Verdicts) -> StudyRecord:
    """The study: one question, a team, one round, and texts that say what is done with answers."""
    points = [{"value": label} for label in (*verdicts.labels, CANNOT_SAY)]
    scale = {
        "key": BLOCK,
        "question": plan.asked(verdicts),
        "distance": "nominal",
        "points": points,
    }
    shows = [part for part in EVERYTHING if part != "verdict"]
    likert = {
        "task_type": LIKERT.slug,
        "key": BLOCK,
        "options": {"criteria": [scale], "shows": shows},
    }
    return StudyRecord.model_validate(
        {
            "blocks": [likert],
            "instructions": INSTRUCTIONS.format(cannot=CANNOT_SAY),
            "consent": {"text": CONSENT, "version": "1"},
            "ethics": _ethics(),
            "free_text": {"question": "A note (may stay empty)"},
            "rounds": [{"name": ROUND, "batch": {"normal": BATCH}, "expected_minutes": MINUTES}],
            "batches": "team",
            "team_members": plan.people,
            "overlap": plan.answers or 1,
            "setting": SAMPLE,
            "seed": plan.seed,
        }
    )


def _ethics() -> dict[str, Any]:
    """Nobody is recruited: people are asked by somebody whom they know."""
    asking = f"{getuser()}, who asked you"
    return {
        "board": "none needed",
        "reference": "the study is about a program, not about people",
        "contact": asking,
        "controller": asking,
        "lawful_basis": "consent",
        "retention_days": 365,
        "minimum_age": 0,
    }
