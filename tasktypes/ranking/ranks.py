"""Ranks with ties: what was entered, and the same order in standard numbers."""

from collections.abc import Sequence


def competition(ranks: Sequence[int]) -> tuple[int, ...]:
    """The ranks renumbered as in a competition, 1 the best.

    ranks: m numbers in any numbering (1 2 2, 1 3 3, 1 1 2), lower is better, equal is a tie.
    Each becomes 1 + the number of strictly better ones: 1 2 2, 1 2 2, 1 1 3. Orders that say
    the same thus become equal, however gaps and ties were numbered; applying it again changes
    nothing.
    """
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def tied(ranks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The groups of two or more positions that share a rank, the best first."""
    groups = (
        tuple(position for position, other in enumerate(ranks) if other == rank)
        for rank in sorted(set(ranks))
    )
    return tuple(group for group in groups if len(group) > 1)
