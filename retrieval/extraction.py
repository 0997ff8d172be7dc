"""Extract texts in a process of their own, within a limit of time that holds for any page: what is
read there was written by strangers."""

import math
import os
from dataclasses import dataclass
from pathlib import Path

from files.errors import ImportFailure
from imports.sandbox.calls import Sandbox
from imports.sandbox.limits import Limits
from retrieval.article import extracted
from retrieval.pdf import Unreadable

# How much memory it may take, on systems that can limit that.
_MEMORY = 2 * 1024**3
# trafilatura is loaded before the first page, whose time is limited.
_SERVE = "import trafilatura; from imports.sandbox.process import main; main(is_loaded=False)"
# What the process gets of the environment: no keys of providers.
_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "SYSTEMROOT")


@dataclass(frozen=True)
class _PageLimits(Limits):
    """Limits by the clock: the time to retrieve a page runs meanwhile."""

    seconds: float = 0.0

    @property
    def silence(self) -> float:
        return self.seconds


class TextExtraction:
    """A process that extracts texts, one at a time."""

    def __init__(self) -> None:
        self.sandbox = Sandbox(_SERVE, _environment, at_once=1)

    def extracted(
        self, body: bytes, *, content_type: str, url: str, seconds: float
    ) -> tuple[str, str]:
        """Title and text of a page, as `retrieval.article.extracted` has them.

        Unreadable where that takes longer than so many seconds, too much memory, or fails.
        """
        limits = _PageLimits(_MEMORY, max(math.ceil(seconds), 0), seconds)
        try:
            title, text, problem = self.sandbox.call(
                _read, Path("page"), body, content_type, url, limits=limits
            )
        except (ImportFailure, OSError) as error:
            is_late = isinstance(error, ImportFailure) and error.reason == limits.too_long
            what = "takes too long" if is_late else "fails"
            raise Unreadable(f"to extract its text {what}") from error
        if problem:
            raise Unreadable(problem)
        return title, text


def _read(_file: Path, body: bytes, content_type: str, url: str) -> tuple[str, str, str]:
    """Title, text, and why there is none."""
    try:
        return *extracted(body, content_type=content_type, url=url), ""
    except Unreadable as error:
        return "", "", str(error)


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}


# For all pages of this process, because it takes a second to start.
SHARED = TextExtraction()
