"""The model families of a study's imported judges, which no run records."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Rater, Study


def imported_judges(study: Study) -> QuerySet[Rater]:
    """The judges whose answers were imported from a file."""
    return study.raters.filter(kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED)


@transaction.atomic
def set_families(*, study: Study, families: Mapping[int, str]) -> int:
    """Set the families of imported judges, by the rater's id; how many have changed.

    A change makes a new revision of the study, as estimates may depend on families.
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
