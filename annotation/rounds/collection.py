"""How the answers of a study may stand to the number that was planned: a word, without rows."""

from enum import StrEnum


class Standing(StrEnum):
    """COLLECTING: answers may come in that were planned. PLANNED: all of them are in and no others,
    or nobody was asked here. BEYOND: more than planned. STOPPED: closed before all were in."""

    COLLECTING = "collecting"
    PLANNED = "planned"
    BEYOND = "beyond"
    STOPPED = "stopped"

    @property
    def is_live(self) -> bool:
        """Whether figures need the intervals that hold at every look."""
        return self is not Standing.PLANNED
