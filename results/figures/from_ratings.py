"""Figures made from the ratings themselves: agreement between raters, distributions of scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from django.utils.translation import gettext as _

from agreement import Estimate, alpha
from estimates.catalogue import alpha_of
from estimates.catalogue.scores import F1, MEAN
from estimates.data.consensus import consensus_of
from estimates.data.parties import Parties, Party
from estimates.data.raters import RaterKind, RaterRecord
from estimates.data.ratings import Ratings, join
from estimates.data.table import FloatArray
from estimates.metrics.averages import measure
from results.figures.plots import Box, Boxes, Cloud, Matrix, Nothing, Plot, ends_of, scale_title
from results.reading.titles import metric_title, party_title

# The most raters, labels and systems that can be told apart in one figure.
MOST_RATERS, MOST_LABELS, MOST_SYSTEMS = 40, 20, 20
# Distinct pairs that are drawn; of more an even choice by lot.
MOST_POINTS, SEED = 500, 0
# A heat map with a smaller share of pairs has those beside each other who share questions.
SPARSE = 0.5
FENCES = (0.0, 0.25, 0.5, 0.75, 1.0)
NOBODY = "this question has no answers in this part of the study"


@dataclass(frozen=True)
class Material:
    """The ratings of a facet that the page is narrowed to, and their raters."""

    ratings: Ratings
    parties: Parties
    raters: Mapping[int, RaterRecord]


def heat_map(material: Material, _judge: str, crowd: str) -> Plot:
    """Krippendorff's α of every two raters, in the facet's own distance; of a crowd alone where
    one is named."""
    ratings = material.ratings.once()
    ratings = ratings.by(_of_crowd(material.parties, crowd)) if crowd else ratings
    ids, counts = np.unique(ratings.rater, return_counts=True)
    if len(ids) < 2:
        return Nothing(_("fewer than two raters") if len(ids) else _(NOBODY))
    most = sorted(zip(ids.tolist(), counts.tolist(), strict=True), key=lambda entry: -entry[1])
    chosen = sorted((pk for pk, _n in most[:MOST_RATERS]), key=lambda pk: _place(material, pk))
    chosen = side_by_side(chosen, ratings)
    by_rater = [ratings.by([pk]) for pk in chosen]
    # α of two raters does not depend on their order.
    of_two = {
        pair: _alpha_of(by_rater[pair[0]], by_rater[pair[1]])
        for pair in combinations(range(len(chosen)), 2)
    }
    cells = [
        [of_two.get((min(row, column), max(row, column))) for column in range(len(chosen))]
        for row in range(len(chosen))
    ]
    names = [_rater_name(material, pk) for pk in chosen]
    title = metric_title(alpha_of(ratings.facet.distance))
    note = "" if len(ids) <= MOST_RATERS else _("the %d raters with most answers") % MOST_RATERS
    return Matrix(title, names, names, cells, -1.0, 1.0, note, symmetric=True)


def _of_crowd(parties: Parties, name: str) -> frozenset[int]:
    return next((party.raters for party in parties.crowds if party.name == name), frozenset())


def side_by_side(raters: Sequence[int], ratings: Ratings) -> list[int]:
    """The raters as they come, where most of them share questions; else those beside each other
    who do, without those who share none with any other."""
    places = {pk: set(ratings.by([pk]).place.tolist()) for pk in raters}
    share = {pk: [other for other in raters if places[pk] & places[other]] for pk in raters}
    if sum(map(len, share.values())) > SPARSE * len(raters) ** 2:
        return list(raters)
    ordered: list[int] = []
    for start in raters:
        waiting = [start] if len(share[start]) > 1 else []
        while waiting:
            pk = waiting.pop(0)
            if pk not in ordered:
                ordered.append(pk)
                waiting += sorted(share[pk], key=lambda other: -len(places[pk] & places[other]))
    return ordered or list(raters)


def _place(material: Material, pk: int) -> tuple[str, str, int]:
    rater = material.raters[pk]
    return rater.kind, rater.name, rater.version


def _rater_name(material: Material, pk: int) -> str:
    rater = material.raters[pk]
    if rater.kind == RaterKind.JUDGE:
        return next(judge.name for judge in material.parties.judges if pk in judge.raters)
    return rater.name


def _alpha_of(first: Ratings, second: Ratings) -> Estimate:
    """Over what both have rated: α uses nothing else, and many raters have little in common."""
    shared = np.intersect1d(first.place, second.place, assume_unique=True, return_indices=True)
    _places, of_first, of_second = shared
    if not len(of_first):
        return Estimate.missing(_("both answered no question in common"))
    both = join(first.take(of_first), second.take(of_second))
    return alpha(both.place, both.rater, both.values, distance=both.facet.distance)


def against_people(material: Material, judge: str, crowd: str) -> Plot:
    """Answers of a judge against those of people to the same: numbers as points, labels as shares
    of each answer of people, sets by their F1."""
    people = next((party for party in material.parties.crowds if party.name == crowd), None)
    machine = next((party for party in material.parties.judges if party.name == judge), None)
    if people is None or machine is None:
        return Nothing(_(NOBODY))
    theirs, its = (material.ratings.by(party.raters).once() for party in (people, machine))
    if not len(theirs) or not len(its):
        return Nothing(_("both answered no question in common"))
    if material.ratings.facet.kind == "label":
        return _crossed(theirs, its, people, machine)
    return _cloud(theirs, its, people, machine)


def _cloud(theirs: Ratings, its: Ratings, people: Party, machine: Party) -> Plot:
    if theirs.facet.kind == "number":
        metric = scale_title(theirs.facet)
        by_people, by_judge = _by_place(consensus_of(theirs, "mean")), _by_place(its)
    else:
        metric = metric_title(F1)
        by_people, by_judge = _f1_by_unit(theirs), _f1_by_unit(its)
    shared = sorted(by_people.keys() & by_judge.keys())
    if not shared:
        return Nothing(_("both answered no question in common, or it has no reference"))
    pairs = np.array([[by_people[key], by_judge[key]] for key in shared])
    return cloud_of(pairs, metric, (party_title(people.name), machine.name))


def cloud_of(
    pairs: FloatArray, measure_name: str, titles: tuple[str, str], *, own_scales: bool = False
) -> Cloud:
    """pairs: (n, 2) numbers, across and upwards. Of many different ones an even choice by lot."""
    distinct, times = np.unique(pairs, axis=0, return_counts=True)
    note = ""
    if len(distinct) > MOST_POINTS:
        counts = {"drawn": MOST_POINTS, "all": len(distinct)}
        note = _("%(drawn)d of %(all)d different pairs, chosen by lot") % counts
        rng = np.random.default_rng(SEED)
        kept = np.sort(rng.choice(len(distinct), MOST_POINTS, replace=False))
        distinct, times = distinct[kept], times[kept]
    x, y = distinct.T.tolist()
    return Cloud(measure_name, *titles, x, y, times.tolist(), note, own_scales)


def _by_place(ratings: Ratings) -> dict[int, float]:
    return dict(zip(ratings.place.tolist(), ratings.number.tolist(), strict=True))


def _f1_by_unit(ratings: Ratings) -> dict[int, float]:
    """Unit -> mean F1 of the answers to it, where there is a right one."""
    values = _values_of(ratings)
    defined = ~np.isnan(values)
    if not defined.any():
        return {}
    units, which = np.unique(ratings.unit[defined], return_inverse=True)
    means = np.bincount(which, weights=values[defined]) / np.bincount(which)
    return dict(zip(units.tolist(), means.tolist(), strict=True))


def _crossed(theirs: Ratings, its: Ratings, people: Party, machine: Party) -> Plot:
    """The judge's labels as shares of each majority label of people."""
    by_people, by_judge = _said(consensus_of(theirs, "majority")), _said(its)
    pairs = [(by_people[place], by_judge[place]) for place in by_people if place in by_judge]
    if not pairs:
        return Nothing(_("both answered no question in common, or people have no majority"))
    labels = _labels(theirs, {label for pair in pairs for label in pair})
    if len(labels) > MOST_LABELS:
        return Nothing(_("more than %d different answers") % MOST_LABELS)
    counts = {row: sum(1 for first, _s in pairs if first == row) for row in labels}
    cells = [
        [_share(pairs.count((row, column)), counts[row]) for column in labels] for row in labels
    ]
    measure_name = _("Share of %(crowd)s’ answer (downwards) that %(judge)s called (across)") % {
        "crowd": party_title(people.name).lower(),
        "judge": machine.name,
    }
    return Matrix(measure_name, labels, labels, cells, 0.0, 1.0)


