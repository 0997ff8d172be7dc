"""The alternative annotator test in words, with the harm that each judge would do.

A test alone decides nothing: a judge that lets every failure pass may pass it where failures are
rare. So its result stands beside what the judge lets pass, how common failures are, how many people
were compared, and which judges it does not tell apart.
"""

from collections.abc import Iterator, Mapping, Sequence

from estimates.catalogue.judges import ALT_WINNING_RATE
from results.reading.harm import harm, missed
from results.reading.judge_sentences import same_as
from results.reading.judges import LEAST_UNITS, PASSED, DetectionRate, Judge, judge_of
from results.reading.rows import FacetRows
from results.reading.titles import party_title
from results.reading.wording import listed, measured, named, percent, readers

EPSILON = (
    "ε = {epsilon:g} allows for the lower cost of a judge: it may be the nearer one so much less "
    "often than a person. Calderon, Reichart and Dror (2025) suggest 0.1 in place of crowdworkers, "
    "0.15 of skilled annotators, 0.2 of experts. “epsilon” in the study file sets it; “report "
    "--epsilon” tries another."
)
TEST = "the alternative annotator test"


def replacement_sentences(rows: FacetRows, epsilon: float) -> list[str]:
    """A few sentences for each judge that was tested, then what ε is."""
    tested = [row.raters for row in rows.where(ALT_WINNING_RATE, group={})]
    judges = {pair: judge_of(rows, pair) for pair in tested}
    said = [" ".join(_about(pair, judges, epsilon)) for pair in judges]
    return [*said, EPSILON.format(epsilon=epsilon)] if said else []


def _about(pair: str, judges: Mapping[str, Judge], epsilon: float) -> Iterator[str]:
    judge, crowd = judges[pair], pair.partition("~")[0]
    yield replacement_sentence(judge, epsilon, party_title(crowd).lower())
    two = len(judge.hits) == 2
    yield from (f"It {missed(hit)}." for hit in (judge.hits if two else judge.told[:1]))
    if two:
        yield _rarity(judge.hits)
    elif not judge.hits and (text := harm(judge)):
        yield f"It {text}."
    others = [of for name, of in judges.items() if name != pair and name.startswith(f"{crowd}~")]
    yield from same_as(judge, others, most=3)


def replacement_sentence(judge: Judge, epsilon: float, crowd: str) -> str:
    """What the winning rate means, and where it is low, whether the units suffice to say so.
    crowd: humans, or simulated raters."""
    name, rate = named(judge.name), judge.rate
    if rate is None or rate.value is None:
        reason = rate.undefined if rate else "there is none"
        return f"{name} and {crowd}: {TEST} is inconclusive ({reason})."
    won = f"it does as well as {percent(rate.value)} of the {_compared(judge)}"
    if rate.value >= PASSED:
        return f"{name} passes {TEST} against {crowd}, given ε = {epsilon:g}: {won}."
    ahead = f"a person is the nearer one more often than it{_ahead(judge)}"
    if judge.gap is not None and judge.gap.low is not None and judge.gap.low > epsilon:
        above = f"which is more than ε = {epsilon:g} allows"
        return f"{name} fails {TEST} against {crowd}: {won}, and {ahead}, {above}."
    return (
        f"Whether {name} passes {TEST} against {crowd} is open (too few units): {won}, and half "
        f"are needed; {ahead}, which may be less than ε = {epsilon:g}."
    )


def _ahead(judge: Judge) -> str:
    gap = judge.gap
    if gap is None or gap.value is None:
        return ""
    return f" ({measured('by', gap, readers(gap))})"


def _compared(judge: Judge) -> str:
    """How many people were compared, of whom some may have too few units."""
    compared = judge.rate.n_raters if judge.rate else None
    people = judge.people_compared
    if people is not None and compared is not None and people > compared:
        return f"{compared} people compared (of {people}; the others have too few units)"
    return f"{compared} people compared"


def _rarity(hits: Sequence[DetectionRate]) -> str:
    """How often people give either of two labels."""
    counts = {hit.label: hit.rate.n_units or 0 for hit in hits}
    total = sum(counts.values())
    shares = [f"{named(label)} {percent(n / total)} ({n:,})" for label, n in counts.items()]
    few = min(counts.values()) < LEAST_UNITS
    limit = "; too few of the rarer one to tell what the judge does to them" if few else ""
    return f"People’s answers: {listed(shares)}{limit}."
