"""Agreement: people among themselves, and a judge with what people said together."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from agreement import Bootstrap, Estimate, alpha, consensus, fold_outside, raw_agreement
from results.data.groups import LABEL, ROUND, SETTING, split
from results.data.options import Options
from results.data.parties import Pair, Party
from results.data.ratings import Ratings, distinct_pairs, join
from results.data.table import IntArray
from results.metrics.kappas import POOLED, Pieces, as_labels, kappas_between, kappas_within
from results.metrics.orders import orders_of
from results.metrics.rows import Group, Row

# Beside the facet's own distance, what published studies report for that kind of value.
CUSTOMARY = {
    "set": ("jaccard", "masi"),
    "number": ("interval", "ordinal", "ratio"),
    "label": ("nominal",),
}
FIRST, SECOND = 1, 2
# Groups that take units as a whole; others hold some of the systems that a unit orders.
WHOLE_UNITS = frozenset({SETTING, LABEL, ROUND})
OTHER_SYSTEMS = "orders of different systems"


def distances(ratings: Ratings, how: str | None = None) -> tuple[str, ...]:
    """The facet's own distance first; ratio only where the scale starts at zero or above, and
    nominal of numbers only where they are points to choose from.

    how: the consensus of one party; the mean of several people is no point of the scale.
    """
    facet = ratings.facet
    customary = CUSTOMARY[facet.kind]
    if facet.kind == "number" and facet.distance == "ordinal" and not how:
        customary = (*customary, "nominal")
    if "ratio" in customary and (facet.low is None or facet.low < 0):
        customary = tuple(name for name in customary if name != "ratio")
    return tuple(dict.fromkeys((facet.distance, *customary)))


def agreement_within(ratings: Ratings, party: Party, options: Options) -> Iterator[Row]:
    """Several raters of one kind among themselves, as a whole and by group."""
    theirs = ratings.by(party.raters).once()
    if not len(theirs):
        yield from no_agreement(ratings, party, party.silence)
        return
    bootstrap = options.bootstrap_of(several=party.several)
    yield from _rows(split(theirs), party.name, None, bootstrap)
    yield from kappas_within(theirs, party.name, options)


def agreement_between(ratings: Ratings, pair: Pair, options: Options) -> Iterator[Row]:
    """Two parties as two raters; a crowd first becomes one by consensus.

    ratings: for a crowd as `fold` left them.
    """
    first, second = (ratings.by(one.raters).once() for one in (pair.first, pair.second))
    if not len(second):
        return  # nothing to compare with: not this rater's facet
    how = options.consensus_for(ratings.facet.kind) if pair.first.several else None
    if not len(first):
        if pair.first.several:
            yield from no_agreement(ratings, pair, pair.first.silence, how)
        return
    both = _beside(first, second, how)
    yield from _rows(_pieces(both, first, second, how), pair.name, how, options.bootstrap)
    pieces = _pieces(both, first, second, how)
    yield from kappas_between(both, pieces, pair.name, how, options)


def agreement_of_runs(ratings: Ratings, judge: Party, options: Options) -> Iterator[Row]:
    """A judge that answered several times, with itself: each replicate is one rater."""
    theirs = ratings.by(judge.raters)
    runs = replace(theirs, rater=theirs.replicate)
    if len(np.unique(runs.rater)) < SECOND:
        return
    given = (runs.place, runs.rater, runs.values)
    resampling: dict[str, Any] = {"clusters": runs.source, "bootstrap": options.bootstrap}
    distance = runs.facet.distance
    found = {
        f"run_to_run_alpha_{distance}": alpha(*given, distance=distance, **resampling),
        "run_to_run_agreement": raw_agreement(*given, **resampling),
    }
    for metric, estimate in found.items():
        yield _row(runs, metric, replace(estimate, n_raters=1), raters=judge.name)


def _beside(first: Ratings, second: Ratings, how: str | None) -> Ratings:
    """The two parties as two raters. Sets were folded before, and what a majority leaves empty is
    "none" like any other."""
    one = fold(unite(first, how)) if how else first
    return join(_as_one(one, FIRST), _as_one(second, SECOND))


def _pieces(
    both: Ratings, first: Ratings, second: Ratings, how: str | None
) -> Iterator[tuple[Group, Ratings]]:
    """The parts of two parties together. A judge is in no round of people: of theirs a round holds
    what they said in it, beside what the judge said of the same."""
    for group, part in split(both):
        if not how or ROUND not in group:
            yield group, part
    for group, part in split(first) if how else ():
        if group.keys() == {ROUND}:
            same = second.take(np.isin(second.place, part.place))
            yield group, _beside(part, same, how)


def fold(ratings: Ratings) -> Ratings:
    """Sets with a reference as published: whatever lies outside the reference becomes one label,
    and so does "none" (see `agreement.fold_outside`). Everything else stays as it is."""
    if ratings.facet.kind != "set" or not len(ratings):
        return ratings
    codes = {value: code for code, value in enumerate(ratings.domain)}
    distinct, which = distinct_pairs(ratings.code, ratings.reference)
    folded = [
        code if reference < 0 else _fold_one(ratings, code, reference, codes)
        for code, reference in distinct
    ]
    return replace(ratings, code=np.array(folded)[which], domain=tuple(codes))


def _fold_one(ratings: Ratings, code: int, reference: int, codes: dict[Hashable, int]) -> int:
    answer, right = ratings.domain[code], ratings.domain[reference]
    assert isinstance(answer, frozenset)
    assert isinstance(right, frozenset)
    return codes.setdefault(fold_outside(answer, right), len(codes))


def unite(ratings: Ratings, how: str) -> Ratings:
    """One rating per place, the consensus of all; a place without consensus drops out."""
    ordered = ratings.take(np.argsort(ratings.place, kind="stable"))
    starts = np.flatnonzero(np.diff(ordered.place, prepend=-1))
    if ratings.facet.kind == "number":
        united = [
            consensus(numbers.tolist(), kind="number", how=how)
            for numbers in np.split(ordered.number, starts[1:])
        ]
        return replace(ordered.take(starts), number=np.array(united, dtype=np.float64))
    codes = {value: code for code, value in enumerate(ratings.domain)}
    chosen = _consensus_codes(ordered, starts, how, codes)
    side = _consensus_sides(ordered, starts, chosen)
    one = replace(ordered.take(starts), code=chosen, side=side, domain=tuple(codes))
    return one.take(chosen >= 0)


def _consensus_sides(ordered: Ratings, starts: IntArray, chosen: IntArray) -> IntArray:
    """On which side each place's consensus is: where those who said the same are."""
    place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(ordered)))
    same = ordered.code == chosen[place]
    sides = np.full(len(starts), -1, dtype=np.int64)
    sides[place[same]] = ordered.side[same]
    return sides


