"""What texts beside answers are called."""

from django import template
from django.utils.translation import gettext as _

from annotation.models import Rater, Study

register = template.Library()


@register.filter
def text_label(rater: Rater, study: Study) -> str:
    """What a rater's texts are: what the study asks for, or the reasons that a file holds."""
    labels = {"correction": _("Correction:"), "post_edit": _("Edited text:")}
    kind = "" if rater.origin == Rater.Origin.IMPORTED else str(study.free_text.get("kind", ""))
    return labels.get(kind, _("Reason:"))
