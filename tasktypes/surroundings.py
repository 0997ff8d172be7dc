"""What is shown around the texts in question: the claim with its verdict, a query, the evidence."""

from typing import Any, Literal

from tasktypes.contract import Schema
from tasktypes.material import Passage, Source
from tasktypes.prompts import labelled, one_line

Part = Literal["claim", "verdict", "query", "document", "passages"]
EVERYTHING: tuple[Part, ...] = ("claim", "verdict", "query", "document", "passages")
# A block may hide part of the source, such as the verdict from whoever is to guess it.
Parts = tuple[Part, ...]


class Surroundings(Schema):
    """The part of a payload that comes from the source; what is not shown is empty."""

    claim: str = ""
    verdict: str = ""
    query: str = ""
    document: str = ""
    passages: tuple[Passage, ...] = ()


def shown(source: Source, parts: Parts) -> dict[str, Any]:
    """The fields of Surroundings, for those parts of the source."""
    return {part: getattr(source, part) for part in EVERYTHING if part in parts}


def surroundings(payload: Any) -> Surroundings:
    """Those of a payload that has all of their fields."""
    return Surroundings(**{part: getattr(payload, part) for part in EVERYTHING})


def as_prompt(payload: Surroundings) -> str:
    """The surroundings as lines of a prompt; empty where there are none."""
    lines = labelled(
        Claim=payload.claim,
        Verdict=payload.verdict,
        Query=payload.query,
        Document=payload.document,
    )
    passages = [f"[{passage.index}] {one_line(passage.text)}" for passage in payload.passages]
    evidence = ["Evidence:", *passages] if passages else []
    return "\n".join(part for part in (lines, *evidence) if part)
