"""Questions that a run leaves out, because they do not show what its judge needs to see."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from judges.methods.contract import Ask, Method
from tasktypes.needs import NAMES, Need, named

# How many units are named.
EXAMPLES = 3


@dataclass
class LeftOut:
    """The questions left out so far, and what they lack. units: keys, each once."""

    asks: int = 0
    needs: set[Need] = field(default_factory=set)
    units: dict[str, None] = field(default_factory=dict)

    def sift(self, method: Method[Any], asks: Iterable[Ask]) -> Iterator[Ask]:
        """The asks that show what the method needs; the others are counted."""
        for ask in asks:
            if missing := _missing(method, ask):
                self.asks += 1
                self.needs.update(missing)
                self.units[ask.unit] = None
            else:
                yield ask

    def as_json(self) -> dict[str, Any]:
        """As `JudgeRun.left_out` keeps it."""
        if not self.units:
            return {}
        examples = list(islice(self.units, EXAMPLES))
        needs = [need for need in NAMES if need in self.needs]
        return {"units": len(self.units), "examples": examples, "needs": needs}

    @property
    def complaint(self) -> str:
        """What a judge needs, where there is nothing besides what is left out."""
        left_out = self.as_json()
        number = left_out["units"]
        units = "the only unit lacks" if number == 1 else f"all {number} units lack"
        return f"needs {named(left_out['needs'])}, which {units}: {_examples(left_out)}"


def left_out_sentence(left_out: Mapping[str, Any]) -> str:
    """What a run leaves out, and why; empty where it asks everything."""
    if not left_out:
        return ""
    number = left_out["units"]
    units = "1 unit is" if number == 1 else f"{number} units are"
    return f"{units} left out for lack of {named(left_out['needs'])}: {_examples(left_out)}."


def _missing(method: Method[Any], ask: Ask) -> Sequence[Need]:
    try:
        return method.missing(ask)
    except ValueError:
        return ()  # a question that cannot be read fails by itself


def _examples(left_out: Mapping[str, Any]) -> str:
    more = ", …" if left_out["units"] > len(left_out["examples"]) else ""
    return ", ".join(left_out["examples"]) + more
