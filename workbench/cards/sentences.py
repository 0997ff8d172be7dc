"""What became of a bundle's cards, in sentences."""

from collections.abc import Iterator, Sequence

from workbench.cards.recount import CheckedCard
from workbench.cards.writing import layout


def sentences_about(cards: Sequence[CheckedCard]) -> Iterator[str]:
    """A line for each card: how many of its numbers came out of the data, and which cannot."""
    for card in cards:
        total = len(card.recomputed) + len(card.stated)
        line = f"{card.file}: {len(card.recomputed)} of {total} numbers recomputed"
        reasons = {figure.stated for figure in card.stated}
        names = ", ".join(dict.fromkeys(figure.about for figure in card.stated))
        why = f"; stated, not recomputable: {names} ({'; '.join(sorted(reasons))})" if names else ""
        is_ours = card.card.layout == layout()
        texts = "" if is_ours else "; its texts are of another version and were not compared"
        yield f"{line}{why}{texts}"


def complaint_about(cards: Sequence[CheckedCard]) -> str:
    """The first that does not come out of the data, in a sentence; empty where all does."""
    wrong = [(card.file, text) for card in cards for text in card.wrong]
    if not wrong:
        return ""
    file, text = wrong[0]
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return f"{file} does not come out of the bundle's data: {text}{more}."
