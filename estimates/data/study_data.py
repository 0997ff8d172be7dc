"""All data behind the estimates of a study, as one value.

Statistics take nothing else. Where the data come from (the database, columns kept there, a bundle)
is for `from_database`, `from_kept_columns` and `from_bundle` to know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from estimates.data.facts.answer_times import AnswerTimes, gather_times
from estimates.data.facts.controls import ControlAnswer, check_controls
from estimates.data.facts.evidence import Evidence, gather_evidence
from estimates.data.facts.measured import Measured, measure_answers
from estimates.data.facts.orders import Orders, orders_by_block
from estimates.data.facts.set_sizes import SetSizes, gather_set_sizes
from estimates.data.facts.unanswered import Unanswered, gather_unanswered
from estimates.data.facts.whole_items import WholeItem, count_words, items_by_metric, originals_of
from estimates.data.options import Options
from estimates.data.published import published_rows
from estimates.data.raters import RaterKind, RaterRecord
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.records import BlockRecord, Records
from estimates.data.rows import Row
from estimates.data.selection import left_out
from estimates.data.table import FloatArray, Material, Table, build_table


@dataclass(frozen=True, eq=False)
class StudyData:
    """A study as statistics see it. Mappings that name no other key go by the block's id.

    overlap: how many people each unit is for. published: the rows of a study that others published;
    all else is then empty. raters: all, by kind, name and version, also without answers. ratings:
    by name of the facet, counted ones alone. margins: by facet. controls: of every round.
    originals: code of each item made wrong on purpose -> code of the one it was made from. words:
    of each item of the material, in hundreds, NaN where the text is not known; empty where no
    statistic asks. whole_items: by block and name of the item metric. set_sizes: of blocks in which
    people and judges chose sets.
    """

    epsilon: float
    overlap: int
    margins: Mapping[str, float]
    blocks: tuple[BlockRecord, ...]
    published: tuple[Row, ...]
    raters: tuple[RaterRecord, ...]
    material: Material
    ratings: Mapping[str, Ratings]
    controls: tuple[ControlAnswer, ...]
    times: AnswerTimes
    measured: Mapping[int, Measured]
    originals: Mapping[int, int]
    words: FloatArray
    whole_items: Mapping[tuple[int, str], Sequence[WholeItem]]
    orders: Mapping[int, Orders]
    set_sizes: Mapping[int, SetSizes]
    evidence: Sequence[Evidence]
    unanswered: Unanswered

    @property
    def planned(self) -> int | None:
        """The number of sources that live intervals are made for: all there are; None for a study
        that nobody answers here, whose figures are final."""
        return (self.material.sources or None) if self.material.rounds else None

    def narrowed(self, options: Options) -> "StudyData":
        """The same without the ratings of those whom the options leave out."""
        out = left_out(self.raters, options)
        if not out:
            return self
        ratings = {name: of_facet.without(out) for name, of_facet in self.ratings.items()}
        raters = tuple(rater for rater in self.raters if rater.pk not in out)
        return replace(self, raters=raters, ratings=ratings)


def gather(records: Records) -> StudyData:
    """The data of a study from its rows."""
    if records.published:
        return _published(records)
    table = build_table(records)
    raters, material, blocks = table.raters, table.material, tuple(records.blocks())
    ratings = {name: ratings_of(table, name) for name in material.facets}
    del table  # its columns are those of the ratings
    measured = [block for block in blocks if block.task_type.measured]
    return StudyData(
        epsilon=records.epsilon,
        overlap=records.overlap,
        margins=records.margins,
        blocks=blocks,
        published=(),
        raters=raters,
        material=material,
        ratings=ratings,
        controls=tuple(check_controls(records, blocks)),
        times=gather_times(records),
        measured={block.pk: measure_answers(records, block, material) for block in measured},
        originals=originals_of(records, material) if measured else {},
        words=_words(records, material, raters, ratings),
        whole_items=items_by_metric(records, blocks, material),
        orders=orders_by_block(records, blocks, material),
        set_sizes=gather_set_sizes(records, _comparing_sets(blocks, raters, ratings), material),
        evidence=gather_evidence(records, blocks, material),
        unanswered=gather_unanswered(records, blocks, material),
    )


def of_ratings(table: Table, blocks: Sequence[BlockRecord]) -> StudyData:
    """The ratings of a table and nothing else, for statistics of ratings that are looked at before
    anything is stored."""
    ratings = {name: ratings_of(table, name) for name in table.material.facets}
    bare = _bare(tuple(blocks), table.raters, table.material)
    return replace(bare, ratings=ratings)


def _published(records: Records) -> StudyData:
    """Nothing but what was published: there are no other rows."""
    return replace(
        _bare((), (), Material.empty()),
        epsilon=records.epsilon,
        overlap=records.overlap,
        margins=records.margins,
        published=published_rows(records.published),
    )


def _bare(
    blocks: tuple[BlockRecord, ...], raters: tuple[RaterRecord, ...], material: Material
) -> StudyData:
    none = np.zeros(0, dtype=np.int64)
    return StudyData(
        epsilon=0.0,
        overlap=1,
        margins={},
        blocks=blocks,
        published=(),
        raters=raters,
        material=material,
        ratings={},
        controls=(),
        times=AnswerTimes(none, none, np.zeros(0)),
        measured={},
        originals={},
        words=np.zeros(0),
        whole_items={},
        orders={},
        set_sizes={},
        evidence=(),
        unanswered={},
    )


def _words(
    records: Records,
    material: Material,
    raters: Sequence[RaterRecord],
    ratings: Mapping[str, Ratings],
) -> FloatArray:
    """Texts are read only where a judge and somebody else answered about them: it may favour long
    ones, or do worse there."""
    both = any(_has_both(r, raters) for r in ratings.values() if (r.item >= 0).any())
    return count_words(records, material) if both else np.zeros(0)


def _comparing_sets(
    blocks: Sequence[BlockRecord], raters: Sequence[RaterRecord], ratings: Mapping[str, Ratings]
) -> list[BlockRecord]:
    """Blocks in whose sets a judge and somebody else answered."""
    sets = {name for name, r in ratings.items() if r.facet.kind == "set" and _has_both(r, raters)}
    return [block for block in blocks if any(facet.name in sets for facet in block.facets)]


def _has_both(ratings: Ratings, raters: Sequence[RaterRecord]) -> bool:
    """Whether a judge and somebody else gave some of them."""
    judges = [rater.pk for rater in raters if rater.kind == RaterKind.JUDGE]
    of_judge = np.isin(ratings.rater, judges)
    return bool(of_judge.any() and not of_judge.all())
