"""The version of the code that a run was made with."""

from functools import cache
from pathlib import Path

from django.conf import settings

from jurybox import __version__

_ROOT = Path(__file__).resolve().parents[2]
_SHORT = 12


@cache
def code_version() -> str:
    """The program's version, with the commit where an image or a git checkout has it."""
    commit = settings.COMMIT or commit_of(_ROOT / ".git")
    return f"{__version__}+{commit[:_SHORT]}" if commit else __version__


def commit_of(git: Path) -> str:
    """The checked-out commit, read from git's own files; empty where there are none."""
    head = _text(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    return _text(git / name) or _packed(git, name)


def _packed(git: Path, name: str) -> str:
    for line in _text(git / "packed-refs").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
