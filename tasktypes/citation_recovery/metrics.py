"""Whether a whole explanation is transparent: every citation in it can be found again."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from agreement.values.rounding import reaches
from tasktypes.citation_recovery.schema import Options
from tasktypes.measures import ItemMetric
from tasktypes.texts.material import Item, Source


def count_citations(source: Source, item: Item, options: Options) -> tuple[int, int] | None:
    """How many passages the item cites, and how many of them exist; None where it cites none."""
    existing = [k for k in item.cited if k in source.passage_indices]
    return (len(item.cited), len(existing)) if item.cited else None


def is_transparent(
    scores: Sequence[float], citations: tuple[int, ...], options: Options
) -> bool | None:
    """Whether each cited passage of the item was recovered well enough.

    scores: the F1 of the item's units, one per cited passage that exists. citations: as
    `count_citations` has them.
    None where the question does not arise, since (with dangling citations ignored) the item cites
    nothing that exists, and while a passage has no score: an item that failed early would
    otherwise count before one that may still pass.
    """
    n_cited, n_existing = citations
    if len(scores) < n_existing:
        return None
    if n_existing < n_cited and options.dangling_citations == "fail":
        return False
    if not n_existing:
        return None
    return all(reaches(score, options.transparent_from) for score in scores)


TRANSPARENT_SHARE = ItemMetric(
    "transparent_share",
    gettext_lazy("Transparent share"),
    "Share of items of which every unit has an F1 of 0.6 (an option) or more. Items without "
    "citations or with missing answers do not count",
    facet="recovery",
    subset="full",
    facts=count_citations,
    decide=is_transparent,
)
