"""Changes that are made to what somebody has seen: header `If-Match` with the `ETag` of it."""

import re
from http import HTTPStatus
from typing import Any

from rest_framework.request import Request

from api.problems import Problem
from api.requests.filters import parameter

HEADER = "If-Match"
ANY = "*"
LONGEST_TAG = 200
_TAG = r'^(\*|"[!#-~]*")$'


def require_match(request: Request, standing: str) -> None:
    """Let a change happen where its sender has seen what stands; else a Problem: 428 without the
    header, 412 where somebody has changed it since. standing: the tag that it has now."""
    wanted = request.headers.get(HEADER, "").strip()
    if not wanted:
        text = f"Send {HEADER} with the ETag of what you have read, so that no change is lost."
        raise Problem(HTTPStatus.PRECONDITION_REQUIRED, text, field=HEADER)
    if not re.fullmatch(_TAG, wanted) or len(wanted) > LONGEST_TAG:
        text = "An ETag in its quotation marks, as it was sent, or *."
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, text, field=HEADER)
    if wanted not in (ANY, standing):
        raise just_changed()


def just_changed() -> Problem:
    """What is answered where somebody else was first."""
    text = "Somebody has changed this since you read it. Read it again, and send your change anew."
    return Problem(HTTPStatus.PRECONDITION_FAILED, text, field=HEADER)


def match_parameter() -> dict[str, Any]:
    """The header in the schema."""
    about = "The `ETag` of what was read; `*` for whatever stands."
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_TAG, "pattern": _TAG}
    return parameter(HEADER, about, schema, place="header", required=True, example=ANY)
