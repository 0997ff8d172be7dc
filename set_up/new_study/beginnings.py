"""What a new study can begin with: a purpose, with its wording and source, or a bare kind of
question. Each purpose is a file of `purposes/`: what it is for, and keys of a study file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from annotation.models import User
from files.readers.yaml_texts import read_yaml_file
from set_up.steps.defaults import ETHICS, default_text
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES, task_type

# In the order in which they are offered.
PURPOSES = (
    "summaries",
    "direct_assessment",
    "faithful",
    "attribution",
    "preference",
    "errors",
    "quality_ranks",
)


@dataclass(frozen=True)
class Beginning:
    """One of them. about: what it asks, in a line. source: author and year, where it follows a
    published study. keys: of a study file, beside those that all new studies begin with."""

    slug: str
    title: str
    about: str
    keys: Mapping[str, Any]
    source: str = ""


@cache
def purposes() -> tuple[Beginning, ...]:
    """The purposes."""
    return tuple(_read(slug) for slug in PURPOSES)


def _read(slug: str) -> Beginning:
    record = read_yaml_file(Path(__file__).parent / "purposes" / f"{slug}.yaml")
    return Beginning(slug, record["title"], record["about"], record["study"], record["source"])


@cache
def kinds() -> tuple[Beginning, ...]:
    """The kinds of question, each with its own options and instructions."""
    return tuple(_of_kind(kind) for kind in TASK_TYPES)


def _of_kind(kind: TaskType[Any, Any, Any]) -> Beginning:
    blocks = [{"task_type": kind.slug, "options": {}}]
    keys = {"blocks": blocks, "instructions": kind.instructions}
    return Beginning(kind.slug, kind.title, kind.purpose, keys)


def beginning_choices() -> list[tuple[str, str]]:
    """(slug, title) of all, as a field chooses among them."""
    return [(each.slug, each.title) for each in (*purposes(), *kinds())]


def beginning_keys(slug: str, *, by: User) -> dict[str, Any]:
    """The keys of a study with that beginning, with texts and rules to begin with, and the address
    of whoever makes it for questions."""
    begun = next(each for each in (*purposes(), *kinds()) if each.slug == slug)
    return {
        "consent": {"text": default_text("consent"), "version": "1"},
        "debrief": default_text("debrief"),
        "ethics": ETHICS | ({"contact": by.email} if by.email else {}),
        "overlap": 3,
        "rounds": [{"name": "main", "batch": {"normal": 5}, "expected_minutes": 10}],
        **begun.keys,
    }


def asked_in_words(keys: Mapping[str, Any]) -> str:
    """What a draft asks: its kinds of question, each with what it measures; empty where its keys
    do not say it."""
    try:
        return ", then ".join(map(_block_in_words, keys.get("blocks") or ()))
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""


def _block_in_words(block: Mapping[str, Any]) -> str:
    kind = task_type(block["task_type"])
    facets = kind.facets(kind.Options.model_validate(block.get("options", {})))
    return f"{kind.title} ({', '.join(facet.title or facet.name for facet in facets)})"
