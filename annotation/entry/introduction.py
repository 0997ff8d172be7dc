"""The pages between consent and the first batch: examples, tips, the comprehension check and the
questionnaire."""

from django.urls import reverse

from annotation.entry.comprehension import needs_check
from annotation.entry.examples import has_examples
from annotation.entry.questionnaire import is_due
from annotation.models import Participation


def way_before_work(participation: Participation) -> str | None:
    """The address of the next page before the first batch; None where none is left.

    Workers who have a batch already go straight to it.
    """
    if participation.state in Participation.ENDED or participation.assignments.exists():
        return None
    first = introduction(participation) if participation.introduced_at is None else None
    if first is None and needs_check(participation):
        return reverse("annotation:comprehension", args=[participation.study.slug])
    if first is None and is_due(participation, "before"):
        return reverse("annotation:questionnaire", args=[participation.study.slug, "before"])
    return first


def introduction(participation: Participation) -> str | None:
    """The address of the first worked example, or of the tips; None where there is neither."""
    study = participation.study
    if has_examples(study):
        return reverse("annotation:example", args=[study.slug, 1])
    return reverse("annotation:tips", args=[study.slug]) if study.tips else None
