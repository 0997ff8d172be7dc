"""Agreement with the others: the figure of the report, of every worker and facet."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from annotation.models import Rater, Study
from estimates.data.database import load_table
from estimates.data.ratings import ratings_of
from estimates.metrics.quality import with_others
from estimates.statistics.statistic import can_agree
from tasktypes.facets import Facet

# A block and a facet of it; two blocks may have facets of one name.
FacetKey = tuple[int, str]


def agreement(study: Study) -> dict[int, dict[FacetKey, float]]:
    """Participation -> facet -> agreement with the others, of everybody for whom there is one.

    It goes through the answers of all, since what chance gives is theirs: those that count in the
    report, so not those to controls or of rounds that do not count, nor excluded ones. Reports
    give it for a hundred people at most, this for any number of them.
    """
    people = study.raters.filter(kind=Rater.Kind.HUMAN)
    participation_of = dict(people.values_list("pk", "participation"))
    found: dict[int, dict[FacetKey, float]] = defaultdict(dict)
    table = load_table(study)
    for key, facet in _facets(study).items():
        ratings = ratings_of(table, facet.name).by(participation_of).once()
        for rater, estimate in with_others(ratings).items():
            participation = participation_of[rater]
            if participation is not None and estimate.value is not None:
                found[participation][key] = estimate.value
    return dict(found)


def lowest(per_facet: Mapping[FacetKey, float]) -> tuple[FacetKey, float] | None:
    """The facet in which somebody agrees least with the others; None where there is no figure."""
    return min(per_facet.items(), key=lambda item: item[1], default=None)


def _facets(study: Study) -> dict[FacetKey, Facet]:
    """Those that people agree in, but for names that two blocks share, which reports do not mix."""
    every = {
        (block.pk, facet.name): facet for block in study.blocks.all() for facet in block.facets
    }
    times = Counter(name for _block, name in every)
    return {key: facet for key, facet in every.items() if can_agree(facet) and times[key[1]] == 1}
