"""What the page of the client shows, done as it is written."""

import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Study, User
from api.scopes import Scope
from api.tokens import make_token
from docs.generate.pages import DOCS


def blocks(page: str, number: int) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    listed = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(listed) == number
    return listed


@pytest.mark.usefixtures("worker")
def test_the_page_of_the_client_runs_as_it_is_written(
    researcher: User,
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _row, token = make_token(owner=researcher, name="docs", scopes=list(Scope), days=1)
    monkeypatch.setenv("JURYBOX_URL", live_server.url)
    monkeypatch.setenv("JURYBOX_TOKEN", token)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks("client.md", 5):
        exec(block, names)
    names["client"].close()
    printed = capsys.readouterr().out
    assert names["alpha"]["n_units"].to_list() == [4]
    assert "\n275 275\n" in printed
    assert "422 Unprocessable Entity\noverlap " in printed
    assert (tmp_path / "fact-checks.zip").is_file()
    assert Study.objects.get(slug="rain").title == "Rain, second version"


@pytest.mark.usefixtures("worker")
def test_a_whole_study_runs_by_http_alone_as_the_page_of_the_api_has_it(
    researcher: User,
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _row, token = make_token(owner=researcher, name="docs", scopes=list(Scope), days=1)
    monkeypatch.setenv("JURYBOX", f"{live_server.url}/api/v1")
    monkeypatch.setenv("TOKEN", token)
    names: dict[str, Any] = {}
    for block in blocks("api.md", 1):
        exec(block, names)
    names["server"].close()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["4", "complete 2"]
    assert "humans~lexical 1.0" in lines
    assert lines[-1].endswith(" bytes")
