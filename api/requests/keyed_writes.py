"""Writes that are done once, however often they are sent: header `Idempotency-Key`."""

import hashlib
import json
import re
from collections.abc import Callable, Collection
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from api.models import ApiToken, KeyedWrite
from api.problems import Problem

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
LONGEST_KEY = 255
# Headers that belong to what was written, as its body does.
_KEPT = ("ETag", "Location")
KEY = rf"[!-~]{{1,{LONGEST_KEY}}}"


def once(
    request: Request, write: Callable[[], Response], *, secrets: Collection[str] = ()
) -> Response:
    """Do the write; under a key that was used before, answer as then. What fails is undone and
    forgotten, so that it can be sent again under the same key. secrets: fields of the answer that
    are shown once and stored nowhere: they are empty where it is given again."""
    key, body_hash = request.headers.get(HEADER), _hash_of(request)
    if key is None:
        return write()
    if not re.fullmatch(KEY, key):
        text = f"1 to {LONGEST_KEY} letters, digits or signs of ASCII, without spaces."
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, text, field=HEADER)
    assert isinstance(request.auth, ApiToken)
    # The row is written with what the write writes: both are there, or neither.
    with transaction.atomic():
        row, is_new = KeyedWrite.objects.get_or_create(
            token=request.auth, key=key, defaults={"request_hash": body_hash}
        )
        if not is_new:
            return _replayed(row, body_hash)
        response = write()
        row.status = response.status_code
        kept = {**response.data, **dict.fromkeys(secrets, "")} if secrets else response.data
        row.body = json.loads(json.dumps(kept, cls=JSONEncoder))
        row.headers = {name: response[name] for name in _KEPT if name in response}
        row.save(update_fields=["status", "body", "headers"])
    return response


def _replayed(row: KeyedWrite, body_hash: str) -> Response:
    if row.request_hash != body_hash:
        text = "This key was used for another request. Take a new key for each write."
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, text, field=HEADER)
    return Response(row.body, status=row.status, headers={**row.headers, REPLAYED: "true"})


def _hash_of(request: Request) -> str:
    parts = (str(request.method).encode(), request.get_full_path().encode(), body_of(request))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def body_of(request: Request) -> bytes:
    """The body as it was sent."""
    try:
        return bytes(request._request.body)
    except RequestDataTooBig as error:
        text = "The body is too large; send it in parts."
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text) from error
