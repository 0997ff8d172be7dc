"""Prolific: ids in the address, and back by a link that holds a completion code."""

import os

from django.http import QueryDict

from annotation.panels.contract import (
    Panel,
    Recruitment,
    Visit,
    VisitOutcome,
    WayBack,
    link_back,
    read_id,
)
from annotation.panels.prolific_signature import PARAMETER, is_signed

OWN_NAMES = {"worker": "PROLIFIC_PID", "study": "STUDY_ID", "session": "SESSION_ID"}
COMPLETE = "https://app.prolific.com/submissions/complete?cc={code}"


class Prolific(Panel):
    """The names of the parameters are Prolific's own; a configured name takes their place."""

    slug, name = "prolific", "Prolific"

    def visit(self, query: QueryDict, recruitment: Recruitment) -> Visit:
        names = {**OWN_NAMES, **recruitment.parameters}
        return Visit(**{part: read_id(query, name) for part, name in names.items()})

    def proves(self, query: QueryDict, visit: Visit, recruitment: Recruitment, host: str) -> bool:
        """By Prolific's signature, in an installation that knows the study's workspace there."""
        tokens, workspace = query.getlist(PARAMETER), variable(recruitment, "PROLIFIC_WORKSPACE")
        if len(tokens) != 1 or not workspace:
            return False
        names = {**OWN_NAMES, **recruitment.parameters}
        ids = {name: getattr(visit, part) for part, name in names.items()}
        return is_signed(tokens[0], parameters=ids, workspace=workspace, host=host)

    def placeholders(self, recruitment: Recruitment) -> str:
        names = {**OWN_NAMES, **recruitment.parameters}
        return "&".join(f"{names[part]}={{{{%{own}%}}}}" for part, own in OWN_NAMES.items())

    def way_back(
        self, recruitment: Recruitment, outcome: VisitOutcome, visit: Visit
    ) -> WayBack | None:
        template = recruitment.completion_url or COMPLETE
        return link_back(template, recruitment, outcome, visit)

    def missing(self, recruitment: Recruitment, *, screens_out: bool) -> list[str]:
        needed = {"completion_code": VisitOutcome.COMPLETED}
        if screens_out:
            needed["screenout_code"] = VisitOutcome.SCREENED_OUT
        return [key for key, outcome in needed.items() if not recruitment.codes[outcome]]


def variable_name(recruitment: Recruitment, name: str) -> str:
    """The variable of the environment that tells this of the study's account at Prolific."""
    return f"{name}_{recruitment.workspace.upper()}" if recruitment.workspace else name


def variable(recruitment: Recruitment, name: str) -> str:
    """What the environment tells of the study's account at Prolific; empty without the variable."""
    return os.environ.get(variable_name(recruitment, name), "").strip()


PANEL = Prolific()
