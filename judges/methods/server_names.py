"""Parameters that name something of the server, marked in their type.

A method that opens a file or a folder by a parameter declares the parameter with one of these
types. Whoever is not trusted with the server's files may not set it (`judges.definitions.trust`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from tasktypes.schemas import Schema

# A commit, branch or tag on the hub, or a folder's fingerprint: no part leads out of a folder.
_REVISION = r"^(sha256:[0-9a-f]{64}|[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)?$"


@dataclass(frozen=True)
class OfServer:
    """What the value names: a file, or a model, which is a folder unless it has the form of a name
    on the hub."""

    kind: Literal["file", "model"]


ServerFile = Annotated[str, OfServer("file")]
LocalModel = Annotated[str, OfServer("model"), Field(max_length=200)]
Revision = Annotated[str, Field(max_length=200, pattern=_REVISION)]


def server_names(schema: type[Schema]) -> dict[str, OfServer]:
    """The marked parameters of a schema, by name."""
    return {
        name: mark
        for name, field in schema.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, OfServer)
    }
