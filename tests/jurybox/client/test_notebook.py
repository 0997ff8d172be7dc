"""The notebook of the documentation gives what it shows."""

import os

import polars
import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from api.scopes import Scope
from api.tokens import make_token
from docs.generate import notebook

SCOPES = [Scope.READ, Scope.WRITE, Scope.JUDGES, Scope.EXPORT]


@pytest.mark.usefixtures("worker")
def test_the_notebook_gives_what_it_shows(
    researcher: User, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _row, token = make_token(owner=researcher, name="notebook", scopes=SCOPES, days=1)
    monkeypatch.setenv("JURYBOX_URL", live_server.url)
    monkeypatch.setenv("JURYBOX_TOKEN", token)
    with polars.Config():
        done = notebook.run()
    if os.environ.get("NOTEBOOK") == "write":
        notebook.write(done)
    assert done == notebook.cells()
    assert token not in str(done)
