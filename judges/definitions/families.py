"""Of which families the models of a study's imported judges are: no run says it of them."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Rater, Study


def imported_judges(study: Study) -> QuerySet[Rater]:
    """The judges whose answers came with a file."""
    return study.raters.filter(kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED)


@transaction.atomic
def tell_families(*, study: Study, families: Mapping[int, str]) -> int:
    """Give imported judges their families, by the rater's id; how many that has changed.

    What rests on families is computed anew.
    """
    changed = 0
    for rater in imported_judges(study).select_for_update().filter(pk__in=families):
        if rater.family != families[rater.pk]:
            rater.family = families[rater.pk]
            rater.save(update_fields=["family"])
            changed += 1
    if changed:
        study.touch()
    return changed
