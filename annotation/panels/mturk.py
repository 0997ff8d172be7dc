"""Mechanical Turk's ExternalQuestion: our page in its frame, and a form posted back at the end.

Kept for requesters who are there already: the platform takes no new ones.
"""

from django.conf import settings
from django.http import QueryDict

from annotation.panels.contract import (
    BadParameter,
    Outcome,
    Panel,
    Preview,
    Problem,
    Recruitment,
    Visit,
    WayBack,
    read_id,
)

NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT = "/mturk/externalSubmit"


class MTurk(Panel):
    """A session is an assignment of a HIT. Who only looks has none, and is not known."""

    slug = "mturk"

    def visit(self, given: QueryDict, recruitment: Recruitment) -> Visit | Preview:
        assignment = read_id(given, "assignmentId")
        if assignment == NOT_ACCEPTED:
            return Preview()
        return Visit(
            worker=read_id(given, "workerId"),
            session=assignment,
            study=read_id(given, "hitId"),
            submit_to=_submit_to(given),
        )

    def placeholders(self, recruitment: Recruitment) -> str:
        """Nothing: the platform adds its parameters by itself."""
        return ""

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        return (*settings.MTURK_ORIGINS, *recruitment.frame_origins)

    def way_back(self, recruitment: Recruitment, outcome: Outcome, visit: Visit) -> WayBack | None:
        """Who returns a HIT presses the platform's own button; the rest is a form.

        The list of origins may have changed since the worker came: it holds at the end, too.
        """
        if outcome == Outcome.RETURNED or visit.submit_to not in settings.MTURK_ORIGINS:
            return None
        fields = {
            "assignmentId": visit.session,
            "outcome": outcome.value,
            "code": recruitment.codes.get(outcome, ""),
        }
        return WayBack(visit.submit_to + SUBMIT, fields)


def _submit_to(given: QueryDict) -> str:
    """The platform's own origin; any other would be sent a form by the worker's hand."""
    values = given.getlist("turkSubmitTo")
    if not any(values):
        raise BadParameter("turkSubmitTo", Problem.MISSING)
    if len(values) > 1:
        raise BadParameter("turkSubmitTo", Problem.TWICE)
    origin = values[0].strip().rstrip("/")
    if origin not in settings.MTURK_ORIGINS:
        raise BadParameter("turkSubmitTo", Problem.NOT_ALLOWED)
    return origin


PANEL = MTurk()
