"""Tools about files on this machine: labels are checked, outputs are marked by people."""

import subprocess
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Literal

import anyio
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from jurybox.agent_tools.door import Door, bounded, command, environment, options
from jurybox.agent_tools.markings import Markings

# Seconds after which a check is given up.
LONGEST_S, CHECKS_AT_ONCE = 300.0, 2
Names = Annotated[list[str], Field(max_length=50)]
Name = Annotated[str, Field(max_length=300)]


class FileTools:
    """Tools over `jurybox check` and `jurybox mark`, which run as processes of their own."""

    def __init__(self, door: Door, markings: Markings) -> None:
        self._door, self._markings = door, markings
        self._at_once = anyio.Semaphore(CHECKS_AT_ONCE)

    async def check(
        self,
        files: Names,
        *,
        judge: Names = [],  # noqa: B006 (nobody changes it, and the schema shows it)
        human: Names = [],  # noqa: B006
        criterion: Name = "",
        unit: Name = "",
        decide: Names = [],  # noqa: B006
        made_by: Names = [],  # noqa: B006
        form: Literal["text", "markdown", "json"] = "text",
    ) -> str:
        """Say how far a judge can be trusted beside people's labels, from results of an evaluation
        tool (promptfoo, inspect_ai, MLflow, Langfuse, DeepEval, lm-evaluation-harness, OpenAI
        evals, Ragas) or any table. Nothing is written.

        files: files or one folder; "." for what lies in the folder. judge, human: columns or raters
        of each, where names do not tell. criterion: one alone, of several. unit: the column of
        units. decide: answers to open questions, QUESTION=CHOICE as the refusal names them.
        made_by: who made labels, NAME=person|people|model|unknown. Where a question is open the
        tool fails and says the options: ask the user, do not guess.
        """
        named = self._named(files)
        self._check_settings()
        said = options(
            judge=judge,
            human=human,
            criterion=criterion,
            unit=unit,
            decide=decide,
            made_by=made_by,
        )
        forms = [] if form == "text" else [f"--{form}"]
        return await self._run("check", *said, *forms, "--", *named)

    async def marks(self, file: Name) -> str:
        """Say what people have marked of a file so far, as JSON: agreement of judge and people,
        people among themselves, recall by label, each with its range. `null` where nothing can be
        said yet, with the reason in `undefined`."""
        path = self._door.file(file)
        report = path.with_name(f"{path.name}.marks") / "report.json"
        if not report.is_file():
            raise ToolError(f"Nobody has begun to mark {file}: the tool `mark` lets people do so.")
        text = self._door.file(str(report)).read_text(encoding="utf-8", errors="replace")
        return bounded(text)

    async def mark(
        self,
        file: Name,
        *,
        judge: Name = "",
        criterion: Name = "",
        question: Annotated[str, Field(max_length=2_000)] = "",
        threshold: float | None = None,
        people: Annotated[int, Field(ge=1, le=100)] = 1,
        texts: Annotated[int, Field(ge=1, le=10_000)] | None = None,
        more: Annotated[int, Field(ge=0, le=10_000)] = 0,
        port: Annotated[int, Field(ge=1, le=65_535)] | None = None,
        decide: Names = [],  # noqa: B006
    ) -> str:
        """Open pages on this machine on which people mark a sample of a file's outputs without
        seeing the judge; the links that they open. Writes a folder FILE.marks beside the file and
        runs until this server ends; a later call goes on. Hand the links to the user: marks have
        to be a person's, never yours.

        judge, criterion: which verdicts, where there are several. threshold: of a judge that gives
        numbers, from which on a text is good. people: how many mark. texts: how many are drawn at
        first. more: draw as many more. Where a question is open the tool fails and says the
        options.
        """
        self._door.check_writing()
        path = self._door.file(file)
        said = options(
            judge=judge,
            criterion=criterion,
            question=question,
            threshold=threshold,
            people=people,
            texts=texts,
            more=more or None,
            port=port,
            decide=decide,
        )
        return bounded(await self._markings.open(path, said))

    def _named(self, files: Sequence[str]) -> list[str]:
        """The files as the command is told them, from the folder that it runs in."""
        top = self._door.folders[0]
        if not files:
            raise ToolError('Name the files, or "." for what lies in the folder.')
        paths = [self._door.file(name) for name in files]
        return [str(path.relative_to(top) if path.is_relative_to(top) else path) for path in paths]

    def _check_settings(self) -> None:
        """ToolError where options that are kept in the folder name a file elsewhere."""
        if (self._door.folders[0] / "jurybox.toml").exists():
            text = self._door.file("jurybox.toml").read_text(encoding="utf-8", errors="replace")
            with suppress(tomllib.TOMLDecodeError, AttributeError):  # which `check` tells
                if reading := tomllib.loads(text).get("check", {}).get("reading"):
                    self._door.file(str(reading))

    async def _run(self, *arguments: str) -> str:
        """What a command prints; ToolError with its sentence where it ends otherwise."""
        try:
            async with self._at_once:
                with anyio.fail_after(LONGEST_S):
                    done = await anyio.run_process(
                        command(*arguments),
                        stdin=subprocess.DEVNULL,
                        cwd=self._door.folders[0],
                        env=environment(),
                        check=False,
                    )
        except TimeoutError:
            raise ToolError(f"Given up after {LONGEST_S:.0f} seconds: name fewer files.") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").removeprefix("CommandError: ")
            raise ToolError(bounded(said.strip()))
        return bounded(done.stdout.decode(errors="replace"))
