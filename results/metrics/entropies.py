"""How widely choices spread: of people over the options of a unit, and of each judge."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import Estimate, choice_entropy
from results.data.groups import parts
from results.data.options import Options
from results.data.parties import Party
from results.data.ratings import Ratings
from results.metrics.kappas import as_labels, scale_of
from results.metrics.rows import Group, Row


def entropy_rows(ratings: Ratings, party: Party, options: Options) -> Iterator[Row]:
    """Mean entropy of the choices for a unit, as a whole and by group; of sets, labels and
    points. Replicates of a judge are answers like those of several people."""
    theirs = ratings.by(party.raters)
    if not len(theirs):
        if party.several and ratings.facet.kind != "number":
            silence = Estimate.missing(party.silence, n_units=0, n_raters=0, n_ratings=0)
            yield _row(ratings, party, {}, silence)
        return
    if not _chooses(theirs):
        return
    counted = len(np.unique(theirs.rater))
    answers = _as_answers(theirs)
    for group, mask in parts(answers):
        part = answers.take(mask)
        estimate = choice_entropy(
            part.place,
            part.rater,
            as_labels(part),
            clusters=part.source,
            bootstrap=options.bootstrap,
        )
        if not party.several:  # replicates are not raters
            estimate = replace(estimate, n_raters=counted)
        yield _row(ratings, party, group, estimate)


def _chooses(ratings: Ratings) -> bool:
    """Whether there are options, and a unit in which more than one of them can come up: a single
    rater's single label has no spread to speak of."""
    if ratings.facet.kind == "set":
        return True
    given = np.bincount(np.unique(ratings.place, return_inverse=True)[1])
    return scale_of(ratings, None) is not None and bool((given > 1).any())


def _as_answers(ratings: Ratings) -> Ratings:
    """Every replicate as a rater of its own: the entropy is over answers."""
    most = int(ratings.replicate.max()) + 1
    return replace(ratings, rater=ratings.rater * most + ratings.replicate)


def _row(ratings: Ratings, party: Party, group: Group, estimate: Estimate) -> Row:
    return Row(
        metric="entropy",
        facet=ratings.facet.name,
        raters=party.name,
        group=group,
        aggregation="pooled",
        estimate=estimate,
    )
