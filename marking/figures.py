"""What marks say of the whole file: every text counts by how likely it was to be drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agreement import Estimate, VerifiedRates, audited_error, verified_rates
from marking.marks import MarkedText, Marks
from marking.samples import share_out

# Marks before which nothing is said. Half widths that are aimed at, from wide to narrow.
LEAST, AIMS = 15, (0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.05, 0.04, 0.03)
# The next aim is so much narrower than what there is.
CLEARLY = 0.8
NO_PAIR = "no text has been marked by two people yet"


@dataclass(frozen=True)
class Figures:
    """agreement: how often the judge says what a person says. ceiling: how often one person says
    what another does. beside: of every judge of the file, agreement with a person on the texts
    that it has a verdict on. rates: of each label, how well it is caught and how right it is."""

    marks: int
    texts: int
    undecided: int
    doubled: int
    agreement: Estimate
    ceiling: Estimate
    beside: Mapping[str, Estimate]
    rates: Mapping[str, VerifiedRates]

    @property
    def is_early(self) -> bool:
        """Whether there are too few marks to say anything."""
        return self.marks < LEAST


def figures_of(marks: Marks) -> Figures:
    """Every figure, each with its range at 95 %."""
    texts = marks.usable
    pairs = [text for text in texts if len(text.labels) > 1]
    return Figures(
        marks=marks.number,
        texts=len(texts),
        undecided=marks.undecided,
        doubled=len(pairs),
        agreement=_shared([text.share(text.verdict) for text in texts], texts, marks.strata),
        ceiling=_among_people(pairs, marks.strata),
        beside={name: _of_judge(name, texts, marks) for name in _judges(texts)},
        rates={label: _rates(label, texts, marks) for label in marks.labels},
    )


def _judges(texts: Sequence[MarkedText]) -> list[str]:
    return sorted({name for text in texts for name in text.judges})


def _of_judge(name: str, texts: Sequence[MarkedText], marks: Marks) -> Estimate:
    own = [text for text in texts if name in text.judges]
    return _shared([text.share(text.judges[name]) for text in own], own, marks.strata)


def _among_people(pairs: Sequence[MarkedText], strata: Mapping[str, int]) -> Estimate:
    """Over all pairs of people of a text, and over texts."""
    if not pairs:
        return Estimate.missing(NO_PAIR, n_units=0)
    return _shared([_pairwise(text.labels) for text in pairs], pairs, strata)


def _pairwise(labels: Sequence[str]) -> float:
    """The share of pairs of people who say the same."""
    n = len(labels)
    return sum(labels.count(label) - 1 for label in labels) / (n * (n - 1))


def _shared(
    shares: Sequence[float], texts: Sequence[MarkedText], strata: Mapping[str, int]
) -> Estimate:
    """The mean share over the file: 1 minus the mean of what it lacks."""
    apart = audited_error([1 - share for share in shares], [t.verdict for t in texts], strata)
    if apart.value is None or apart.low is None or apart.high is None:
        return apart
    return replace(apart, value=1 - apart.value, low=1 - apart.high, high=1 - apart.low)


def _rates(label: str, texts: Sequence[MarkedText], marks: Marks) -> VerifiedRates:
    shares = [text.share(label) for text in texts]
    return verified_rates(shares, [text.verdict for text in texts], marks.strata, yes={label})


@dataclass(frozen=True)
class Outlook:
    """So many more texts give a range of about so much to either side."""

    texts: int
    half_width: float


def outlook(marks: Marks) -> Outlook | None:
    """How many more texts make the range of the agreement clearly narrower; None where no number
    of those that are left does, or nothing can be said yet."""
    texts = marks.usable
    agreement = figures_of(marks).agreement
    if agreement.low is None or agreement.high is None:
        return None
    half = (agreement.high - agreement.low) / 2
    aims = [aim for aim in AIMS if aim <= half * CLEARLY]
    counts = {label: sum(t.verdict == label for t in texts) for label in marks.strata}
    left = marks.population - sum(counts.values())
    for more in range(5, left + 1, 5):
        expected = _expected_half(marks, counts, more)
        if aims and expected <= aims[0]:
            return Outlook(more, aims[0])
    return Outlook(left, 0.0) if left else None


def _expected_half(marks: Marks, counts: Mapping[str, int], more: int) -> float:
    """The half width with so many more texts, drawn as before, whose answers are as far; shares
    that are 0 or 1 by chance are moved off the ends."""
    numbers = share_out(marks.strata, more, counts)
    errors: list[float] = []
    names: list[str] = []
    for label, n in counts.items():
        met = [1 - text.share(label) for text in marks.usable if text.verdict == label]
        share = (sum(met) + 0.5) / (n + 1)
        errors += [share] * numbers[label]
        names += [label] * numbers[label]
    expected = audited_error(errors, names, marks.strata)
    if expected.low is None or expected.high is None:
        return 1.0
    return (expected.high - expected.low) / 2
