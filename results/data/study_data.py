"""Everything that the estimates of a study rest on, as one value.

Statistics take nothing else. Where the data come from (the database, columns kept there, a bundle)
is for `from_database`, `from_kept_columns` and `from_bundle` to know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.models import Block, Rater
from results.data.answer_times import AnswerTimes, gather_times
from results.data.controls import ControlAnswer, check_controls
from results.data.evidence import Evidence, gather_evidence
from results.data.measured import Measured, measure_answers
from results.data.options import Options
from results.data.orders import Orders, orders_by_block
from results.data.published import published_rows
from results.data.records import Records
from results.data.rows import Row
from results.data.selection import narrow
from results.data.table import FloatArray, Table, build_table
from results.data.whole_items import WholeItem, count_words, items_by_metric, originals_of


@dataclass(frozen=True, eq=False)
class StudyData:
    """A study as statistics see it. Mappings that name no other key go by the block's id.

    published: the rows of a study that others published; all else is then empty. controls: of
    every round. words: of each item of the material, in hundreds, NaN where the text is not
    known; empty where no statistic asks. originals: code of each item made wrong on purpose ->
    code of the one it was made from. whole_items: by block and name of the item metric.
    """

    epsilon: float
    blocks: tuple[Block, ...]
    published: tuple[Row, ...]
    table: Table
    controls: tuple[ControlAnswer, ...]
    times: AnswerTimes
    measured: Mapping[int, Measured]
    originals: Mapping[int, int]
    words: FloatArray
    whole_items: Mapping[tuple[int, str], Sequence[WholeItem]]
    orders: Mapping[int, Orders]
    evidence: Sequence[Evidence]

    def narrowed(self, options: Options) -> "StudyData":
        """The same without the ratings of those whom the options leave out."""
        return replace(self, table=narrow(self.table, options))


def gather(records: Records) -> StudyData:
    """The data of a study from its rows."""
    table = build_table(records)
    material, blocks = table.material, tuple(records.blocks())
    measured = [block for block in blocks if block.task_type.measured]
    return StudyData(
        epsilon=records.epsilon,
        blocks=blocks,
        published=published_rows(records.published),
        table=table,
        controls=tuple(check_controls(records, blocks)),
        times=gather_times(records),
        measured={block.pk: measure_answers(records, block, material) for block in measured},
        originals=originals_of(records, material) if measured else {},
        words=count_words(records, material) if _may_favour_length(table) else np.zeros(0),
        whole_items=items_by_metric(records, blocks, material),
        orders=orders_by_block(records, blocks, material),
        evidence=gather_evidence(records, blocks, material),
    )


def _may_favour_length(table: Table) -> bool:
    """Whether a judge and somebody else gave scores, so that lengths of texts are asked for."""
    kinds = {rater.pk: rater.kind for rater in table.raters}
    for code, name in enumerate(table.facet_names):
        facet = table.material.facets.get(name)
        if facet is not None and facet.is_score:
            raters = np.unique(table.rater[table.facet == code]).tolist()
            if len({kinds[rater] == Rater.Kind.JUDGE for rater in raters}) > 1:
                return True
    return False
