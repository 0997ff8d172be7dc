"""The contract of panels: how workers arrive, what may frame their pages, how they go back."""

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
# What a panel sends with a worker on arrival, and what a link back may contain.
PARTS = ("worker", "session", "study")


class VisitOutcome(StrEnum):
    """How a worker's visit ended, as reported to the panel."""

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
    """A parameter of the address that a worker came by is missing or invalid."""

    def __init__(self, name: str, problem: Problem) -> None:
        self.name, self.problem = name, problem
        super().__init__(f"{name}: {problem}")


@dataclass(frozen=True)
class Recruitment:
    """The recruitment settings of a study file."""

    panel: str = "invitation"
    parameters: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[VisitOutcome, str] = field(default_factory=dict)
    completion_url: str = ""
    frame_origins: tuple[str, ...] = ()
    # The account at the panel, where the installation has several.
    workspace: str = ""

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Self:
        """From a study's recruitment entries, without anything that is not an origin or a link: it
        would end up in a header, or in a link that a worker follows."""
        return cls(
            panel=entries.get("panel") or "invitation",
            parameters={
                part: name
                for part, name in (entries.get("parameters") or {}).items()
                if part in PARTS and name
            },
            codes={
                VisitOutcome.COMPLETED: entries.get("completion_code") or "",
                VisitOutcome.SCREENED_OUT: entries.get("screenout_code") or "",
                VisitOutcome.RETURNED: entries.get("return_code") or "",
            },
            completion_url=link_or_nothing(entries.get("completion_url") or ""),
            frame_origins=tuple(filter(is_origin, entries.get("frame_origins") or ())),
            workspace=str(entries.get("workspace") or ""),
        )


@dataclass(frozen=True)
class Visit:
    """A worker's arrival: the panel's id of the worker, and its session and study.

    `submit_to` is where the form that ends the visit is posted, for panels that need one.
    """

    worker: str
    session: str = ""
    study: str = ""
    submit_to: str = ""


class Preview:
    """A look at the task before it is accepted: the worker is not known."""


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
        match = ORIGIN.match(self.address)
        return match[0] if match else ""


class Panel:
    """A panel. Subclasses override what differs from plain invitations."""

    slug: ClassVar[str]
    # As workers know it; empty where it is not one platform.
    name: ClassVar[str] = ""
    # Whether workers come by a link of the platform's, which leads each of them to their place.
    sends_workers: ClassVar[bool] = True
    # Whether it pays the workers whom it sends, once for each session that they complete.
    pays_by_session: ClassVar[bool] = True
    # Whether workers sign in with an account, instead of arriving by an address with their id.
    signs_in: ClassVar[bool] = False

    def visit(self, query: QueryDict, recruitment: Recruitment) -> Visit | Preview | None:
        """The arrival by an address with these parameters; None where the panel has none.

        BadParameter where one of them is missing or invalid.
        """
        return None

    def proves(self, query: QueryDict, visit: Visit, recruitment: Recruitment, host: str) -> bool:
        """Whether the address itself, one of this host, proves that it is the worker. It may ask
        the panel, so it is not called within a transaction."""
        return False

    def placeholders(self, recruitment: Recruitment) -> str | None:
        """The query of the arrival link as researchers enter it at the panel, with the placeholders
        that the panel fills in; None where the panel has no such link."""
        return None

    def frame_origins(self, recruitment: Recruitment) -> tuple[str, ...]:
        """The origins whose pages may show ours in a frame."""
        return recruitment.frame_origins

    def way_back(
        self, recruitment: Recruitment, outcome: VisitOutcome, visit: Visit
    ) -> WayBack | None:
        """How the worker goes back to the panel; None where the code alone is enough."""
        return link_back(recruitment.completion_url, recruitment, outcome, visit)

    def missing(self, recruitment: Recruitment, *, screens_out: bool) -> list[str]:
        """The recruitment keys without which nobody from this panel could be paid."""
        return []


def read_id(query: QueryDict, name: str) -> str:
    """The id in a parameter; BadParameter where it is missing or not an id."""
    values = [value.strip() for value in query.getlist(name)]
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
    template: str, recruitment: Recruitment, outcome: VisitOutcome, visit: Visit
) -> WayBack | None:
    """The link with `{code}`, `{worker}`, `{session}` and `{study}` filled in.

    A link without `{code}` reports completion: it is no way back for any other outcome.
    """
    code = recruitment.codes.get(outcome, "")
    if not template or ("{code}" in template and not code):
        return None
    if "{code}" not in template and outcome != VisitOutcome.COMPLETED:
        return None
    values = {"code": code, **{part: getattr(visit, part) for part in PARTS}}
    names = re.compile(r"\{(" + "|".join(values) + r")\}")
    return WayBack(names.sub(lambda name: quote(values[name[1]], safe=""), template))


def is_origin(text: object) -> bool:
    """Whether a text is scheme, host and perhaps port, and nothing else."""
    return isinstance(text, str) and ORIGIN.fullmatch(text) is not None


def link_or_nothing(text: str) -> str:
    """The text if it is a web address, else empty."""
    return text if LINK.fullmatch(text) else ""
