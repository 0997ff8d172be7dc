"""How long raters were active in answers."""

from array import array
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from estimates.data.records import Records
from estimates.data.table import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class AnswerTimes:
    """Parallel: block and rater (ids) of each answer, and its active seconds."""

    block: IntArray
    rater: IntArray
    seconds: FloatArray

    def of(self, block: int, raters: Collection[int]) -> "AnswerTimes":
        """Those of some raters in a block."""
        chosen = (self.block == block) & np.isin(self.rater, list(raters))
        return AnswerTimes(self.block[chosen], self.rater[chosen], self.seconds[chosen])


def gather_times(records: Records) -> AnswerTimes:
    """The times of all counted answers that have one."""
    blocks, raters, times = array("q"), array("q"), array("d")
    for block, rater, seconds in records.times():
        blocks.append(block)
        raters.append(rater)
        times.append(seconds)
    return AnswerTimes(
        np.array(blocks, dtype=np.int64), np.array(raters, dtype=np.int64), np.array(times)
    )
