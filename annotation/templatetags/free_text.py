"""What texts beside answers are called."""

from django import template

from annotation.models import Rater, Study

register = template.Library()


@register.filter
def text_label(rater: Rater, study: Study) -> str:
    """What a rater's texts are: what the study asks for, or the reasons that a file holds."""
    labels = {"correction": "Correction:", "post_edit": "Edited text:"}
    kind = "" if rater.origin == Rater.Origin.IMPORTED else str(study.free_text.get("kind", ""))
    return labels.get(kind, "Reason:")
