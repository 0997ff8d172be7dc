"""Names of raters: those that reports use for something else, and long ones."""

# All people, all simulated raters, and the passages chosen and the chains of a source.
HUMANS, SIMULATED = "humans", "simulated"
CHOSEN, CHAINS = "selected", "chains"
RESERVED = frozenset({HUMANS, SIMULATED, CHOSEN, CHAINS})
# What the names of judges that do not read begin with.
BASELINE = "baseline:"
# Separates the two raters of a pair.
BETWEEN = "~"
# Letters of a name in a sentence: what is longer is cut in its middle, since names often begin or
# end alike.
NAME = 28


def is_baseline(name: str) -> bool:
    """Whether a judge is a baseline, the floor that other judges must beat."""
    return name.startswith(BASELINE)


def refuse_reserved(name: str) -> None:
    """ValueError where a report could not tell a rater of that name from something else."""
    if name.strip().lower() in RESERVED:
        raise ValueError(f"{name!r} has a meaning of its own in reports; use another name")
    if BETWEEN in name:
        raise ValueError(f"{name[:60]!r}: {BETWEEN} stands between the raters of a pair in reports")


def shortened(name: str, letters: int = NAME) -> str:
    """The name with an ellipsis in its middle where it is longer."""
    if len(name) <= letters:
        return name
    end = letters // 3
    return f"{name[: letters - end - 1].rstrip()}…{name[-end:].lstrip()}"
