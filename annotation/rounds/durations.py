"""How long a batch of a round takes."""

from statistics import median

from annotation.models import Round
from annotation.queries.progress import recent_minutes

# The measured time is told from this many batches on.
ENOUGH = 5


def minutes_of(round_: Round) -> int | None:
    """How long a batch takes, as measured once enough people have done one, until then as the
    study file estimates it."""
    return _typical_minutes(round_) or round_.expected_minutes


def _typical_minutes(round_: Round) -> int | None:
    """The median of the latest batches submitted in time, rounded up."""
    minutes = recent_minutes(round_.pk)
    return int(median(minutes)) + 1 if len(minutes) >= ENOUGH else None