def _said(ratings: Ratings) -> dict[int, str]:
    """Place -> label."""
    places, codes = ratings.place.tolist(), ratings.code.tolist()
    return {at: str(ratings.domain[code]) for at, code in zip(places, codes, strict=True)}


def _share(part: int, whole: int) -> Estimate:
    if not whole:
        return Estimate.missing(_("never given"))
    return Estimate(value=part / whole, n_ratings=whole)


def _labels(ratings: Ratings, present: set[str]) -> list[str]:
    """In the facet's order, then whatever else there is."""
    offered = [label for label in ratings.facet.labels if label in present]
    return [*offered, *sorted(present - set(offered))]


def spread(material: Material, judge: str, _crowd: str) -> Plot:
    """Per system and party the quartiles of items' scores, or the shares of each label; of one
    judge where it is named."""
    ratings = material.ratings
    if not len(ratings):
        return Nothing(_(NOBODY))
    if ratings.facet.kind == "label":
        return _label_shares(material)
    names = {"number": scale_title(ratings.facet), "set": metric_title(F1)}
    boxes = [box for box in _boxes(material) if judge in ("", box.party)]
    if not boxes:
        return Nothing(_("no answer has a reference to compare it with"))
    ends = ends_of(F1 if ratings.facet.kind == "set" else MEAN, ratings.facet)
    return Boxes(names[ratings.facet.kind], boxes, ends)


