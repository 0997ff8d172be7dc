"""One moment, so that all that is read for a while is of the same answers."""

from django.db import connection
from django.db.models import Max
from django.utils import timezone

from annotation.answers.key_ranges import open_gaps
from annotation.models import Annotation, Study
from annotation.models.answers import Moment


def moment_of(study: Study) -> Moment:
    """Which answers are stored now. Those that others are storing just now may get smaller keys
    than answers that are there, except where the database lets one transaction write at a time.

    Where the study has this revision before and after, it is of these answers exactly.
    """
    through = Annotation.objects.aggregate(newest=Max("pk"))["newest"] or 0
    gaps = []
    if connection.vendor != "sqlite":
        gaps = open_gaps(through=through, now=timezone.now())
    revision = Study.objects.values_list("revision", flat=True).get(pk=study.pk)
    return Moment(through, revision, tuple((first, last) for first, last, _at in gaps))