def _consensus_codes(
    ordered: Ratings, starts: IntArray, how: str, codes: dict[Hashable, int]
) -> IntArray:
    """The code of each place's consensus, new ones added to `codes`; -1 where there is none."""
    kind, known = ordered.facet.kind, dict[tuple[int, ...], int]()
    found = []
    for given in np.split(ordered.code, starts[1:]):
        key = tuple(sorted(given.tolist()))
        if key not in known:
            value = consensus([ordered.domain[code] for code in key], kind=kind, how=how)
            known[key] = -1 if value is None else codes.setdefault(value, len(codes))
        found.append(known[key])
    return np.array(found, dtype=np.int64)


def _as_one(ratings: Ratings, rater: int) -> Ratings:
    return replace(ratings, rater=np.full(len(ratings), rater))


def _rows(pieces: Pieces, name: str, how: str | None, bootstrap: Bootstrap | None) -> Iterator[Row]:
    """Alpha by every distance and raw agreement, for the whole and for every part."""
    for group, part in pieces:
        about = {"raters": name, "group": group, "consensus": how}
        given = (part.place, part.rater, part.values)
        resampling: dict[str, Any] = {"clusters": part.source, "bootstrap": bootstrap}
        for distance in distances(part, how):
            values = as_labels(part) if distance == "nominal" else part.values
            estimate = alpha(*given[:2], values, distance=distance, **resampling)
            yield _row(part, f"krippendorff_alpha_{distance}", estimate, **about)
        if part.facet.ranks and group.keys() <= WHOLE_UNITS:
            yield from _of_orders(part, bootstrap, about)
        if _may_be_equal(part, how):
            estimate = raw_agreement(*given, **resampling)
            yield _row(part, "raw_agreement", estimate, **about)


def _of_orders(
    part: Ratings, bootstrap: Bootstrap | None, about: Mapping[str, Any]
) -> Iterator[Row]:
    """Alpha of whole orders of systems; no row where nothing but claims and the like is ordered."""
    orders = orders_of(part)
    if not orders.ranks:
        return
    estimate = Estimate.missing(OTHER_SYSTEMS, n_ratings=len(orders.ranks))
    if orders.of_the_same:
        estimate = alpha(
            orders.unit.tolist(),
            orders.rater.tolist(),
            orders.ranks,
            distance="kendall",
            clusters=orders.source.tolist(),
            bootstrap=bootstrap,
        )
    yield _row(part, "krippendorff_alpha_kendall", estimate, **about)


def _may_be_equal(ratings: Ratings, how: str | None) -> bool:
    """Whether equal values say something: a mean of 3 and 4 equals nothing that anybody gives."""
    return not how or ratings.facet.kind != "number"


def no_agreement(
    ratings: Ratings, party: Party | Pair, reason: str, how: str | None = None
) -> Iterator[Row]:
    """The same rows without values."""
    metrics = [f"krippendorff_alpha_{one}" for one in distances(ratings, how)]
    metrics += ["raw_agreement"] if _may_be_equal(ratings, how) else []
    missing = Estimate.missing(reason, n_units=0, n_raters=0, n_ratings=0)
    for metric in metrics:
        yield _row(ratings, metric, missing, raters=party.name, consensus=how)


def _row(ratings: Ratings, metric: str, estimate: Estimate, **about: Any) -> Row:
    return Row(
        metric=metric,
        facet=ratings.facet.name,
        aggregation=POOLED,
        estimate=estimate,
        **about,
    )
