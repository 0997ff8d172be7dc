"""Mechanical Turk's ExternalQuestion: our page in its frame, and a form posted back at the end.

For requesters who are there already: the platform accepts no new ones.
"""

from django.conf import settings
from django.http import QueryDict

from annotation.panels.contract import (
    BadParameter,
    Panel,
    Preview,
    Problem,
    Recruitment,
    Visit,
    VisitOutcome,
    WayBack,
    read_id,
)

NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT = "/mturk/externalSubmit"


class MTurk(Panel):
    """A session is an assignment of a HIT. A preview has none, and no worker id."""

    slug, name = "mturk", "MTurk"

    def visit(self, query: QueryDict, recruitment: Recruitment) -> Visit | Preview:
        assignment = read_id(query, "assignmentId")
        if assignment == NOT_ACCEPTED:
            return Preview()
        return Visit(
            worker=read_id(query, "workerId"),
            session=assignment,
            study=read_id(query, "hitId"),
            submit_to=_submit_to(query),
        )

    def placeholders(self, recruitment: Recruitment) -> str:
        """Nothing: the platform adds its parameters by itself."""
        return ""

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        return (*settings.MTURK_ORIGINS, *recruitment.frame_origins)

    def way_back(
        self, recruitment: Recruitment, outcome: VisitOutcome, visit: Visit
    ) -> WayBack | None:
        """A form, except for a HIT that is returned: that is the platform's own button.

        The origin is checked again, since the list may have changed since the worker came.
        """
        if outcome == VisitOutcome.RETURNED or visit.submit_to not in settings.MTURK_ORIGINS:
            return None
        fields = {
            "assignmentId": visit.session,
            "outcome": outcome.value,
            "code": recruitment.codes.get(outcome, ""),
        }
        return WayBack(visit.submit_to + SUBMIT, fields)


def _submit_to(query: QueryDict) -> str:
    """The platform's origin. Any other is refused: the worker would post a form to it."""
    values = query.getlist("turkSubmitTo")
    if not any(values):
        raise BadParameter("turkSubmitTo", Problem.MISSING)
    if len(values) > 1:
        raise BadParameter("turkSubmitTo", Problem.TWICE)
    origin = values[0].strip().rstrip("/")
    if origin not in settings.MTURK_ORIGINS:
        raise BadParameter("turkSubmitTo", Problem.NOT_ALLOWED)
    return origin


PANEL = MTurk()
