"""How contested questions are: by what people say, and by what judges say beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from agreement import dawid_skene, posterior_uncertainty
from estimates.data.consensus import consensus_of
from estimates.data.options import Options
from estimates.data.parties import Parties, Party, divide
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.table import FloatArray, IntArray, Table
from estimates.statistics.disagreement import disagreement, distance_to_others


@dataclass
class Contest:
    """How far answers to a question lie apart, from 0 to 1; None where nobody can be compared.

    people: of its most contested part, how unsure the answers of people leave its label, or how
    far they lie apart. judges: how far judges lie from the consensus of people, at most.
    differs: whether two people gave different answers.
    """

    people: float | None = None
    judges: float | None = None
    differs: bool = False

    @property
    def score(self) -> float:
        """The mean of both; that of people alone where no judge answered."""
        parts = [part for part in (self.people, self.judges) if part is not None]
        return sum(parts) / len(parts) if parts else 0.0

    @property
    def is_contested(self) -> bool:
        """Whether people differ, or a judge differs from them."""
        return self.differs or bool(self.judges)


def contests(table: Table) -> dict[int, Contest]:
    """Question id -> how contested it is, of all that people have answered."""
    parties, by_question = divide(table.raters), dict[int, Contest]()
    for name in table.facet_names:
        ratings = ratings_of(table, name).once()
        people = ratings.by(parties.crowds[0].raters)
        if len(people) and not ratings.facet.own_scale:
            _look_at(table, ratings, people, parties, by_question)
    return by_question


def _look_at(
    table: Table,
    ratings: Ratings,
    people: Ratings,
    parties: Parties,
    by_question: dict[int, Contest],
) -> None:
    length = _length(ratings)
    for place in np.unique(people.place).tolist():
        by_question.setdefault(int(table.place_question[place]), Contest())
    places, apart = disagreement(people)
    # The standard deviation of numbers on a scale is at most half of its length.
    spread = dict(zip(places.tolist(), (apart / (length / 2)).tolist(), strict=True))
    unsure = {} if parties.crowds[0].numbered else _posterior(people)
    for place, value in spread.items():
        contest = by_question[int(table.place_question[place])]
        contest.differs |= value > 0
        contest.people = max(contest.people or 0.0, min(unsure.get(place, value), 1.0))
    for place, value in _judges_apart(people, ratings, parties.judges, length).items():
        contest = by_question[int(table.place_question[place])]
        contest.judges = max(contest.judges or 0.0, min(value, 1.0))


def _length(ratings: Ratings) -> float:
    """What a distance of numbers is divided by: the length of the scale, or of what was given; 2
    for labels and sets, whose distances are from 0 to 1."""
    if ratings.facet.kind != "number":
        return 2.0
    ends = ratings.facet.ends or (float(ratings.number.min()), float(ratings.number.max()))
    return (ends[1] - ends[0]) or 1.0


def _posterior(people: Ratings) -> Mapping[int, float]:
    """Place -> uncertainty of its label by the model of Dawid and Skene, where there is one."""
    if people.facet.kind != "label" or not people.facet.labels:
        return {}
    model = dawid_skene(
        people.place.tolist(), people.rater.tolist(), people.values, labels=people.facet.labels
    )
    return {int(str(place)): value for place, value in posterior_uncertainty(model).items()}


def _judges_apart(
    people: Ratings, ratings: Ratings, judges: Iterable[Party], length: float
) -> dict[int, float]:
    """Place -> the mean distance of the judges, in their newest versions, from the consensus."""
    how = Options().consensus_for(people.facet.kind)
    agreed = consensus_of(people, how)
    scale = length if people.facet.kind == "number" else 1.0
    sums: dict[int, list[float]] = {}
    for judge in judges:
        theirs = ratings.by(judge.raters)
        if judge.older or not len(theirs) or not len(agreed):
            continue
        places, apart = _distances(agreed, theirs)
        for place, distance in zip(places.tolist(), apart.tolist(), strict=True):
            sums.setdefault(place, []).append(distance / scale)
    return {place: sum(each) / len(each) for place, each in sums.items()}


def _distances(agreed: Ratings, theirs: Ratings) -> tuple[IntArray, FloatArray]:
    """Consensus may have made sets that nobody gave: both are read by the wider domain."""
    return distance_to_others(agreed, replace(theirs, domain=agreed.domain))
