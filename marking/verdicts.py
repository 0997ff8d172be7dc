"""What the judge of a file says of each of its texts, as one label each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from files.errors import ImportFailure, OpenQuestion
from imports.answer_lines import AnswerLine
from label_table.scales import NEGATIVE

# Of numbers that are 0 or 1, or stand above or below a threshold.
PASS, FAIL = "pass", "fail"
# Labels that can be learned and chosen by keys; candidates that a question names.
MOST_LABELS, MOST_NAMED = 8, 6

Value = str | float


@dataclass(frozen=True)
class Candidate:
    """A rater that is a machine, with the block that it answers: its verdicts by unit."""

    name: str
    block: str
    values: dict[str, Value] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """The name, and what was asked where that is another word."""
        return self.name if self.block in ("", self.name) else f"{self.name} ({self.block})"


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of the judge that is marked. labels: all that people may choose from, the good
    one first where there are two. threshold: from which number on a text passes, of a judge that
    gives numbers."""

    judge: str
    block: str
    labels: Sequence[str]
    of: Mapping[str, str]
    threshold: float | None = None

    def label(self, value: Value | None) -> str:
        """A value as one of the labels; empty where it is none of them."""
        if isinstance(value, str):
            return value if value in self.labels else ""
        if value is None:
            return ""
        if self.threshold is not None:
            return PASS if value >= self.threshold else FAIL
        return f"{value:g}" if f"{value:g}" in self.labels else ""


def value_of(line: AnswerLine) -> Value | None:
    """The one label or number that an answer is; None where it is several."""
    held = line.answer.get("scores", line.answer)
    values = [*held.values()] if isinstance(held, Mapping) else []
    if (
        len(values) != 1
        or isinstance(values[0], bool)
        or not isinstance(values[0], str | int | float)
    ):
        return None
    return values[0] if isinstance(values[0], str) else float(values[0])


def candidates(lines: Iterable[AnswerLine]) -> list[Candidate]:
    """Every machine with its verdicts; of repeated answers the first counts."""
    found: dict[tuple[str, str], Candidate] = {}
    for line in lines:
        value = value_of(line)
        if line.kind == "judge" and value is not None:
            key = (line.rater, line.block)
            candidate = found.setdefault(key, Candidate(line.rater, line.block))
            candidate.values.setdefault(line.unit, value)
    return list(found.values())


def verdicts_of(
    lines: Iterable[AnswerLine],
    *,
    where: str,
    judge: str = "",
    criterion: str = "",
    threshold: float | None = None,
) -> Verdicts:
    """The verdicts of one judge. OpenQuestion where several could be meant, or numbers need a
    threshold; ImportFailure where there is none, or none that can be marked."""
    every = candidates(lines)
    fitting = [each for each in every if judge in ("", each.name) and criterion in ("", each.block)]
    if not every:
        reason = "no column or rater is a judge's, or its answers are no single label or number"
        raise ImportFailure(where, "--judge", f"{reason}: name it")
    named = "; ".join(
        f"{each.called}, {len(each.values):,} verdicts" for each in (fitting or every)[:MOST_NAMED]
    )
    if not fitting:
        raise ImportFailure(
            where, "--judge", f"no judge {judge or criterion!r} (there are: {named})"
        )
    if len(fitting) > 1:
        options = "--judge" if len({each.name for each in fitting}) > 1 else "--criterion"
        raise OpenQuestion(where, options, f"which judge is to be marked? There are: {named}")
    return _of_one(fitting[0], where, threshold)


def _of_one(judge: Candidate, where: str, threshold: float | None) -> Verdicts:
    values = set(judge.values.values())
    numbers = {value for value in values if isinstance(value, float)}
    if numbers and numbers == values:
        if threshold is None and not numbers <= {0.0, 1.0}:
            low, high = min(numbers), max(numbers)
            reason = f"{judge.called} gives numbers from {low:g} to {high:g}"
            raise OpenQuestion(where, "--threshold", f"{reason}: from which on is a text good?")
        cut = 1.0 if threshold is None else threshold
        of = {unit: PASS if float(value) >= cut else FAIL for unit, value in judge.values.items()}
        return Verdicts(judge.name, judge.block, (PASS, FAIL), of, cut)
    of = {
        unit: value if isinstance(value, str) else f"{value:g}"
        for unit, value in judge.values.items()
    }
    labels = _ordered(set(of.values()))
    if len(labels) > MOST_LABELS:
        reason = f"{judge.called} says {len(labels)} different things, more than {MOST_LABELS}"
        raise ImportFailure(where, "--judge", f"{reason}: these are no verdicts")
    return Verdicts(judge.name, judge.block, labels, of)


def _ordered(said: set[str]) -> list[str]:
    """By name, what says that something is wrong last; beside the only one that occurs another, so
    that there is something to choose."""
    if len(said) == 1:
        said = said | {opposite(next(iter(said)))}
    return sorted(said, key=lambda label: (label.casefold() in NEGATIVE, label.casefold()))


OPPOSITES = (
    *(("pass", "fail"), ("passed", "failed"), ("yes", "no"), ("true", "false")),
    *(("correct", "incorrect"), ("good", "bad"), ("right", "wrong"), ("safe", "unsafe")),
    *(("supported", "unsupported"), ("positive", "negative"), ("faithful", "unfaithful")),
)


def opposite(label: str) -> str:
    """What a judge that always says the one could have said."""
    for pair in OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if label.casefold() == one:
                return other if label.islower() else other.capitalize()
    return f"not {label}"


def counts_of(verdicts: Verdicts) -> Mapping[str, int]:
    """How many texts the judge gave each label that it gave."""
    return Counter(verdicts.of.values())
