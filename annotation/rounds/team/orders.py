"""The order in which a member of a team meets outputs: systems counterbalanced, and the outputs of
one source as far apart as they can be.

A Williams design (Williams 1949, "Experimental designs balanced for the estimation of residual
effects of treatments") is a Latin square, or two of them, in which every condition stands equally
often at every place and right after every other condition.
"""

from collections.abc import Hashable, Mapping, Sequence
from random import Random

# The outputs of a source: (unit, system), a system once.
Outputs = Sequence[tuple[int, str]]


def williams_design(n: int) -> list[tuple[int, ...]]:
    """The n rows (2 n for an odd n above 1) of a Williams design of the conditions 0 to n - 1.

    ValueError for n below 1.
    """
    if n < 1:
        raise ValueError("A design has at least one condition.")
    first = [0]
    for step in range(1, n):
        first.append((step + 1) // 2 if step % 2 else n - step // 2)
    rows = [tuple((of + shift) % n for of in first) for shift in range(n)]
    return rows if n % 2 == 0 or n == 1 else rows + [row[::-1] for row in rows]


def order_of_member(
    sources: Mapping[int, Outputs], *, member: int, members: int, seed: str
) -> list[int]:
    """The units of these sources in the order in which a member, of 0 to members - 1, meets them.

    The sources come in one random order, which every member begins at another point. The outputs of
    a source are spread evenly over the whole: with m outputs of each of D sources, D - 1 others lie
    between two of them. Which system is met first follows the rows of a Williams design: over
    sources, and over members, each system comes equally often at each pass, but for a remainder.
    """
    rng = Random(seed)  # noqa: S311 (an order, not a secret)
    keys = sorted(sources)
    rng.shuffle(keys)
    rows = _dealt_rows({len(sources[key]) for key in keys}, len(keys), rng)
    times: list[tuple[float, int]] = []
    for rank, key in enumerate(keys):
        outputs = sorted(sources[key], key=lambda output: (output[1], output[0]))
        n = len(outputs)
        design = williams_design(n)
        row = design[(rows[n][rank] + member) % len(design)]
        phase = (rank / len(keys) + member / members) % 1
        times += [((place + phase) / n, outputs[of][0]) for place, of in enumerate(row)]
    return [unit for _time, unit in sorted(times)]


def _dealt_rows(sizes: set[int], n_sources: int, rng: Random) -> dict[int, list[int]]:
    """For each number of outputs a row of its design for each source, all rows equally often."""
    dealt = {}
    for size in sorted(sizes):
        n_rows = len(williams_design(size))
        rows = [at % n_rows for at in range(n_sources)]
        rng.shuffle(rows)
        dealt[size] = rows
    return dealt


def least_between(order: Sequence[int], source_of: Mapping[int, Hashable]) -> int | None:
    """How many units lie at least between two units of one source; None where no source comes
    twice."""
    last: dict[Hashable, int] = {}
    least: int | None = None
    for position, unit in enumerate(order):
        source = source_of[unit]
        if source in last:
            between = position - last[source] - 1
            least = between if least is None else min(least, between)
        last[source] = position
    return least
