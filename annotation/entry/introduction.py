"""What a worker meets between the consent and the first batch, in order."""

from django.urls import reverse

from annotation.entry.comprehension import needs_check
from annotation.entry.examples import has_examples
from annotation.models import Participation


def way_before_work(participation: Participation) -> str | None:
    """The address of the page that comes before the first batch, if one still does.

    Nothing stands between a worker and a batch that they have.
    """
    if participation.state in Participation.ENDED or participation.assignments.exists():
        return None
    first = introduction(participation) if participation.introduced_at is None else None
    if first is None and needs_check(participation):
        return reverse("annotation:comprehension", args=[participation.study.slug])
    return first


def introduction(participation: Participation) -> str | None:
    """The address of the first worked example, or of the tips; None where there is neither."""
    study = participation.study
    if has_examples(study):
        return reverse("annotation:example", args=[study.slug, 1])
    return reverse("annotation:tips", args=[study.slug]) if study.tips else None
