"""How requests are written for a model: in the form that its endpoint has turned out to take."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judges.backends.contract import Failure
from judges.backends.endpoints import Endpoint

Body = dict[str, Any]
# How a reply is held to a schema, the strictest first. The last one: not at all.
FORMATS = ("json_schema", "json_object", "")
HELD = "response_format"
SEVERAL = "n"
LIMIT, OTHER_LIMIT = "max_tokens", "max_completion_tokens"
# What is left out where an endpoint does not take it. Not what a method cannot do without.
OPTIONAL = ("seed", "temperature")
# A request that is not taken, with no word on why, may be at fault itself: so many have to be
# taken in a plainer form, and none in the stricter one, before all others are written so.
MOST_DOUBTS = 3
# What a request may hold that an endpoint may not take.
NAMES = (HELD, LIMIT, OTHER_LIMIT, *OPTIONAL, "model", "messages", "logprobs", "top_logprobs")
# The statuses of a request that is not taken as it is.
NOT_TAKEN = frozenset({400, 422})
TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})
FILTERED = frozenset({"content_filter", "content_policy_violation"})
_NOT_KNOWN = re.compile(
    r"support|unknown|unrecogni|unexpected|extra (fields|inputs)|not (permitted|allowed)", re.I
)


@dataclass(frozen=True)
class Form:
    """One way to write a request. left_out: optional parameters that are not sent."""

    held: str = FORMATS[0]
    limit_name: str = LIMIT
    left_out: frozenset[str] = frozenset()

    def plainer(self, disliked: str, body: Mapping[str, Any]) -> "Form | None":
        """What to try next where this parameter was not taken; None where nothing would change."""
        if disliked not in body:
            return None
        if disliked == HELD:
            return replace(self, held=FORMATS[FORMATS.index(self.held) + 1])
        if disliked == LIMIT:
            return replace(self, limit_name=OTHER_LIMIT)
        return replace(self, left_out=self.left_out | {disliked}) if disliked in OPTIONAL else None

    @classmethod
    def told(cls, told: Mapping[str, Any]) -> "Form":
        """A form that was written down by `as_json`."""
        return cls(told["held"], told["limit_name"], frozenset(told["left_out"]))

    def as_json(self) -> dict[str, Any]:
        return {
            "held": self.held,
            "limit_name": self.limit_name,
            "left_out": sorted(self.left_out),
        }

    def joined(self, other: "Form") -> "Form":
        """What neither of the two found out to be wrong."""
        return Form(
            held=max(self.held, other.held, key=FORMATS.index),
            limit_name=self.limit_name if other.limit_name == LIMIT else other.limit_name,
            left_out=self.left_out | other.left_out,
        )

    def written(self, body: Mapping[str, Any]) -> Body:
        """A request in this form; one that is in a plainer form already stays as it is."""
        written = {name: value for name, value in body.items() if name not in self.left_out}
        if LIMIT in written:
            written[self.limit_name] = written.pop(LIMIT)
        kind = written.get(HELD, {}).get("type", "")
        if FORMATS.index(kind) < FORMATS.index(self.held):
            del written[HELD]
            written |= {HELD: {"type": self.held}} if self.held else {}
        return written


@dataclass
class Habits:
    """What has been found out about a model of an endpoint; once per process."""

    form: Form = Form()
    doubts: int = 0
    # Whether it gives several replies to one request.
    gives_several: bool = True

    def took(self, form: Form, body: Body, *, guessed: bool) -> None:
        """The endpoint took a request in that form, which it had told us to use, or was guessed."""
        if guessed:
            self.doubts += 1
            if self.doubts < MOST_DOUBTS:
                form = replace(form, held=self.form.held)
        if (not guessed and HELD in body) or self.doubts >= MOST_DOUBTS:
            self.doubts = 0
        self.form = self.form.joined(form)


_habits: dict[tuple[str, str], Habits] = {}


def habits_of(endpoint: Endpoint, model: str) -> Habits:
    """What this process has found out about a model of an endpoint."""
    return _habits.setdefault((endpoint.base_url, model), Habits())


def disliked(status: int | None, error: Any, body: Mapping[str, Any]) -> str | None:
    """The parameter of a request that its endpoint did not take; empty where it did not say which.

    None where it was not about the form of the request. error: the body of the fault.
    """
    if status not in NOT_TAKEN or _code(error) in TOO_LONG | FILTERED:
        return None
    param = error.get("param") if isinstance(error, Mapping) else None
    if isinstance(param, str) and param:
        return next((one for one in re.split(r"[.\[\]]+", param) if one in body), None)
    placed = [name for name in _places(error) if name in body]
    return placed[0] if placed else _named(error, body)


def after_many(form: Form, body: Mapping[str, Any], disliked: Sequence[str], taken: int) -> Form:
    """The form to ask in after many requests in one form; the same where there is nothing to learn.

    disliked: what `disliked` says of each that was not taken. taken: how many were. With no word
    on why, the schema is thought to be too much only where nothing at all was taken.
    """
    after: Form | None = form
    for name in sorted({name for name in disliked if name}):
        after = (after or form).plainer(name, body) or after
    if disliked and not any(disliked) and not taken:
        after = form.plainer(HELD, body)
    return after or form


def failure_of(error: Any) -> Failure:
    """What an endpoint's error is to a call: a refusal, where a filter stopped the request."""
    return Failure.REFUSAL if _code(error) in FILTERED else Failure.ERROR


def _code(error: Any) -> str:
    return str(error.get("code") or "") if isinstance(error, Mapping) else ""


def _places(error: Any) -> Iterator[str]:
    """The names that `"loc": ["body", "seed"]` and the like point to, wherever they stand."""
    if isinstance(error, list):
        for part in error:
            yield from _places(part)
    elif isinstance(error, Mapping):
        loc = error.get("loc")
        yield from (str(one) for one in loc if one != "body") if isinstance(loc, list) else ()
        for part in error.values():
            yield from _places(part)


def _named(error: Any, body: Mapping[str, Any]) -> str:
    """The parameter that a fault names in words; empty where it names none."""
    said = str((error.get("message") if isinstance(error, Mapping) else error) or "")
    if not _NOT_KNOWN.search(said):
        return ""
    names = (name for name in (HELD, LIMIT, *OPTIONAL) if name in body)
    return next((name for name in names if re.search(rf"\b{name}\b", said)), "")
