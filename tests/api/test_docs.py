"""What the documentation of the API and of webhooks shows, done as it is written."""

import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from alerts.webhooks import signature
from annotation.models import Annotation, Study, User
from api.scopes import Scope
from api.tokens import make_token

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.django_db(transaction=True)
def test_the_first_minute_and_the_two_editors_run_as_they_are_written(
    live_server: LiveServer, owner: User, tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl here")
    _token, secret = make_token(owner=owner, name="docs", scopes=list(Scope), days=1)
    first, editing = blocks("api.md", "sh")
    script = "\n".join(["set -e", first, editing]).replace(
        "export JURYBOX=http://localhost:8000/api/v1 TOKEN=jbx_…", ""
    )
    environment = {"JURYBOX": f"{live_server.url}/api/v1", "TOKEN": secret, "PATH": "/usr/bin:/bin"}
    script = re.sub(r"curl ", "curl -sf --noproxy '*' ", script)
    done = subprocess.run(
        ["bash", "-c", script], env=environment, cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    study = Study.objects.get(slug="first")
    assert study.title == "First study"
    assert Annotation.objects.get(study=study).answer["value"] == 40
    assert b'"applied":true' in done.stdout


def test_the_check_of_a_signature_takes_genuine_messages_alone() -> None:
    (code,) = blocks("webhooks.md", "python")
    assert len(code.strip().splitlines()) <= 10
    names: dict[str, Any] = {}
    exec(code, names)
    is_genuine, now = names["is_genuine"], int(time.time())
    body = b'{"id":"1"}'
    header = signature(signing=["s3"], body=body, at=now)
    assert is_genuine(header, body, ["s3"])
    assert not is_genuine(header, body + b" ", ["s3"])
    assert not is_genuine(header, body, ["another"])
    assert not is_genuine(signature(signing=["s3"], body=body, at=now - 600), body, ["s3"])
    both = signature(signing=["new", "old"], body=body, at=now)
    assert [is_genuine(both, body, secrets) for secrets in (["old"], ["new"], ["s3"], [])] == [
        *(True, True, False, False)
    ]
    assert is_genuine(header, body, ["new", "s3"])
    assert not is_genuine("nonsense", body, ["s3"])
    assert not is_genuine("t=1,v1=\u00e9", body, ["s3"])
