"""What a panel is to a study: how its people arrive, what may frame them, how they go back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Self
from urllib.parse import quote

from django.http import QueryDict

# Panels' ids are shorter by far; a longer one is not one.
LONGEST_ID = 100
ID = re.compile(r"[A-Za-z0-9._@:+=~-]+")
ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
LINK = re.compile(ORIGIN.pattern + r"([/?]\S*)?")
# What a panel says of a worker on arrival, and what a link back may hold.
PARTS = ("worker", "session", "study")


class Outcome(StrEnum):
    """How a worker's visit ended, as the panel is told."""

    COMPLETED = "completed"
    SCREENED_OUT = "screened_out"
    RETURNED = "returned"


class Problem(StrEnum):
    """What can be wrong with a parameter of an address."""

    MISSING = "missing"
    TWICE = "twice"
    TOO_LONG = "too long"
    NOT_AN_ID = "not an id"
    NOT_ALLOWED = "not allowed"


class BadParameter(Exception):
    """The address that a worker came by lacks a parameter, or one is not what it must be."""

    def __init__(self, name: str, problem: Problem) -> None:
        self.name, self.problem = name, problem
        super().__init__(f"{name}: {problem}")


@dataclass(frozen=True)
class Recruitment:
    """What a study file says about recruitment."""

    panel: str = "invitation"
    parameters: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[Outcome, str] = field(default_factory=dict)
    completion_url: str = ""
    frame_origins: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From a study's recruitment entries. What is no origin or link stays out:
        it would end up in a header, or in an address that a worker presses."""
        return cls(
            panel=given.get("panel") or "invitation",
            parameters={
                part: name
                for part, name in (given.get("parameters") or {}).items()
                if part in PARTS and name
            },
            codes={
                Outcome.COMPLETED: given.get("completion_code") or "",
                Outcome.SCREENED_OUT: given.get("screenout_code") or "",
                Outcome.RETURNED: given.get("return_code") or "",
            },
            completion_url=link_or_nothing(given.get("completion_url") or ""),
            frame_origins=tuple(filter(is_origin, given.get("frame_origins") or ())),
        )


@dataclass(frozen=True)
class Visit:
    """Who comes, by the panel's id, and within which session and study of the panel.

    `submit_to` is where a form that ends the visit is posted, for panels that want one.
    """

    worker: str
    session: str = ""
    study: str = ""
    submit_to: str = ""


class Preview:
    """Somebody looks at the task before they take it: nothing is known of them."""


@dataclass(frozen=True)
class WayBack:
    """How a worker returns to the panel: a link, or a form with hidden `fields`."""

    address: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_form(self) -> bool:
        return bool(self.fields)

    @property
    def origin(self) -> str:
        found = ORIGIN.match(self.address)
        return found[0] if found else ""


class Panel:
    """One panel. Subclasses say how it differs from a plain invitation."""

    slug: ClassVar[str]
    # Whether it pays whoever it sends, once for each session that they complete.
    pays_by_session: ClassVar[bool] = True
    # Whether people come by an account of this program, instead of by an address that names them.
    signs_in: ClassVar[bool] = False

    def visit(self, given: QueryDict, recruitment: Recruitment) -> Visit | Preview | None:
        """Who comes by an address with these parameters; None where nobody comes that way.

        BadParameter where one of them is not as it must be.
        """
        return None

    def placeholders(self, recruitment: Recruitment) -> str | None:
        """The query of the arrival link as the researcher enters it at the panel, with what
        the panel fills in; None where nobody comes by such a link."""
        return None

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        """The origins whose pages may show ours in a frame."""
        return recruitment.frame_origins

    def way_back(self, recruitment: Recruitment, outcome: Outcome, visit: Visit) -> WayBack | None:
        """How the worker tells the panel; None where the code alone says it."""
        return link_back(recruitment.completion_url, recruitment, outcome, visit)

    def missing(self, recruitment: Recruitment, *, screens_out: bool) -> list[str]:
        """The recruitment keys without which nobody from this panel could be paid."""
        return []


def read_id(given: QueryDict, name: str) -> str:
    """The id that a parameter holds; BadParameter where there is none, or something else."""
    values = [value.strip() for value in given.getlist(name)]
    if not any(values):
        raise BadParameter(name, Problem.MISSING)
    if len(values) > 1:
        raise BadParameter(name, Problem.TWICE)
    if len(values[0]) > LONGEST_ID:
        raise BadParameter(name, Problem.TOO_LONG)
    if not ID.fullmatch(values[0]):
        raise BadParameter(name, Problem.NOT_AN_ID)
    return values[0]


def link_back(
    template: str, recruitment: Recruitment, outcome: Outcome, visit: Visit
) -> WayBack | None:
    """The link with `{code}`, `{worker}`, `{session}` and `{study}` filled in.

    One without a place for the code says that all is done: it is no way back for any
    other outcome.
    """
    code = recruitment.codes.get(outcome, "")
    if not template or ("{code}" in template and not code):
        return None
    if "{code}" not in template and outcome != Outcome.COMPLETED:
        return None
    values = {"code": code, **{part: getattr(visit, part) for part in PARTS}}
    names = re.compile(r"\{(" + "|".join(values) + r")\}")
    return WayBack(names.sub(lambda name: quote(values[name[1]], safe=""), template))


def is_origin(text: object) -> bool:
    """Whether a text is scheme, host and perhaps port, and nothing else."""
    return isinstance(text, str) and ORIGIN.fullmatch(text) is not None


def link_or_nothing(text: str) -> str:
    """The text, where it is an address of the web without its placeholders."""
    return text if LINK.fullmatch(text) else ""
