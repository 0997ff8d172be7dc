"""Which request, job and run the work under way belongs to."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_ids: ContextVar[Mapping[str, str]] = ContextVar("ids", default={})  # noqa: B039 (never changed)


def new_id() -> str:
    """A new id for a request."""
    return secrets.token_hex(8)


@contextmanager
def bound(**ids: object) -> Iterator[None]:
    """Have all lines of the log within carry these ids, beside those that are bound already."""
    token = _ids.set({**_ids.get(), **{name: str(value) for name, value in ids.items()}})
    try:
        yield
    finally:
        _ids.reset(token)


def current() -> Mapping[str, str]:
    """The ids by name, such as `request`, `job`, `run`."""
    return _ids.get()
