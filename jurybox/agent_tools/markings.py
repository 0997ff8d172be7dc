"""Markings that run beside the server: each a process of `jurybox mark`, ended with the server."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import anyio
from mcp.server.mcpserver.exceptions import ToolError

from jurybox.agent_tools.door import command, environment

# Seconds for the pages to come up: the first start makes a database.
STARTS_S, ENDS_S, LOOK_S = 240.0, 15.0, 0.1
# The last line that is printed before people can begin.
UP = "Ctrl-C stops"
MOST_AT_ONCE = 4


@dataclass
class _Marking:
    process: subprocess.Popen[bytes]
    # A file, since a pipe that nobody reads stops the process.
    output: IO[bytes]

    def said(self) -> str:
        size = os.fstat(self.output.fileno()).st_size
        return os.pread(self.output.fileno(), size, 0).decode(errors="replace")


@dataclass
class Markings:
    """Those that run, by their files."""

    _running: dict[Path, _Marking] = field(default_factory=dict)

    async def open(self, file: Path, options: Sequence[str]) -> str:
        """The lines with links. ToolError with what the command says where it ends at once."""
        marking = self._running.get(file)
        if marking is None or marking.process.poll() is not None:
            marking = self._start(file, options)
        elif options != ["--people=1"]:
            raise ToolError(f"{file.name} is being marked already: stop the server to change it.")
        with anyio.move_on_after(STARTS_S):
            while marking.process.poll() is None:
                if UP in (said := marking.said()):
                    return _without_account(said)
                await anyio.sleep(LOOK_S)
        _end(marking)
        self._running.pop(file, None)
        said = marking.said().strip().removeprefix("CommandError: ")
        raise ToolError(_without_account(said) or "The pages did not come up.")

    def end(self) -> None:
        """End all; what was marked is kept."""
        while self._running:
            _end(self._running.popitem()[1])

    def _start(self, file: Path, options: Sequence[str]) -> _Marking:
        if len(self._running) >= MOST_AT_ONCE:
            raise ToolError(f"{MOST_AT_ONCE} files are being marked: no more run at once.")
        output = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the marking)
        process = subprocess.Popen(
            command("mark", str(file), "--no-browser", *options),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=file.parent,
            env=environment(),
        )
        self._running[file] = _Marking(process, output)
        return self._running[file]


def _end(marking: _Marking) -> None:
    marking.process.terminate()
    try:
        marking.process.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        marking.process.kill()


def _without_account(said: str) -> str:
    """A password is for the person at this machine, who makes one by `jurybox password_link`."""
    return "\n".join(line for line in said.splitlines() if "password" not in line)
