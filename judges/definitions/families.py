"""The model families of a study's imported judges, which no run records."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Rater, Study, User, log_change


def imported_judges(study: Study) -> QuerySet[Rater]:
    """The judges whose answers were imported from a file."""
    return study.raters.filter(kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED)


@transaction.atomic
def set_families(*, study: Study, families: Mapping[int, str], by: User | None = None) -> int:
    """Set the families of imported judges, by the rater's id; how many have changed.

    A change makes a new revision of the study, as estimates may depend on families.
    """
    changed: dict[str, str] = {}
    for rater in imported_judges(study).select_for_update().filter(pk__in=families):
        if rater.family != families[rater.pk]:
            rater.family = families[rater.pk]
            rater.save(update_fields=["family"])
            changed[rater.name] = rater.family
    if changed:
        log_change(study=study, by=by, action="judges.families_set", detail=changed)
        study.touch()
    return len(changed)
