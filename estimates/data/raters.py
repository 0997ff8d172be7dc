"""Those who answer, wherever a study's data is stored."""

from enum import StrEnum
from typing import NamedTuple


class RaterKind(StrEnum):
    """As `Rater.Kind` has them."""

    HUMAN = "human"
    JUDGE = "judge"
    SIMULATED = "simulated"


class RaterOrigin(StrEnum):
    """As `Rater.Origin` has them."""

    HERE = "here"
    IMPORTED = "imported"


# Why figures that need to know a person are not given of numbers within a unit.
UNNAMED = "the files do not say who gave which answer"


class RaterRecord(NamedTuple):
    """Somebody who answers. pk: the id; family: of a judge's model. numbered: no person, but a
    number within a unit, which may be somebody else in the next one."""

    pk: int
    name: str
    kind: str
    origin: str
    version: int = 1
    family: str = ""
    numbered: bool = False
