"""From a question to the examples and tips, and back to it."""

import re

from django.http import HttpRequest
from django.urls import reverse

from annotation.entry.introduction import introduction
from annotation.work.steps import Step

_PLACE = re.compile(r"(?P<batch>[-\w]{1,50})/(?P<position>\d{1,4})/(?P<part>\d{1,4})", re.ASCII)


def examples_behind(step: Step) -> str:
    """The address of the first example, or of the tips, from which a link leads back; that of the
    question itself where the study has neither."""
    first = introduction(step.assignment.participation)
    return f"{first}?from={'/'.join(map(str, step.place))}" if first else step.url


def question_behind(request: HttpRequest) -> str:
    """The address of the question from which somebody came; empty for those who came otherwise."""
    place = _PLACE.fullmatch(request.GET.get("from", ""))
    return reverse("annotation:question", args=place.groups()) if place else ""
