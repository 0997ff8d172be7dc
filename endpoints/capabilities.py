"""What an endpoint takes in a request for a model, as its replies so far have shown.

Endpoints of one protocol differ: some take no JSON schema, no seed, or another name for the limit
of tokens. A request that is rejected is made again in a simpler form, and the form that was taken
is used from then on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from endpoints.endpoint import Endpoint

Body = dict[str, Any]
# How a reply is held to a schema, the strictest first. The last one: not at all.
FORMATS = ("json_schema", "json_object", "")
RESPONSE_FORMAT = "response_format"
N_REPLIES = "n"
LIMIT, OTHER_LIMIT = "max_tokens", "max_completion_tokens"
# Parameters to omit where an endpoint rejects them. A method can do without any of them.
OPTIONAL = ("seed", "temperature")
# A request that is rejected without a reason may be at fault itself. Only after so many were taken
# in a simpler form, and none in the stricter one, are all others written in the simpler form.
MOST_DOUBTS = 3
# Parameters of a request that an endpoint may reject.
NAMES = (
    RESPONSE_FORMAT,
    LIMIT,
    OTHER_LIMIT,
    *OPTIONAL,
    "model",
    "messages",
    "logprobs",
    "top_logprobs",
)
# The HTTP statuses of a request that is rejected as it is.
REJECTED = frozenset({400, 422})
TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})
FILTERED = frozenset({"content_filter", "content_policy_violation"})
_NOT_SUPPORTED = re.compile(
    r"support|unknown|unrecogni|unexpected|extra (fields|inputs)|not (permitted|allowed)", re.I
)


@dataclass(frozen=True)
class RequestForm:
    """One way to write a request.

    response_format: one of FORMATS. limit_name: the name of the limit of tokens. omitted: optional
    parameters that are not sent.
    """

    response_format: str = FORMATS[0]
    limit_name: str = LIMIT
    omitted: frozenset[str] = frozenset()

    def simpler(self, rejected: str, body: Mapping[str, Any]) -> "RequestForm | None":
        """What to try after this parameter was rejected; None where nothing would change."""
        if rejected not in body:
            return None
        if rejected == RESPONSE_FORMAT:
            return replace(self, response_format=FORMATS[FORMATS.index(self.response_format) + 1])
        if rejected == LIMIT:
            return replace(self, limit_name=OTHER_LIMIT)
        return replace(self, omitted=self.omitted | {rejected}) if rejected in OPTIONAL else None

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "RequestForm":
        """A form as `as_json` wrote it; the keys are those of rows that are stored already."""
        return cls(content["held"], content["limit_name"], frozenset(content["left_out"]))

    def as_json(self) -> dict[str, Any]:
        return {
            "held": self.response_format,
            "limit_name": self.limit_name,
            "left_out": sorted(self.omitted),
        }

    def merged_with(self, other: "RequestForm") -> "RequestForm":
        """The form that avoids whatever either of the two avoids."""
        return RequestForm(
            response_format=max(self.response_format, other.response_format, key=FORMATS.index),
            limit_name=self.limit_name if other.limit_name == LIMIT else other.limit_name,
            omitted=self.omitted | other.omitted,
        )

    def apply(self, body: Mapping[str, Any]) -> Body:
        """A request in this form; one that is in a simpler form already stays as it is."""
        written = {name: value for name, value in body.items() if name not in self.omitted}
        if LIMIT in written:
            written[self.limit_name] = written.pop(LIMIT)
        kind = written.get(RESPONSE_FORMAT, {}).get("type", "")
        if FORMATS.index(kind) < FORMATS.index(self.response_format):
            del written[RESPONSE_FORMAT]
            if self.response_format:
                written[RESPONSE_FORMAT] = {"type": self.response_format}
        return written


@dataclass
class Capabilities:
    """What this process has learned about a model of an endpoint."""

    form: RequestForm = RequestForm()
    doubts: int = 0
    # Whether it gives several replies to one request.
    gives_several: bool = True

    def record_success(self, form: RequestForm, body: Body, *, guessed: bool) -> None:
        """Learn from a request that was taken.

        guessed: the endpoint did not say what was wrong with the stricter form before.
        """
        if guessed:
            self.doubts += 1
            if self.doubts < MOST_DOUBTS:
                form = replace(form, response_format=self.form.response_format)
        if (not guessed and RESPONSE_FORMAT in body) or self.doubts >= MOST_DOUBTS:
            self.doubts = 0
        self.form = self.form.merged_with(form)


_capabilities: dict[tuple[str, str], Capabilities] = {}


def capabilities_of(endpoint: Endpoint, model: str) -> Capabilities:
    """What this process has learned about a model of an endpoint."""
    return _capabilities.setdefault((endpoint.base_url, model), Capabilities())


def rejected_parameter(status: int | None, error: Any, body: Mapping[str, Any]) -> str | None:
    """The parameter of a request that its endpoint rejected; empty where it did not say which.

    None where the fault was not in the form of the request. error: the body of the error.
    """
    if status not in REJECTED or error_code(error) in TOO_LONG | FILTERED:
        return None
    param = error.get("param") if isinstance(error, Mapping) else None
    if isinstance(param, str) and param:
        return next((name for name in re.split(r"[.\[\]]+", param) if name in body), None)
    located = [name for name in _locations(error) if name in body]
    return located[0] if located else _named_in_message(error, body)


def form_after_batch(
    form: RequestForm, body: Mapping[str, Any], rejected: Sequence[str], n_taken: int
) -> RequestForm:
    """The form to use after a batch of requests in one form; the same where nothing was learned.

    rejected: what `rejected_parameter` returned for each that was rejected. Where no reason was
    given, the schema is taken to be at fault only if not a single request was taken.
    """
    after: RequestForm | None = form
    for name in sorted({name for name in rejected if name}):
        after = (after or form).simpler(name, body) or after
    if rejected and not any(rejected) and not n_taken:
        after = form.simpler(RESPONSE_FORMAT, body)
    return after or form


def error_code(error: Any) -> str:
    """The code of an error; empty where it has none."""
    return str(error.get("code") or "") if isinstance(error, Mapping) else ""


def _locations(error: Any) -> Iterator[str]:
    """The names that `"loc": ["body", "seed"]` and the like point to, at any depth."""
    if isinstance(error, list):
        for part in error:
            yield from _locations(part)
    elif isinstance(error, Mapping):
        loc = error.get("loc")
        if isinstance(loc, list):
            yield from (str(name) for name in loc if name != "body")
        for part in error.values():
            yield from _locations(part)


def _named_in_message(error: Any, body: Mapping[str, Any]) -> str:
    """The parameter that an error message names; empty where it names none."""
    message = str((error.get("message") if isinstance(error, Mapping) else error) or "")
    if not _NOT_SUPPORTED.search(message):
        return ""
    names = (name for name in (RESPONSE_FORMAT, LIMIT, *OPTIONAL) if name in body)
    return next((name for name in names if re.search(rf"\b{name}\b", message)), "")
