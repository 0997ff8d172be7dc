"""What every tool keeps to: the folders it may read, whether it may write, how much it says."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp.server.mcpserver.exceptions import ToolError

import jurybox

# A reply has as many signs at most, so that no file or study fills an agent's memory.
MOST_SIGNS = 30_000
READS_ONLY = (
    "This server only reads. Who started it can let it write: jurybox mcp --write. "
    "Ask before you suggest it."
)


@dataclass(frozen=True)
class Door:
    """folders: which may be read, links followed; relative names begin in the first. writes:
    whether tools may start, change or spend something."""

    folders: Sequence[Path]
    writes: bool = False

    def check_writing(self) -> None:
        """ToolError where the server was started to read alone."""
        if not self.writes:
            raise ToolError(READS_ONLY)

    def file(self, name: str) -> Path:
        """A file or a folder that may be read, with no link in its name; ToolError for others."""
        try:
            path = (self.folders[0] / name).resolve()
            is_there = path.exists()
        except (OSError, ValueError, RuntimeError) as error:
            raise ToolError(f"{name[:200]!r} is no name of a file.") from error
        if not self._holds(path):
            allowed = ", ".join(map(str, self.folders))
            raise ToolError(
                f"{name} lies outside of what this server may read: {allowed}. Who started it can "
                "add a folder: jurybox mcp --folder FOLDER"
            )
        if not is_there:
            raise ToolError(f"{name}: no such file")
        if path.is_dir() and (link := self._way_out_of(path)):
            raise ToolError(f"{link} leads out of what this server may read: name files instead.")
        return path

    def _holds(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def _way_out_of(self, folder: Path) -> Path | None:
        """A link to a file elsewhere. No command looks into hidden folders, or behind links to
        folders."""
        for place, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(place, name) for name in names):
                if path.is_symlink() and not self._holds(path.resolve()):
                    return path
        return None


def command(*arguments: str) -> Sequence[str]:
    """A command of this program. -P: no module that lies in the folder of a user is taken for one
    of ours."""
    return [sys.executable, "-P", "-m", "jurybox", *arguments]


def environment() -> Mapping[str, str]:
    """What a command is told: where the program is; nothing of a server and its token."""
    folder = str(Path(jurybox.__file__).resolve().parent.parent)
    kept = {name: value for name, value in os.environ.items() if name != "JURYBOX_TOKEN"}
    return {**kept, "PYTHONPATH": folder}


def options(**named: object) -> Sequence[str]:
    """`--name=value` for each that says something: a value can never be an option itself."""
    said = []
    for name, value in named.items():
        values = value if isinstance(value, list) else [value]
        said += [f"--{name.replace('_', '-')}={each}" for each in values if each not in ("", None)]
    return said


def bounded(text: str) -> str:
    """A reply, cut where it would be too long, and said to be."""
    if len(text) <= MOST_SIGNS:
        return text
    return f"{text[:MOST_SIGNS]}\n… cut here: {len(text):,} signs in all. Ask for a smaller part."
