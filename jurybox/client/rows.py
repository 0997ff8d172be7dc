"""Rows as the server sends them. All that they hold is in the API's own pages, `/api/v1/docs/`."""

from typing import Any, Literal, TypedDict

Row = dict[str, Any]
Collection = Literal[
    "sources",
    "items",
    "units",
    "unit-actions",
    "unit-views",
    "controls",
    "lists",
    "questions",
    "answers",
    "raters",
    "rounds",
    "judges",
    "runs",
    "looks",
    "versions",
    "calls",
    "writings",
    "reviews",
    "workers",
    "exclusions",
    "cases",
    "gold",
    "jobs",
    "alerts",
    "members",
    "colleagues",
    "results-links",
    "registrations",
    "problems",
    "events",
    "invitations",
    "exports",
]


class Run(TypedDict):
    """A run of a judge. n_calls: how many requests it makes to a model, and n_done: how many of
    them are done. spent, max_cost: in USD, as text. probe: whether it asks a probe set
    again, so that its answers are part of no result."""

    id: int
    judge: str
    subset: str
    probe: bool
    blocks: list[str]
    replicates: int
    seed: int
    state: Literal["planning", "running", "paused", "cancelled", "complete", "partial", "failed"]
    reason: str
    n_calls: int
    n_done: int
    max_cost: str | None
    spent: str
    code_version: str
    created_at: str
    ended_at: str | None


class Job(TypedDict):
    """Background work. said: what was done, or why nothing was, in a sentence."""

    id: int
    kind: str
    title: str
    about: str
    state: Literal["queued", "running", "done", "failed", "cancelled", "withdrawn"]
    reason: str
    said: str
    asked_at: str
    ended_at: str | None


class Export(TypedDict):
    """An export that a worker writes. lines: written so far. size: of its file, in bytes."""

    id: int
    format_name: str
    choice: dict[str, Any]
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    reason: str
    lines: int
    size: int | None
    asked_at: str
    ended_at: str | None
    file: str | None
