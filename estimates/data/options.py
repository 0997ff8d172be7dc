"""The options of a report."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import cast

from agreement import CONSENSUS, DEFAULT_CONSENSUS, RESAMPLES, Bootstrap
from agreement.bootstrap.intervals import Resample
from tasktypes.facets import FacetKind

# Part of every cache key: raise it whenever the same answers would give other rows.
EDITION = 17
# People who answer are a sample, and what a study says of systems is meant for other people too.
BOTH = RESAMPLES[1]
# What intervals of several raters speak of. Coefficients of agreement describe these people's
# answers; three of them say next to nothing of how far others would agree.
SCORES = "scores"
RESAMPLED = (SCORES, *RESAMPLES)
# What a judge's lower cost is worth in a study that does not say, as `Study.epsilon` has it.
EPSILON = 0.1
# Means that differ by rounding only are tied.
TIED = 1e-12


@dataclass(frozen=True, kw_only=True)
class Options:
    """consensus: how several people become one, where the kind of value allows it.
    resamples: how many resamples quartiles have, and 0 for no intervals at all.
    resample: what intervals of several raters speak of: other sources and other raters
    (sources_and_raters), other sources and these raters (sources), or the first for scores and
    tests of systems and the second for agreement (scores).
    tie_tolerance: system means this close (as a share of the largest) are tied in correlations;
    0 compares them as computed, which is how published tables mostly were made.
    none_apart: in comparisons of sets with several people, "none" is a label of its own, instead of
    one of those outside the reference.
    epsilon: how much less often than a person a judge may be the nearer one, for its lower cost,
    in the alternative annotator test: 0.1 suits crowds, 0.15 skilled annotators, 0.2 experts;
    None: as the study says.
    only, without: the name of the one person (or simulated rater) whose answers count beside those
    of judges, or do not. excluded: answers that somebody excluded count as well.
    everything: figures of every two named raters for parts of the study too, and those of every
    judge under its full name: most rows of a report, which few read.
    likeness: instead of all else, each person's similarity to each judge beside that to people.
    rater_groups: instead of all else, figures of groups of people by what files tell of them, which
    is personal data: no export and no shared page asks for them."""

    consensus: str | None = None
    resamples: int = 1000
    resample: str = SCORES
    seed: int = 0
    confidence: float = 0.95
    tie_tolerance: float = TIED
    none_apart: bool = False
    epsilon: float | None = None
    only: str = ""
    without: str = ""
    excluded: bool = False
    everything: bool = False
    likeness: bool = False
    rater_groups: bool = False

    def __post_init__(self) -> None:
        names = consensus_names()
        if self.consensus is not None and self.consensus not in names:
            raise ValueError(f"consensus: {self.consensus!r} is none of {', '.join(names)}")
        if self.resample not in RESAMPLED:
            raise ValueError(f"resample: {self.resample!r} is none of {', '.join(RESAMPLED)}")
        if self.epsilon is not None and not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon: {self.epsilon:g} does not lie within 0 and 1")

    def settled(self, epsilon: float) -> "Options":
        """With the study's own epsilon where none was asked for."""
        return self if self.epsilon is not None else replace(self, epsilon=epsilon)

    def consensus_for(self, kind: FacetKind) -> str:
        """The rule asked for where it fits the kind of value, else the kind's own."""
        if self.consensus is not None and (kind, self.consensus) in CONSENSUS:
            return self.consensus
        return DEFAULT_CONSENSUS[kind]

    @property
    def bootstrap(self) -> Bootstrap | None:
        """How intervals over sources are made; None where none are wanted."""
        return self.errors_of(several=False) if self.resamples else None

    def bootstrap_of(self, *, several: bool) -> Bootstrap | None:
        """The same for statistics that can draw raters too, of several of them or of one."""
        return self.errors_of(several=several) if self.resamples else None

    def errors_of(self, *, several: bool) -> Bootstrap:
        """How errors are found, also those of tests, which do not depend on resamples."""
        return Bootstrap(
            resamples=max(1, self.resamples),
            seed=self.seed,
            confidence=self.confidence,
            method="jackknife",
            resample=cast(Resample, self._of_scores) if several else "sources",
        )

    @property
    def _of_scores(self) -> str:
        return BOTH if self.resample == SCORES else self.resample

    @property
    def draws_raters_of_agreement(self) -> bool:
        """Whether coefficients of agreement speak of other raters, too."""
        return self.resample == BOTH

    @property
    def hash(self) -> str:
        """The same for the same options, and other when rows are computed in another way."""
        text = json.dumps([EDITION, asdict(self)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def consensus_names() -> tuple[str, ...]:
    """Every rule that some kind of value knows."""
    return tuple(dict.fromkeys(name for _, name in CONSENSUS))


# Of people beside judges, as pages of workers show it. Without bootstrap, so in little time.
SIMILARITY = Options(likeness=True)
# Of people by what files tell of them, for those who may see people.
RATER_GROUPS = Options(rater_groups=True)
