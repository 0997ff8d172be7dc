"""What a page counts while somebody answers: the seconds, and how often something was done, never
which keys and never what text. A draft keeps both as far as the clock and earlier saves allow."""

from collections.abc import Mapping
from datetime import datetime

from annotation.models import Draft

# In the order in which a page posts them; see static/js/paradata.js.
COUNTS = ("pastes", "blurs", "keystrokes", "edits", "bursts")
MOST = 100_000

Counted = Mapping[str, int]


def active_seconds(draft: Draft, reported: float | None, now: datetime) -> float | None:
    """A draft's active seconds as of a save at `now`, to the millisecond: never fewer than before,
    and never more than the clock allows since the last save. None as soon as one of its saves came
    from a page that no script counted on.

    `reported` is the total for the question, not for this visit, so that a repeated save adds
    nothing twice.
    """
    before, since = draft.active_seconds, draft.saved_at or draft.first_shown_at
    if before is None or reported is None:
        return None
    wall = max(0.0, (now - since).total_seconds())
    return round(min(max(before, reported), before + wall), 3)


def counts_after(draft: Draft, reported: Counted | None) -> Counted | None:
    """A draft's counts as of a save: totals for the question, never fewer than before, so that a
    repeated save adds nothing twice. None as soon as one of its saves came from a page that counted
    nothing: what was not recorded is not 0.
    """
    before: Counted | None = draft.paradata
    if reported is None or (before is None and draft.saved_at is not None):
        return None
    return {name: max(reported[name], (before or {}).get(name, 0)) for name in COUNTS}


def as_posted(counted: Counted | None) -> str:
    """Counts as a page posts them, for the next page to go on from."""
    return " ".join(str((counted or {}).get(name, 0)) for name in COUNTS)
