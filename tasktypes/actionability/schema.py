"""What an actionability question and its answer consist of."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
)

from tasktypes.facets import FacetName
from tasktypes.prepared_lists import Number, check_once
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import Surroundings
from tasktypes.texts.written import InSentences

Yes = Annotated[bool, Field(strict=True)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
LinkScore = Literal["tiers", "weighted"]


def _address(link: str) -> str:
    """A page on the web: what workers are to open is never a script or a file."""
    try:
        parts = urlsplit(link)
        host = parts.hostname
    except ValueError as error:
        raise ValueError("not an address of the web") from error
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() for c in link):
        raise ValueError("not an address of the web (http:// or https://)")
    return link


Link = Annotated[str, Field(max_length=2000), AfterValidator(_address)]


_LINK = TypeAdapter[str](Link)


def is_link(text: str) -> bool:
    """Whether a question may hold it as a link."""
    try:
        _LINK.validate_python(text)
    except ValidationError:
        return False
    return True


class FactualError(Schema):
    """Something false in the claim: where it stands, why it is false, and what is right."""

    sentence: Words
    reason: Words
    correction: Words


class Options(Schema):
    """What a study may set."""

    link_score: LinkScore = "tiers"
    """How the answers about links make their part."""
    compared_with: tuple[FacetName, ...] = ()
    """Facets of other blocks that a judge's score by this rubric is compared with, such as people's
    holistic score."""


class Payload(InSentences, Surroundings):
    """An explanation, what is false in its claim, and the links that the explanation gives."""

    sentences: Annotated[tuple[str, ...], Field(min_length=1)]
    errors: tuple[FactualError, ...]
    links: tuple[Link, ...]
    link_score: LinkScore

    @field_validator("links")
    @classmethod
    def _each_once(cls, links: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(links)) < len(links):
            raise ValueError("a link occurs twice")
        return links


class ErrorAnswer(Schema):
    """About one error: does the explanation point it out, does it give the correction?"""

    error: Number
    points_out: Yes
    corrects: Yes


class LinkAnswer(Schema):
    """About one link: is there such a page, is it about this, does it support the correction?"""

    link: Number
    exists: Yes
    relevant: Yes
    supports: Yes


class Answer(Schema):
    """The rubric filled in: every error and every link, numbered from 0, ascending."""

    errors: tuple[ErrorAnswer, ...]
    links: tuple[LinkAnswer, ...]

    @field_validator("errors")
    @classmethod
    def _errors_in_order(cls, errors: tuple[ErrorAnswer, ...]) -> tuple[ErrorAnswer, ...]:
        ordered = tuple(sorted(errors, key=lambda error: error.error))
        check_once("error", [error.error for error in ordered])
        return ordered

    @field_validator("links")
    @classmethod
    def _links_in_order(cls, links: tuple[LinkAnswer, ...]) -> tuple[LinkAnswer, ...]:
        ordered = tuple(sorted(links, key=lambda link: link.link))
        check_once("link", [link.link for link in ordered])
        return ordered