def _boxes(material: Material) -> list[Box]:
    boxes = []
    for system, name in _systems(material.ratings):
        for party in _newest(material.parties):
            theirs = system(material.ratings.by(party.raters))
            means = _means_by_item(theirs)
            if len(means):
                fences = tuple(float(fence) for fence in np.quantile(means, FENCES))
                boxes.append(Box(name, party_title(party.name), len(means), fences))  # type: ignore[arg-type]  # five
    return boxes


def _newest(parties: Parties) -> Sequence[Party]:
    """Crowds, and judges in their newest version."""
    return [*parties.crowds, *(judge for judge in parties.judges if not judge.older)]


def _systems(ratings: Ratings) -> list[tuple[Callable[[Ratings], Ratings], str]]:
    """How ratings of each system are chosen, by its name; all together where there are none, or
    too many."""
    column = ratings.material.item_names["system"]
    codes = np.unique(column.codes[ratings.item])
    named = sorted((column.names[code], code) for code in codes.tolist() if column.names[code])
    if not 0 < len(named) <= MOST_SYSTEMS:
        return [(lambda theirs: theirs, "")]
    return [(_of_system(code), name) for name, code in named]


def _of_system(code: int) -> Callable[[Ratings], Ratings]:
    def chosen(ratings: Ratings) -> Ratings:
        return ratings.take(ratings.material.item_names["system"].codes[ratings.item] == code)

    return chosen


def _means_by_item(ratings: Ratings) -> FloatArray:
    if not len(ratings):
        return np.zeros(0)
    values = _values_of(ratings)
    defined = ~np.isnan(values)
    if not defined.any():
        return np.zeros(0)
    _owners, which = np.unique(ratings.owner[defined], return_inverse=True)
    return np.asarray(np.bincount(which, weights=values[defined]) / np.bincount(which))


def _values_of(ratings: Ratings) -> FloatArray:
    """The number of each rating, or its F1."""
    if ratings.facet.kind == "number":
        return ratings.number
    measures, _ddof = measure(ratings)
    return measures.get(F1, np.full(len(ratings), np.nan))


def _label_shares(material: Material) -> Plot:
    ratings = material.ratings
    present = {str(ratings.domain[code]) for code in np.unique(ratings.code).tolist()}
    labels = _labels(ratings, present)
    if len(labels) > MOST_LABELS:
        return Nothing(_("more than %d different answers") % MOST_LABELS)
    rows, cells = [], []
    for system, name in _systems(ratings):
        for party in _newest(material.parties):
            theirs = system(ratings.by(party.raters))
            if not len(theirs):
                continue
            answers = [str(theirs.domain[code]) for code in theirs.code.tolist()]
            rows.append(", ".join(filter(None, [name, party_title(party.name)])))
            cells.append([_share(answers.count(label), len(answers)) for label in labels])
    return Matrix(_("Share of answers"), rows, labels, cells, 0.0, 1.0)
