"""What each judge would save of people's answers, and what a cheaper allocation costs."""

from dataclasses import dataclass

import numpy as np

from agreement.systems.allocation import Allocations, allocations
from annotation.models import Study
from estimates.data.consensus import consensus_of
from estimates.data.database import rater_records
from estimates.data.parties import HUMANS, divide
from estimates.data.ratings import Ratings
from estimates.metrics.averages import has_numbers
from estimates.metrics.prediction_powered import Answered
from estimates.report.newest import newest_ratings
from estimates.statistics.samples import MEAN


@dataclass(frozen=True)
class Savings:
    """The allocations with a judge."""

    judge: str
    allocations: Allocations


def savings_of(study: Study, facet: str) -> list[Savings]:
    """For every judge that answered with people in a facet of numbers or two labels."""
    facets = [each for block in study.blocks.all() for each in block.facets]
    about = next((each for each in facets if each.name == facet), None)
    newest = newest_ratings(study, about) if about and has_numbers(about) else None
    if newest is None:
        return []
    ratings = newest.ratings
    parties = divide(rater_records(study))
    people = next(crowd for crowd in parties.crowds if crowd.name == HUMANS)
    human = ratings.by(people.raters).once()
    found = []
    for judge in [judge for judge in parties.judges if not judge.older]:
        theirs = ratings.by(judge.raters).once()
        if len(human) and len(theirs):
            found.append(Savings(judge.name, _allocations(human, theirs)))
    return found


def _allocations(human: Ratings, judge: Ratings) -> Allocations:
    """From means per source, of people by consensus as a number."""
    how = MEAN if human.facet.kind == "number" else "majority"
    answered = Answered.of(consensus_of(human, how), judge)
    sides = answered.by_source(np.ones(len(judge), dtype=bool), judge.material.sources)
    return allocations(*sides)
