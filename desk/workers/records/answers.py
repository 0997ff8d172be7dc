"""The answers that a record is made of."""

from collections.abc import Collection

from annotation.models import Annotation, Study
from annotation.models.answers import AnnotationQuerySet


def given_by(
    study: Study, participations: Collection[int] = (), assignments: Collection[int] = ()
) -> AnnotationQuerySet:
    """What these people answered, or what was answered in these batches.

    Excluded and surplus answers are among them, since they say as much about how somebody
    works; what was corrected or withdrawn is not.
    """
    rows = Annotation.objects.filter(study=study, superseded_at=None, withdrawn_at=None)
    if assignments:
        return rows.filter(assignment__in=assignments)
    return rows.filter(rater__participation__in=participations)
