"""Position bias: whether the order in which texts are shown side by side affects the choice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from agreement import Estimate, mean_by
from estimates.data.options import Options
from estimates.data.raters import RaterKind, RaterOrigin, RaterRecord
from estimates.data.ratings import Ratings, item_names
from estimates.data.table import BoolArray, FloatArray, IntArray
from estimates.statistics.statistic import Figure, Rated, Statistic
from tasktypes.pages.candidates import turns

# Unit code -> the codes of its items in the order shown.
ShownOrders = Mapping[int, tuple[int, ...]]
UNDECIDED = "no answer puts one text before another"
ONE_WAY = "no two texts were shown in both orders"
UNKNOWN = "the file does not tell in which order the texts were shown"


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry per answer and pair of texts: all parallel.

    at: the rating, of the text shown first where each has one. first, second: the items in the
    order shown. verdict: 1 for the first, -1 for the second, 0 for neither.
    """

    ratings: Ratings
    at: IntArray
    first: IntArray
    second: IntArray
    verdict: IntArray

    def take(self, chosen: BoolArray) -> "Verdicts":
        columns = (self.at, self.first, self.second, self.verdict)
        return Verdicts(self.ratings, *(column[chosen] for column in columns))


def _positions(sample: Rated) -> Iterator[Figure]:
    """The share of choices that fell on the text shown first, and how often a choice stayed the
    same with the order turned round."""
    data = sample.scope.data
    orders = data.orders.get(sample.scope.block.pk)
    if orders is None:
        return
    imported = [rater.pk for rater in data.raters if rater.origin == RaterOrigin.IMPORTED]
    is_unknown = np.isin(sample.ratings.unit, list(orders.unknown))
    is_unknown &= np.isin(sample.ratings.rater, imported)
    ratings = sample.ratings.take(~is_unknown)
    turning = [rater.pk for rater in data.raters if _turns(rater)]
    odd = np.array([turns(replicate) for replicate in ratings.replicate.tolist()], bool)
    is_turned = np.isin(ratings.rater, turning) & odd
    of_facet = _of_ranks if ratings.facet.ranks else _of_labels
    verdicts = of_facet(ratings, orders.shown, is_turned)
    why_none = UNKNOWN if is_unknown.any() else ""
    yield Figure("position_share", _share(verdicts, sample.options, why_none))
    yield Figure("position_consistency", _consistency(verdicts, sample.options, why_none))


def _turns(rater: RaterRecord) -> bool:
    """Whether the rater answers a question's replicates in turned orders, if there are several."""
    return rater.kind == RaterKind.JUDGE and rater.origin == RaterOrigin.HERE


