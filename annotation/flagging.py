"""Report a problem with a question: the unit is flagged, and pay is never touched."""

from annotation.models import BatchUnit

LONGEST = 2_000


def flag_problem(*, batch_unit: BatchUnit, text: str) -> None:
    """Keep what a worker says is wrong with a unit; saying it again changes nothing."""
    text = text.strip()[:LONGEST]
    if text != batch_unit.problem:
        batch_unit.problem = text
        batch_unit.save(update_fields=["problem"])
