"""`jurybox mcp` as a coding agent meets it: a process, by the protocol's own client."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from django.conf import settings
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from pytest_django.live_server_helper import LiveServer

from annotation.models import Member
from api.scopes import Scope
from api.tokens import make_token
from desk.management.commands.mcp import NEEDED
from estimates.report.recount import recount
from jurybox.agent_tools import SKILL
from jurybox.agent_tools.door import MOST_SIGNS, bounded
from marking.plans import Plan
from tests.cast import join, make_user
from tests.label_table.tables import wide
from tests.marking.files import marked_study, some_verdicts
from tests.marking.files import write_table as write_files
from tests.marking.people import mark_all
from tests.services.ports import free_port

Ask = Callable[..., Coroutine[Any, Any, tuple[bool, str]]]
READ = {"check", "marks", "list_studies", "results", "judge_runs"}
WRITE = {"mark", "run_judge"}


@asynccontextmanager
async def agent(folder: Path, *options: str, **told: str) -> AsyncIterator[tuple[Client, Ask]]:
    """A session, and how a tool is called: whether it refused, and what it said."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "jurybox", "mcp", *options],
        env={"PYTHONPATH": str(settings.BASE_DIR), **told},
        cwd=folder,
    )
    async with Client(server) as client:

        async def ask(tool: str, **arguments: object) -> tuple[bool, str]:
            result = await client.call_tool(tool, arguments)
            (content,) = result.content
            assert isinstance(content, TextContent)
            return bool(result.is_error), content.text

        yield client, ask


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    wide(place, human_1="yynn" * 6, human_2="yynn" * 6, gpt="ynnn" * 6)
    wide(tmp_path, human_1="yynn" * 6, gpt="ynnn" * 6).rename(tmp_path / "secret.csv")
    return place


def test_files_beneath_the_folder_are_checked_and_no_others(folder: Path) -> None:
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")

    async def session() -> None:
        async with agent(folder) as (client, ask):
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(listed) == READ | WRITE
            hints = {name: tool.annotations for name, tool in listed.items()}
            assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == READ
            assert "Is the judge right?" in (client.instructions or "")

            refused, said = await ask("check", files=["labels.csv"])
            assert (refused, "Can gpt stand in?: " in said) == (False, True), said
            refused, said = await ask("check", files=["labels.csv"], human=["nobody"])
            assert (refused, "nobody" in said) == (True, True), said
            for outside in ("../secret.csv", "link.csv", "/etc/hostname", ".", "\0"):
                refused, said = await ask("check", files=[outside])
                assert refused, said
                assert "outside of what" in said or "leads out of" in said or "no name" in said
            refused, said = await ask("check", files=["--html=made.html"])
            assert (refused, "no such file" in said) == (True, True)

            refused, said = await ask("mark", file="labels.csv")
            assert (refused, "only reads" in said) == (True, True)
            refused, said = await ask("run_judge", study="any", judge="any", max_cost=1)
            assert (refused, "only reads" in said) == (True, True)
            refused, said = await ask("marks", file="labels.csv")
            assert (refused, "Nobody has begun to mark" in said) == (True, True)
            refused, said = await ask("list_studies")
            assert (refused, "set JURYBOX_TOKEN" in said) == (True, True)

    anyio.run(session)
    assert sorted(path.name for path in folder.iterdir()) == ["labels.csv", "link.csv"]


def test_results_of_a_study_come_with_their_intervals_and_no_more_than_asked(
    transactional_db: None, live_server: LiveServer, tmp_path: Path
) -> None:
    researcher = make_user("researcher")
    study = marked_study(
        write_files(tmp_path / "results.csv", some_verdicts(30)), Plan(people=2, texts=20)
    )
    mark_all(study, lambda _member, _unit: "pass")
    join(study, researcher, Member.Role.OWNER)
    recount(study=study)
    people = study.annotations.filter(rater__kind="human").values_list("question_id", flat=True)
    doubled = len(people) - len(set(people))
    _row, token = make_token(owner=researcher, name="agent", scopes=tuple(Scope), days=1)
    told = {"JURYBOX_URL": live_server.url, "JURYBOX_TOKEN": token}

    async def session() -> None:
        async with agent(tmp_path, **told) as (_client, ask):
            refused, said = await ask("list_studies")
            assert (refused, [row["slug"] for row in json.loads(said)]) == (False, ["mark"])
            wanted = {"metric": "raw_agreement", "raters": "humans", "group": ""}
            refused, said = await ask("results", study="mark", **wanted)
            assert [(row["value"], row["n_units"]) for row in json.loads(said)] == [(1.0, doubled)]
            refused, said = await ask("results", study="mark", most=1)
            assert (refused, said.endswith("\n(the first 1; there are more)")) == (False, True)
            for nowhere in ("none", "../../account/webhook", "9" * 99):
                refused, said = await ask("results", study=nowhere)
                assert (refused, "404" in said) == (True, True)
            refused, said = await ask("results", study="9" * 5_000)
            assert refused

    anyio.run(session)


@pytest.mark.slow
def test_with_write_people_mark_until_the_server_ends(
    put_migrated_database: Callable[[Path], None], tmp_path: Path
) -> None:
    write_files(tmp_path / "results.csv", some_verdicts(20))
    (tmp_path / "results.csv.marks").mkdir()
    put_migrated_database(tmp_path / "results.csv.marks")
    port = free_port()
    browse = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open

    async def session() -> str:
        async with agent(tmp_path, "--write") as (_client, ask):
            asked = {"file": "results.csv", "judge": "verdict", "texts": 8}
            refused, said = await ask("mark", **asked, port=port)
            assert (refused, "password" in said) == (False, False), said
            (link,) = re.findall(r"Mark at +(http\S+)", said)
            with browse(link) as page:
                assert b"Marks for results.csv" in page.read()
            refused, said = await ask("marks", file="results.csv")
            assert refused or json.loads(said)["marks"] == 0
        return str(link)

    link = anyio.run(session)
    with pytest.raises(urllib.error.URLError):
        browse(link)


def test_the_skill_is_printed_and_the_extra_is_asked_for_where_it_is_missing() -> None:
    def run(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
        code = f"import sys; {before}sys.argv = {['jurybox', *arguments]}; "
        return subprocess.run(
            [sys.executable, "-c", f"{code}from jurybox.launcher import main; main()"],
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("mcp", "--skill").stdout == SKILL.read_text(encoding="utf-8")
    done = run("mcp", before="sys.modules['mcp'] = None; ")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"CommandError: {NEEDED}\n")


def test_a_long_reply_is_cut_and_says_so() -> None:
    said = bounded("x" * (MOST_SIGNS + 1))
    assert len(said) < MOST_SIGNS + 100
    assert said.endswith(f"cut here: {MOST_SIGNS + 1:,} signs in all. Ask for a smaller part.")
