"""Agreement with the others: the figure of the report, of every worker and facet."""

from collections import Counter, defaultdict

from annotation.models import Rater, Study
from estimates.data.database import load_table
from estimates.data.ratings import ratings_of
from estimates.metrics.quality import with_others
from estimates.statistics.statistic import can_agree
from tasktypes.facets import Facet


def agreement(study: Study) -> dict[int, dict[str, float]]:
    """Participation -> facet -> agreement with the others, of everybody for whom there is one.

    It goes through the answers of all, since what chance gives is theirs: those that count in the
    report, so not those to controls or of rounds that do not count, nor excluded ones. Reports
    give it for a hundred people at most, this for any number of them.
    """
    people = study.raters.filter(kind=Rater.Kind.HUMAN)
    participation_of = dict(people.values_list("pk", "participation"))
    found: dict[int, dict[str, float]] = defaultdict(dict)
    table = load_table(study)
    for facet in _facets(study):
        ratings = ratings_of(table, facet.name).by(participation_of).once()
        for rater, estimate in with_others(ratings).items():
            participation = participation_of[rater]
            if participation is not None and estimate.value is not None:
                found[participation][facet.name] = estimate.value
    return dict(found)


def facet_titles(study: Study) -> dict[str, str]:
    """Facet -> its title."""
    return {facet.name: str(facet.title) for facet in _every_facet(study)}


def _facets(study: Study) -> list[Facet]:
    """Those that people agree in, but for names that two blocks share, which reports do not mix."""
    every = _every_facet(study)
    times = Counter(facet.name for facet in every)
    return [facet for facet in every if can_agree(facet) and times[facet.name] == 1]


def _every_facet(study: Study) -> list[Facet]:
    return [facet for block in study.blocks.all() for facet in block.facets]
