"""What a cell says as an answer: a number, a label, the better of two, or the accepted ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from files.readers.tables import as_number
from files.reading.model import AnswersReading
from files.reading.records import RawValue

# What programs write for a cell in which there is nothing.
MISSING = frozenset({"", "na", "n/a", "nan", "null"})
TIE = "tie"
YES, NO = "yes", "no"
SIDES = ("first", "second")
# Cells say the same again and again: so many are looked up.
_MOST_KNOWN = 1000


class NoAnswer(ValueError):
    """What a cell holds is no answer to its question."""


@dataclass(frozen=True)
class AnswerWords:
    """How cells with answers to one criterion are read."""

    rules: AnswersReading
    known: dict[str, RawValue | None] = field(default_factory=dict)
    """What the cells that were met say on a scale."""

    @cached_property
    def _folded(self) -> Mapping[str, float | str | None]:
        """The words as they are written carelessly, where they remain different so."""
        folded: dict[str, float | str | None] = {}
        for word, value in self.rules.words.items():
            key = _fold(word)
            if key in folded and folded[key] != value:
                return {}
            folded[key] = value
        return folded

    @cached_property
    def _is_closed(self) -> bool:
        """Whether the words are all that can be answered."""
        meant = any(value is not None for value in self.rules.words.values())
        return meant and self.rules.low is None and self.rules.high is None

    @cached_property
    def on_scale(self) -> tuple[RawValue, ...]:
        """What the words mean on a scale."""
        meant = [value for value in self.rules.words.values() if value is not None]
        labels = self.rules.level == "nominal"
        return tuple(str(self._label(value)) if labels else value for value in meant)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the words mean, where these are names."""
        meant = dict.fromkeys(str(v) for v in self.rules.words.values() if v not in (None, ""))
        return tuple(meant)

    def is_empty(self, cell: str) -> bool:
        """Whether there is no answer in a cell."""
        return cell.lower() in MISSING and (not cell or cell not in self.rules.words)

    def value(self, cell: str) -> RawValue | None:
        """What a cell says on a scale; None where it holds no answer."""
        if cell in self.known:
            return self.known[cell]
        value = self._value(cell)
        if len(self.known) < _MOST_KNOWN:
            self.known[cell] = value
        return value

    def _value(self, cell: str) -> RawValue | None:
        found, value = self._meant(cell)
        if found:
            return self._label(value) if self.rules.level == "nominal" else value
        if self._is_closed:
            raise NoAnswer(f"{cell[:60]!r} is none of {_listed(self.rules.words)}")
        if self.rules.level == "nominal":
            return self._label(cell)
        try:
            number = as_number(cell.replace(",", ".") if self.rules.decimal_comma else cell)
        except ValueError:
            if self.rules.level is None and self.rules.low is None and not self.rules.numeric:
                return cell
            raise
        self._refuse_beyond(number)
        return number

    def side(self, cell: str, systems: Sequence[str], named: Mapping[str, str]) -> str | None:
        """Which of two outputs a cell says is better, or `tie`. systems: theirs, in the order of
        the row. named: the name of a system by its spelling."""
        found, value = self._meant(cell)
        if found and value is None:
            return None
        if found and str(value) == TIE:
            return TIE
        if self.rules.names_system:
            system = named.get(cell, str(value) if found else cell)
            sides = [side for side, name in zip(SIDES, systems, strict=True) if name == system]
            if len(sides) != 1:
                raise NoAnswer(f"{cell[:60]!r} names neither {systems[0]!r} nor {systems[1]!r}")
            return sides[0]
        place = _place(value if found else cell)
        if place not in (1, 2) or (self._is_closed and not found):
            known = _listed(self.rules.words) if self.rules.words else "1 and 2"
            raise NoAnswer(f"{cell[:60]!r} is none of {known}")
        return SIDES[place - 1]

    def members(self, cell: str) -> frozenset[str] | None:
        """The members of a set, such as the positions that a rater accepts; None where nothing
        was answered."""
        found, value = self._meant(cell)
        if found and value is None:
            return None
        if found and value == "":
            return frozenset()
        mark = self.rules.separator
        written = [text.strip() for text in (cell.split(mark) if mark else [cell])]
        return frozenset(self._member(text) for text in written if text)

    def weight(self, cell: str) -> float | None:
        """What a mark counts."""
        if not self.rules.words:
            return 1.0
        found, value = self._meant(cell)
        if not found:
            raise NoAnswer(f"{cell[:60]!r} is none of {_listed(self.rules.words)}")
        return None if value is None else as_number(str(value))

    def _member(self, text: str) -> str:
        found, value = self._meant(text)
        if not found:
            return text
        return f"{value:g}" if isinstance(value, float | int) else str(value)

    def _meant(self, cell: str) -> tuple[bool, float | str | None]:
        if cell in self.rules.words:
            return True, self.rules.words[cell]
        folded = _fold(cell)
        return folded in self._folded, self._folded.get(folded)

    def _refuse_beyond(self, number: float) -> None:
        low, high = self.rules.low, self.rules.high
        if (low is not None and number < low) or (high is not None and number > high):
            ends = f"from {low:g}" if low is not None else ""
            ends += f" to {high:g}" if high is not None else ""
            raise NoAnswer(f"{number:g} is not on the scale{ends and f' {ends.strip()}'}")

    @staticmethod
    def _label(value: float | str | None) -> str | None:
        """A label as text: 1 and 1.0, which one program or another writes for it, are one."""
        if value is None:
            return None
        try:
            return f"{as_number(str(value)):g}"
        except ValueError:
            return str(value)


def _place(value: float | str | None) -> int | None:
    try:
        number = as_number(str(value))
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _listed(words: Mapping[str, object]) -> str:
    shown = [f"{word[:40]!r}" for word in list(words)[:6]]
    return ", ".join(shown) + (", …" if len(words) > 6 else "")
