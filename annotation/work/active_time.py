"""Active time at a question: counted by the browser, limited by the clock."""

import math
from datetime import datetime

from annotation.models import Draft


def reported_seconds(text: str) -> float | None:
    """The seconds that the browser has counted; None without a script, 0 for anything invalid."""
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0


def active_seconds(draft: Draft, reported: float | None, now: datetime) -> float | None:
    """A draft's active seconds as of a save at `now`: never fewer than before, and never more
    than the clock allows since the last save. None as soon as one of its saves came from a page
    that no script counted on.

    `reported` is the total for the question, not for this visit, so that a repeated save adds
    nothing twice.
    """
    before, since = draft.active_seconds, draft.saved_at or draft.first_shown_at
    if before is None or reported is None:
        return None
    wall = max(0.0, (now - since).total_seconds())
    return min(max(before, reported), before + wall)
