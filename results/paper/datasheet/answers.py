"""An answer to a question of the datasheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class SheetAnswer:
    """text: in words. chosen: of the options of the question."""

    text: str = ""
    chosen: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is answered."""
        return bool(self.text or self.chosen)

    @classmethod
    def choice(cls, *chosen: str, text: str = "") -> Self:
        """What is chosen, with a text beside it."""
        return cls(text, chosen)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """The answer as it was stored."""
        chosen: Sequence[str] = stored.get("chosen", ())
        return cls(str(stored.get("text", "")), tuple(chosen))

    def as_json(self) -> dict[str, Any]:
        """As it is stored, and as files have it."""
        return {"text": self.text, "chosen": list(self.chosen)}