def _of_labels(ratings: Ratings, orders: ShownOrders, is_turned: BoolArray) -> Verdicts:
    """Where one of two items is named as the better one; any other label is for neither."""
    pairs = {unit: order for unit, order in orders.items() if len(order) == 2}
    chosen = np.flatnonzero(np.isin(ratings.unit, list(pairs)))
    units, which = np.unique(ratings.unit[chosen], return_inverse=True)
    shown = np.array([pairs[unit] for unit in units.tolist()], dtype=np.int64).reshape(-1, 2)
    code_of = {value: code for code, value in enumerate(ratings.domain)}
    named = np.array(
        [
            [code_of.get(name, -1) for name in item_names(ratings.material, unit, items)]
            for unit, items in zip(units.tolist(), shown.tolist(), strict=True)
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    turned = is_turned[chosen, np.newaxis]
    shown, named = (np.where(turned, pair[which, ::-1], pair[which]) for pair in (shown, named))
    codes = ratings.code[chosen]
    verdict = (codes == named[:, 0]).astype(np.int64) - (codes == named[:, 1])
    return Verdicts(ratings, chosen, shown[:, 0], shown[:, 1], verdict)


def _of_ranks(ratings: Ratings, orders: ShownOrders, is_turned: BoolArray) -> Verdicts:
    """Every two items that one answer ranks; the lower rank is the better one."""
    place = {(unit, item): at for unit, order in orders.items() for at, item in enumerate(order)}
    keys = zip(ratings.unit.tolist(), ratings.item.tolist(), strict=True)
    shown_at = np.array([place.get(key, -1) for key in keys], dtype=np.int64)
    last = np.array([len(orders.get(unit, ())) - 1 for unit in ratings.unit.tolist()])
    shown_at = np.where(is_turned & (shown_at >= 0), last - shown_at, shown_at)
    order = np.lexsort((shown_at, ratings.replicate, ratings.rater, ratings.unit))
    order = order[shown_at[order] >= 0]
    answer = np.stack([ratings.unit, ratings.rater, ratings.replicate])[:, order]
    first, second = [], []
    before = np.arange(len(order))
    for step in range(1, len(order)):  # every pair of an answer once, by how far apart they stand
        before = before[before + step < len(order)]
        before = before[(answer[:, before + step] == answer[:, before]).all(axis=0)]
        if not len(before):
            break
        first.append(order[before])
        second.append(order[before + step])
    at, other = (np.concatenate([*parts, np.zeros(0, dtype=np.int64)]) for parts in (first, second))
    verdict = np.sign(ratings.number[other] - ratings.number[at]).astype(np.int64)
    return Verdicts(ratings, at, ratings.item[at], ratings.item[other], verdict)


def _share(verdicts: Verdicts, options: Options, why_none: str) -> Estimate:
    """Of the choices for one of two texts, those for the one shown first."""
    decided = verdicts.take(verdicts.verdict != 0)
    if not len(decided.at):
        return Estimate.missing(why_none or UNDECIDED, n_units=0, n_ratings=0)
    return _mean((decided.verdict > 0).astype(np.float64), decided, options)


def _consistency(verdicts: Verdicts, options: Options, why_none: str) -> Estimate:
    """Of every two answers of one rater about the same two texts, shown in different order:
    those with the same verdict."""
    low, high = np.sort(np.stack([verdicts.first, verdicts.second]), axis=0)
    rater = verdicts.ratings.rater[verdicts.at]
    _, group = np.unique(np.stack([rater, low, high]), axis=1, return_inverse=True)
    turned = verdicts.first > verdicts.second
    size, n_turned = (np.bincount(group.reshape(-1), weights) for weights in (None, turned))
    both = ((n_turned > 0) & (n_turned < size))[group.reshape(-1)] if len(group) else turned
    if not both.any():
        return Estimate.missing(why_none or ONE_WAY, n_units=0, n_ratings=0)
    seen, same = _pairs_turned(np.flatnonzero(both), group.reshape(-1), turned, verdicts.verdict)
    shown = Verdicts(
        verdicts.ratings,
        verdicts.at[seen],
        verdicts.first[seen],
        verdicts.second[seen],
        verdicts.verdict[seen],
    )
    return _mean(same, shown, options)


def _pairs_turned(
    chosen: IntArray, group: IntArray, turned: BoolArray, verdict: IntArray
) -> tuple[IntArray, FloatArray]:
    """One of each two verdicts of a group that were given in different orders, and whether the
    two favour the same text (or none)."""
    members: dict[int, list[int]] = {}
    for at in chosen.tolist():
        members.setdefault(int(group[at]), []).append(at)
    seen, same = [], []
    for answers in members.values():
        for first, second in combinations(answers, 2):
            if turned[first] != turned[second]:
                seen.append(first)
                same.append(float(verdict[first] == -verdict[second]))
    return np.array(seen, dtype=np.int64), np.array(same)


def _mean(values: FloatArray, verdicts: Verdicts, options: Options) -> Estimate:
    about = verdicts.ratings.take(verdicts.at)
    estimate = mean_by(
        values,
        clusters=about.source,
        units=about.unit,
        raters=about.rater,
        ends=(0, 1),
        bootstrap=options.bootstrap,
    )
    return Estimate(**{**vars(estimate), "sd": None, "sd_ddof": None})


POSITIONS = Statistic(compute=_positions, applies=lambda facet: facet.ranks or facet.names_items)
