"""Statistics: samples of ratings, the groups they are divided by, and a function of each part."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Self

from agreement import Bootstrap, Estimate
from estimates.data.groups import GROUP_KEYS, OWN, parts, rater_parts
from estimates.data.options import Options
from estimates.data.parties import Parties, Party
from estimates.data.ratings import Ratings
from estimates.data.records import BlockRecord
from estimates.data.rows import POOLED, Group
from estimates.data.study_data import StudyData
from estimates.data.table import BoolArray
from tasktypes.facets import Facet

# Groups that figures are given for: all of them, or none but the whole.
EVERY: Collection[str] = (*GROUP_KEYS, OWN)
WHOLE: Collection[str] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Scope:
    """What samples are drawn from: one facet, or the first of a block, or (without) the study.

    blocks: the block that each facet belongs to.
    """

    data: StudyData
    parties: Parties
    options: Options
    blocks: Mapping[str, BlockRecord]
    facet: str = ""

    @property
    def ratings(self) -> Ratings:
        return self.data.ratings[self.facet]

    @property
    def block(self) -> BlockRecord:
        return self.blocks[self.facet]

    @property
    def consensus(self) -> str:
        """How several people become one here."""
        return self.options.consensus_for(self.ratings.facet.kind)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """What statistics are computed from, with what a row says about it.

    group: the part that this is. several: whether intervals may draw its raters. missing_reason:
    why there is nothing to compute where it is empty; "" where that takes no row.
    """

    scope: Scope
    raters: str
    facet: str
    group: Group = field(default_factory=dict)
    consensus: str | None = None
    several: bool = False
    missing_reason: str = ""

    def __len__(self) -> int:
        raise NotImplementedError

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        """The whole, then every group that these keys, and pairs of them, make."""
        yield self

    def rater_parts(self) -> Iterator[Self]:
        """Groups of people, by what files tell of them."""
        yield from ()

    @property
    def options(self) -> Options:
        return self.scope.options

    @property
    def numbered(self) -> bool:
        """Whether its people are numbers within a unit, whom no figure can tell apart."""
        return self.scope.parties.are_numbered(self.raters)

    def live_bootstrap(self, *, several: bool = False) -> Bootstrap | None:
        """How intervals of headline figures are made: with live ones where answers come in.
        several: of a statistic that can draw raters, of several of them."""
        bootstrap = self.options.bootstrap_of(several=several)
        return bootstrap and self.watched(bootstrap)

    def watched(self, bootstrap: Bootstrap) -> Bootstrap:
        """The same with live intervals where answers come in, from people by their number."""
        data = self.scope.data
        raters = data.overlap if self.several else 1
        return replace(bootstrap, live=data.planned, live_raters=raters)

    @property
    def nothing(self) -> Estimate:
        """The estimate of anything where the sample is empty."""
        return Estimate.missing(self.missing_reason, n_units=0, n_raters=0, n_ratings=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Rated(Sample):
    """The ratings of one party in one facet.

    alone: whether this is one person of many, or two, with no figures of parts. origin: of a part,
    the ratings that it was taken from.
    """

    ratings: Ratings
    alone: bool = False
    origin: Ratings | None = None

    @classmethod
    def by(cls, party: Party, scope: Scope, ratings: Ratings, **other: Any) -> Self:
        """The answers of a party; where a single rater gave none, no row says so."""
        return cls(
            scope=scope,
            raters=party.name,
            facet=ratings.facet.name,
            several=party.may_be_drawn,
            missing_reason=party.missing_reason if party.several else "",
            ratings=ratings,
            **other,
        )

    def __len__(self) -> int:
        return len(self.ratings)

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        for group, mask in parts(self.ratings, () if self.alone else keys):
            yield self.part(group, mask) if group else self

    def rater_parts(self) -> Iterator[Self]:
        for group, mask in () if self.alone else rater_parts(self.ratings):
            yield self.part(group, mask)

    def part(self, group: Group, mask: BoolArray) -> Self:
        """The ratings that belong to a group."""
        ratings = self.ratings.take(mask)
        return replace(self, ratings=ratings, origin=self.whole, group={**group, **self.group})

    @property
    def whole(self) -> Ratings:
        """The ratings of all parts together."""
        return self.ratings if self.origin is None else self.origin


@dataclass(frozen=True)
class Figure:
    """An estimate under the name of its metric, and where its row departs from the sample's.

    group: beside the sample's own.
    """

    metric: str
    estimate: Estimate
    group: Group = field(default_factory=dict)
    raters: str = ""
    aggregation: str = ""


def can_agree(facet: Facet) -> bool:
    """Scores of machines, each on a scale of its own, may correlate but cannot agree."""
    return not facet.own_scale


def _same(sample: Any) -> Iterator[Any]:
    yield sample


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """One or several metrics that are computed from the same part of a sample.

    compute: the figures of a part. by: the keys of the groups that are parts. values: what stands
    for the sample, such as scores in place of answers; several samples where there are several
    metrics of that kind. applies: to which facets. missing: metrics that get a row without a value
    where nobody answered.
    """

    compute: Callable[[Any], Iterable[Figure]]
    by: Collection[str] = WHOLE
    aggregation: str = POOLED
    values: Callable[[Any], Iterable[Sample]] = _same
    applies: Callable[[Facet], bool] = lambda _facet: True
    missing: Callable[[Any], Sequence[str]] = lambda _sample: ()

    def figures(self, sample: Sample) -> Iterator[tuple[Sample, Figure]]:
        """All figures of a sample, each with the part that it is computed from."""
        by_raters = sample.options.rater_groups
        for values in self.values(sample):
            if len(values):
                for part in values.rater_parts() if by_raters else values.parts(self.by):
                    for figure in self.compute(part):
                        yield part, figure
            elif values.missing_reason and not by_raters:
                for metric in self.missing(values):
                    yield values, Figure(metric, values.nothing)


class Granularity(Enum):
    """How often samples are drawn: for every facet, for every block, or once."""

    FACETS = "facets"
    BLOCKS = "blocks"
    STUDY = "study"


@dataclass(frozen=True)
class Statistics:
    """An entry of the engine's list: statistics of the same samples, given sample by sample."""

    samples: Callable[[Scope], Iterable[Sample]]
    statistics: tuple[Statistic, ...]
    granularity: Granularity = Granularity.FACETS

    def figures(self, scope: Scope) -> Iterator[tuple[Statistic, Sample, Figure]]:
        """All figures of a scope. No samples are drawn where nothing applies."""
        facet, by_raters = scope.ratings.facet if scope.facet else None, scope.options.rater_groups
        each = [
            statistic
            for statistic in self.statistics
            if facet is None or statistic.applies(facet)
            if OWN in statistic.by or not by_raters
        ]
        for sample in self.samples(scope) if each else ():
            for statistic in each:
                for part, figure in statistic.figures(sample):
                    yield statistic, part, figure
