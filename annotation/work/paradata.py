"""Counts of what was done at a question: how often, never which keys, and never what text."""

from collections.abc import Mapping

from annotation.models import Draft

# In the order in which a page posts them; see static/js/paradata.js.
COUNTS = ("pastes", "blurs", "keystrokes", "edits", "bursts")
MOST = 100_000

Counted = Mapping[str, int]


def reported_counts(text: str) -> Counted | None:
    """The counts that the browser posts as five numbers; None without a script, or for nonsense."""
    numbers = text.split()
    if len(numbers) != len(COUNTS) or not all(_is_count(number) for number in numbers):
        return None
    return {name: min(int(number), MOST) for name, number in zip(COUNTS, numbers, strict=True)}


def _is_count(number: str) -> bool:
    return number.isascii() and number.isdecimal() and len(number) < 10


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
