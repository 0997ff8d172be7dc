"""What workers' templates show of a worker's own link, and of the platform that sent them."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.middleware.frames import return_link
from annotation.models import Study
from annotation.panels.registry import panel_of

register = template.Library()


@register.simple_tag(takes_context=True)
def personal_link(context: dict[str, Any]) -> str:
    """The link by which the worker of this page comes back; empty where there is none (any more).

    A page that is given it as `own_link`, such as that of a question, is taken at its word.
    """
    participation = context.get("participation")
    if participation is None:
        return str(context.get("own_link", ""))
    return return_link(context["request"], participation)


@register.filter
def platform(study: Study | None) -> str:
    """The name of the platform that the study's workers come from, as it is called in a sentence;
    empty for invitations and accounts of our own."""
    if study is None or not panel_of(study).sends_workers:
        return ""
    return panel_of(study).name or _("the platform that sent you")
