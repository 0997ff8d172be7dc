"""The answers behind a worker's record."""

from collections.abc import Collection

from annotation.models import Annotation, Study
from annotation.models.answers import AnnotationQuerySet


def answers_of(
    study: Study, participations: Collection[int] = (), assignments: Collection[int] = ()
) -> AnnotationQuerySet:
    """The answers of these participations, or in these batches.

    With excluded and surplus answers, which say as much about how somebody works; without
    superseded and withdrawn ones.
    """
    rows = Annotation.objects.filter(study=study, superseded_at=None, withdrawn_at=None)
    if assignments:
        return rows.filter(assignment__in=assignments)
    return rows.filter(rater__participation__in=participations)
