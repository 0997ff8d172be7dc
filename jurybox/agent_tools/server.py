"""The server of tools that a coding agent starts and talks with over standard input and output."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from jurybox import __version__
from jurybox.agent_tools import SKILL
from jurybox.agent_tools.door import Door
from jurybox.agent_tools.files import FileTools
from jurybox.agent_tools.markings import Markings
from jurybox.agent_tools.studies import StudyTools


def make_server(door: Door) -> MCPServer[Any]:
    """A server with every tool; those that write refuse where the door is to read alone."""
    markings = Markings()

    @asynccontextmanager
    async def lifespan(_server: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            markings.end()

    server: MCPServer[Any] = MCPServer(
        "jurybox",
        version=__version__,
        instructions=SKILL.read_text(encoding="utf-8").split("---\n", 2)[-1].strip(),
        lifespan=lifespan,
        log_level="WARNING",
        subscriptions=False,
    )
    files, studies = FileTools(door, markings), StudyTools(door)
    reading: list[Callable[..., Any]] = [
        *(files.check, files.marks, studies.list_studies, studies.results, studies.judge_runs)
    ]
    for tool in reading:
        server.add_tool(tool, annotations=_told(reads=True), structured_output=False)
    for tool in (files.mark, studies.run_judge):
        server.add_tool(tool, annotations=_told(reads=False), structured_output=False)
    return server


def serve(door: Door) -> None:
    """Serve over standard input and output, until the input ends."""
    anyio.run(make_server(door).run_stdio_async)


def _told(*, reads: bool) -> ToolAnnotations:
    return ToolAnnotations(read_only_hint=reads, destructive_hint=False)
