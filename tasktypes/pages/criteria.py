"""Criteria: the qualities that one page asks about side by side, one facet each."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import Field

from tasktypes.facets import FacetName
from tasktypes.schemas import Schema

CriterionKey = FacetName


class Criterion(Schema):
    """One quality that is asked about."""

    key: CriterionKey
    """Short name, used in exports, in small letters, digits and underscores."""
    question: str = Field(min_length=1)
    """What people are asked."""
    title: str = Field(default="", title="Name")
    """What people read in place of the key."""
    definition: str = ""
    """What is meant by it."""
    example: str = ""
    """Of a text that has or lacks it."""

    @property
    def name(self) -> str:
        """What people read in place of the key."""
        return self.title or self.key.replace("_", " ").capitalize()


def check_distinct(criteria: Sequence[Criterion]) -> None:
    """ValueError where two criteria share a key."""
    keys = [criterion.key for criterion in criteria]
    if len(set(keys)) < len(keys):
        raise ValueError("criteria: a key occurs twice")


def check_complete(field: str, answered: Mapping[str, Any], keys: Collection[str]) -> None:
    """ValueError('field: reason') where an answer lacks a criterion or has one too many."""
    for key in keys:
        if key not in answered:
            raise ValueError(f"{field}.{key}: missing")
    for key in answered:
        if key not in keys:
            raise ValueError(f"{field}.{key}: there is no such criterion in this question")
