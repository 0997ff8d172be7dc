"""What the files leave open: points where a choice was made that somebody else may make."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_QUESTIONS = 2


@dataclass(frozen=True)
class Option:
    """One way to decide. key: what a command has for it. label: what it means."""

    key: str
    label: str


@dataclass(frozen=True)
class Doubt:
    """A point that was decided for the first of its options unless somebody decided it. is_asked:
    whether it is a question, and not a remark."""

    key: str
    text: str
    options: tuple[Option, ...]
    taken: str
    is_decided: bool
    is_asked: bool = True


@dataclass
class Doubts:
    """All points of one reading. decided: key of a doubt -> key of the option."""

    decided: Mapping[str, str] = field(default_factory=dict)
    met: dict[str, Doubt] = field(default_factory=dict)

    def decide(self, key: str, text: str, *options: Option, is_asked: bool = True) -> str:
        """The key of the option that is taken, the first one where nobody has decided. Where the
        key was met with other options, as in another table, it has a number behind it."""
        number, plain = 1, key
        while key in self.met and self.met[key].options != options[:4]:
            number += 1
            key = f"{plain}-{number}"
        if key in self.met:
            return self.met[key].taken
        named = {option.key for option in options}
        stated = self.decided.get(key, "")
        taken = stated if stated in named else options[0].key
        self.met[key] = Doubt(key, text, options[:4], taken, stated in named, is_asked)
        return taken

    @property
    def open(self) -> list[Doubt]:
        """The questions that nobody has decided."""
        return [each for each in self.met.values() if each.is_asked and not each.is_decided]

    @property
    def told(self) -> list[Doubt]:
        """What nobody has decided, and is remarked on."""
        return [each for each in self.met.values() if not each.is_asked and not each.is_decided]
