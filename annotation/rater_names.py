"""Rater names that are reserved, because reports use them for something else."""

# All people, all simulated raters, and the passages chosen and the chains of a source.
HUMANS, SIMULATED = "humans", "simulated"
CHOSEN, CHAINS = "selected", "chains"
RESERVED = frozenset({HUMANS, SIMULATED, CHOSEN, CHAINS})
# Separates the two raters of a pair.
BETWEEN = "~"


def refuse_reserved(name: str) -> None:
    """ValueError where a report could not tell a rater of that name from something else."""
    if name.strip().lower() in RESERVED:
        raise ValueError(f"{name!r} has a meaning of its own in reports; use another name")
    if BETWEEN in name:
        raise ValueError(f"{name[:60]!r}: {BETWEEN} stands between the raters of a pair in reports")
