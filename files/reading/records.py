"""What rows become under a reading: outputs with their sources, and answers to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from files.errors import RecordPlace

RawValue = float | str


@dataclass(frozen=True)
class Output:
    """One output as the files tell of it. key: its own, or made of source, system and position.
    text: None where the files have none. about: what else is told of it, as items have it. kept:
    its own columns."""

    key: str
    system: str = ""
    text: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadUnit:
    """What an answer is about: a source and one output, of a pair two in the order shown. part:
    the statement about it. texts: of the source, by document, claim, query, verdict and passages.
    reference: the right answer."""

    where: RecordPlace
    key: str
    source: str
    outputs: tuple[Output, ...]
    part: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    reference: str = ""
    source_kept: Mapping[str, str] = field(default_factory=dict)
    unit_kept: Mapping[str, str] = field(default_factory=dict)


class ReadAnswer(NamedTuple):  # made at a fifth of the time of a dataclass
    """One answer. value: a number or label; of a choice `first`, `second` or `tie`. replicate:
    its number among those of the rater to the question, from 0."""

    where: RecordPlace
    unit: str
    rater: str
    kind: Literal["human", "judge", "simulated"]
    criterion: str
    value: RawValue
    replicate: int = 0
    reason: str = ""
    kept: Mapping[str, str] = {}
    rater_kept: Mapping[str, str] = {}
