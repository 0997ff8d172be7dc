"""Evidence: how well the passages chosen for a claim meet the chains that people chose."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Self

from agreement import Estimate, best_chain_scores_each, mean_by
from annotation.rater_names import CHAINS, CHOSEN
from estimates.data.facts.evidence import Evidence
from estimates.data.groups import EVIDENCE
from estimates.data.rows import PER_SOURCE
from estimates.metrics.averages import POPULATION, SET_SCORES, SHARES
from estimates.statistics.statistic import Figure, Sample, Scope, Statistic

# Neither comes from an answer: passages are imported as chosen, and chains with the sources.
FACET = "evidence"
# How many passages there are has no upper end.
SIZES = (0.0, inf)


@dataclass(frozen=True, eq=False, kw_only=True)
class EvidenceChoices(Sample):
    """The passages that machines chose for sources with chains."""

    choices: Sequence[Evidence]

    def __len__(self) -> int:
        return len(self.choices)

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        """The whole, then a part for each machine that chose passages."""
        yield self
        for name in sorted({choice.chooser for choice in self.choices} if EVIDENCE in keys else ()):
            own = [choice for choice in self.choices if choice.chooser == name]
            yield replace(self, choices=own, group={EVIDENCE: name})


def choices(scope: Scope) -> Iterator[EvidenceChoices]:
    """All of them; the machine that chose is a group."""
    yield EvidenceChoices(scope=scope, raters=CHOSEN, facet=FACET, choices=scope.data.evidence)


def _retrieval(sample: EvidenceChoices) -> Iterator[Figure]:
    """Best-chain precision, recall and F1, and how many passages are chosen and in chains."""
    choices = sample.choices
    scores = best_chain_scores_each(
        [choice.chosen for choice in choices], [choice.chains for choice in choices]
    )
    for name in SET_SCORES:
        yield Figure(f"retrieval_{name}", _mean(sample, getattr(scores, name).tolist(), SHARES))
    yield Figure("evidence_size", _mean(sample, [len(choice.chosen) for choice in choices], SIZES))
    # As published: of several chains the last one is taken.
    last = _mean(sample, [len(choice.chains[-1]) for choice in choices], SIZES)
    yield Figure("evidence_size", last, raters=CHAINS)


def _mean(sample: EvidenceChoices, values: Sequence[float], ends: tuple[float, float]) -> Estimate:
    sources = [choice.source for choice in sample.choices]
    bootstrap = sample.options.bootstrap
    return mean_by(values, sources, ddof=POPULATION, ends=ends, bootstrap=bootstrap)


RETRIEVAL = Statistic(compute=_retrieval, by={EVIDENCE}, aggregation=PER_SOURCE)
