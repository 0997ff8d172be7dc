"""The scale of the labels: the same choice that an import makes, so that figures are the same."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from files.columns.cells import is_number
from files.errors import ImportFailure
from files.readers.tables import as_number
from files.reading.records import RawValue
from imports.formats.scales import (
    LONGEST_FACET,
    Level,
    Measure,
    ObservedValues,
    RawRating,
    line_through,
    measure_of,
    nominal,
)
from label_table.labels import JUDGE, Label, LabelTable
from results.reading.harm import FAILED

# Of two labels these are the negative one, which says that something is wrong or not there.
NEGATIVE = FAILED | {
    *("n", "f", "neg", "negative", "failure", "reject", "rejected", "error", "unsafe", "none"),
    *("unfaithful", "inconsistent", "irrelevant", "hallucinated", "hallucination", "toxic"),
}

_PAIRS = (("pass", "fail"), ("yes", "no"), ("true", "false"), ("1", "0"), ("correct", "incorrect"))
OPPOSITES = (*_PAIRS, *((b, a) for a, b in _PAIRS))


@dataclass(frozen=True)
class Scale:
    """One scale for people, and for each judge people's or another one for scores. nominal: people
    give labels, not numbers."""

    people: Measure
    judges: Mapping[str, Measure]
    nominal: bool

    def measure(self, rater: str) -> Measure:
        """The scale of a rater."""
        return self.judges.get(rater, self.people)

    def value(self, label: Label) -> RawRating:
        """A label as it is stored: a word, or a number."""
        if self.nominal and self.measure(label.rater) is self.people:
            return word_of_label(label.value)
        return _number(label.value)

    @property
    def measures(self) -> Sequence[Measure]:
        """Each scale once, people's first."""
        by_key = {each.block.key: each for each in (self.people, *self.judges.values())}
        return tuple(by_key.values())


def scale_of(table: LabelTable, level: Level | None = None) -> Scale:
    """The scale of a table. level: where it is stated. ImportFailure for labels that cannot stand
    beside each other."""
    people = [label for label in table.labels if table.raters[label.rater] != JUDGE]
    judges: dict[str, list[Label]] = {}
    for label in table.labels if people else ():
        if table.raters[label.rater] == JUDGE:
            judges.setdefault(label.rater, []).append(label)
    people = people or table.labels
    if level == "nominal" or (level is None and _are_words(people)):
        return _of_words(table, people, judges)
    observed = _observed(people)
    measure = _measured(table, lambda facet: measure_of(facet, observed, level))
    hint = ", as people's labels are"
    own = {name: _observed(labels, hint) for name, labels in judges.items()}
    apart = {name: of for name, of in own.items() if not measure.takes(of)}
    return Scale(measure, _scores(table, apart), nominal=False)


def _of_words(
    table: LabelTable, people: Sequence[Label], judges: Mapping[str, Sequence[Label]]
) -> Scale:
    """Labels; a judge that gives numbers where people's labels are no such numbers has scores."""
    words = {word_of_label(label.value) for label in people}
    apart: dict[str, ObservedValues] = {}
    for name, labels in judges.items():
        own = {word_of_label(label.value) for label in labels}
        if own <= words:
            continue
        if all(_is_number(label.value) for label in labels):
            apart[name] = _observed(labels)
        elif not own & words:
            raise ImportFailure(table.name, name, _no_common(own, words))
        else:
            words |= own
    _refuse_spellings(table, words)
    if len(words) == 1:  # a choice needs another label, which nobody gave
        words |= {_opposite(*words)}
    measure = _measured(table, lambda facet: nominal(facet, _ordered(words)))
    return Scale(measure, _scores(table, apart), nominal=True)


def _opposite(word: str) -> str:
    return next((b for a, b in OPPOSITES if a == word.casefold()), "another")


def _no_common(own: Iterable[str], words: Iterable[str]) -> str:
    ours, theirs = (", ".join(sorted(each)[:5]) for each in (own, words))
    return f"no label in common with people: it says {ours}, people say {theirs}"


def _scores(table: LabelTable, apart: Mapping[str, ObservedValues]) -> Mapping[str, Measure]:
    """One more scale for scores that are not on people's."""
    if not apart:
        return {}
    every = ObservedValues()
    for observed in apart.values():
        every.include(observed)
    facet = _facet(table)
    measure = line_through(f"{facet[: LONGEST_FACET - 6]}_score", every, compared_with=[facet])
    return dict.fromkeys(apart, measure)


def _measured(table: LabelTable, make: Callable[[str], Measure]) -> Measure:
    try:
        return make(_facet(table))
    except ValueError as error:
        raise ImportFailure(table.name, table.facet, str(error)) from error


def _facet(table: LabelTable) -> str:
    """The name of the column as a facet's name, where it makes one."""
    name = re.sub(r"[^a-z0-9]+", "_", table.facet.casefold()).strip("_")[:LONGEST_FACET]
    return name if re.match("[a-z]", name) else "label"


def _are_words(labels: Sequence[Label]) -> bool:
    """Whether labels are words; two numbers are labels, too. ImportFailure for words among
    numbers."""
    words = [label for label in labels if not _is_number(label.value)]
    if not words:
        return len({_number(label.value) for label in labels}) == 2
    if len(words) * 2 >= len(labels):
        return True
    hint = "(--level nominal: numbers are names of labels)"
    reason = f"{str(words[0].value)[:40]!r} among numbers {hint}"
    raise ImportFailure(words[0].where, words[0].rater, reason)


def _refuse_spellings(table: LabelTable, words: Iterable[str]) -> None:
    """One label written in two ways would look like disagreement."""
    met: dict[str, str] = {}
    for word in sorted(words):
        other = met.setdefault(word.casefold(), word)
        if other != word:
            where = next(label for label in table.labels if word_of_label(label.value) == word)
            reason = f"{word!r} beside {other!r}: one label, written in two ways; write it in one"
            raise ImportFailure(where.where, where.rater, reason)


def _ordered(words: Iterable[str]) -> list[str]:
    """In the order of the alphabet; of two labels the negative one last, and of two numbers the
    smaller: the first one is the positive one."""
    ordered = sorted(words)
    if len(ordered) != 2:
        return ordered
    if all(map(_is_number, ordered)):
        return sorted(ordered, key=float, reverse=True)
    return sorted(ordered, key=lambda word: word.casefold() in NEGATIVE)


def _observed(labels: Iterable[Label], hint: str = "") -> ObservedValues:
    observed = ObservedValues()
    for label in labels:
        try:
            observed.add(_number(label.value))
        except ValueError as error:
            raise ImportFailure(label.where, label.rater, f"{error}{hint}") from error
    return observed


@lru_cache(maxsize=1_000)  # of a million labels few differ
def word_of_label(value: RawValue) -> str:
    """A label as text. 1 and 1.0, which one program or another writes for it, are one label."""
    return f"{float(value):g}" if _is_number(value) else str(value)


def _number(value: RawValue) -> float:
    """The number that a value is; ValueError where it is none."""
    return value if isinstance(value, float) else as_number(str(value))


def _is_number(value: RawValue) -> bool:
    return isinstance(value, float) or is_number(value)
