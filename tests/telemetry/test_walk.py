"""What stands in the logs of real processes after a worker, a judge, an import, mail, webhooks and
a company sign-on were there, and failed."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from django.conf import settings

from tests.services.endpoint import KEY, Behaviour, serving
from tests.services.mail_server import mail_server
from tests.services.ports import free_port

SECONDS = 120
PANEL_ID, SESSION = "5f2a0c1d9e8b7a6f5e4d3c2b", "sessionofthepanel77"
TYPED, TEXT = "a problem that somebody described", "carried traffic all year"
ADDRESS, HOOK, CODE = "ann.owner@lab.example", "path-of-a-hook-77", "code-of-a-provider-77"
OIDC_SECRET = "secret-of-a-provider-77"
PREPARE = """
import json
import sys
import django
django.setup()
from api.scopes import Scope
from api.tokens import make_token
from annotation.entry.invitations import invite
from alerts.models import Subscription
from alerts.webhooks import set_webhook
from annotation.models import Member, Study, User
from django.utils import timezone
from judges.definitions.versions import define_judge
from tests.cast import join, make_study, make_user
study, owner = make_study("small", overlap=3), make_user("owner")
join(study, owner, Member.Role.OWNER)
Study.objects.update(recruitment={"panel": "prolific", "completion_code": "DONE1",
                                  "screenout_code": "OUT2", "return_code": "BACK3"})
define_judge(study=study, name="asked", method="zero_shot", backend="chat",
             model="model-of-the-tests", parameters={})
User.objects.filter(pk=owner.pk).update(email=sys.argv[1])
member = study.members.get(user=owner)
Subscription.objects.create(member=member, by_email=True, without=[])
hook = set_webhook(of=study, url=sys.argv[2], by=owner, now=timezone.now())
invitation = invite(study=study, created_by=None)
_token, secret = make_token(owner=owner, name="t", scopes=list(Scope), days=1)
print(json.dumps({"invitation": invitation.token, "api": secret, "hook": hook.secret}))
"""
ANNOUNCE = """
import sys
import time
import django
django.setup()
from django.utils import timezone
from alerts.announcements import announce
from alerts.models import Alert, Delivery
from annotation.models import Study
now = timezone.now()
study, told = Study.objects.get(), sys.argv[1]
alert = Alert.objects.create(study=study, kind="judges", message=told, since=now)
assert len(announce(alert=alert, event=Delivery.Event.OPENED, now=now)) == 2
until = time.monotonic() + 90
while Delivery.objects.filter(job__reason="").exists():
    assert time.monotonic() < until
    time.sleep(0.2)
"""
BREAK = """
import hashlib
import sys
import time
import django
django.setup()
from annotation.models import User
from imports import uploads
from jobs.models import Job
from jobs.queue import ask
from set_up.imports.jobs import IMPORT
typed, *formats = sys.argv[1:]
broken = ('{"source": "' + typed).encode()
digest = hashlib.sha256(broken).hexdigest()
folder = uploads._root()
folder.mkdir(parents=True, exist_ok=True)
(folder / digest).write_bytes(broken)
for format_name in formats:
    ask(IMPORT, by=User.objects.get(), about=format_name, parameters={
        "draft": None, "title": typed, "format_name": format_name,
        "keys": {"title": typed, "slug": "broken"}, "files": {"table.jsonl": digest},
        "skip_unusable": False})
until = time.monotonic() + 90
while Job.objects.filter(kind="import", attempt=0).exists():
    assert time.monotonic() < until
    time.sleep(0.2)
time.sleep(2)
print(list(Job.objects.filter(kind="import").order_by("pk").values_list("state", "reason")))
"""


class Installation:
    """A web server and a worker of their own, and the file of each one's log."""

    def __init__(self, folder: Path, form: str, endpoint: str, **settings: str) -> None:
        kept = {name: os.environ[name] for name in os.environ if name not in ("DATABASE_URL",)}
        self.folder, self.port = folder, free_port()
        self.environment = (
            kept
            | settings
            | {
                "JURYBOX_DATA": str(folder),
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "BROKER_URL": "filesystem://",
                "LOG_FORMAT": form,
                "OPENAI_BASE_URL": endpoint,
                "OPENAI_API_KEY": KEY,
                "WEB_CONCURRENCY": "1",
                "DEBUG": "true",  # static files without collecting them
            }
        )
        self.url = f"http://127.0.0.1:{self.port}"

    def python(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], env=self.environment, cwd=settings.BASE_DIR,
            capture_output=True, text=True, check=False, timeout=SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running(self) -> Iterator[None]:
        serve = ["gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{self.port}"]
        commands = {
            "web": [*serve, "--config", "python:config.web_server"],
            "worker": ["celery", "-A", "config", "worker", "--concurrency", "1", "-l", "INFO"],
        }
        processes = []
        for name, command in commands.items():
            with (self.folder / f"{name}.log").open("wb") as log:
                started = [sys.executable, "manage.py", *command]
                processes.append(
                    subprocess.Popen(
                        started, env=self.environment, cwd=settings.BASE_DIR, stdout=log, stderr=log
                    )
                )
        try:
            self._await(self._ready)
            yield
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(SECONDS)

    def _ready(self) -> bool:
        try:
            return bool(httpx2.get(f"{self.url}/readyz").status_code == 200)
        except httpx2.HTTPError:
            return False

    def _await(self, holds: Callable[[], bool]) -> None:
        until = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < until, self.log()
            time.sleep(0.2)

    def log(self) -> str:
        return "".join((self.folder / f"{name}.log").read_text() for name in ("web", "worker"))


def field(page: httpx2.Response, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]*value="([^"]*)"', page.text)
    assert found is not None, page.text
    return found[1]


def post(client: httpx2.Client, page: httpx2.Response, path: str = "", **data: Any) -> Any:
    data["csrfmiddlewaretoken"] = field(page, "csrfmiddlewaretoken")
    reply = client.post(path or str(page.url), data=data, headers={"Referer": str(page.url)})
    assert reply.status_code < 400, (reply.status_code, reply.text)
    return reply


def walk(url: str) -> list[str]:
    """A worker comes by the panel, agrees, answers, reports a problem, and looks at their data.
    What nobody else may know of it."""
    ids = {"PROLIFIC_PID": PANEL_ID, "STUDY_ID": "6b", "SESSION_ID": SESSION}
    with httpx2.Client(base_url=url, follow_redirects=True) as client:
        client.get("/arrive/small/prolific/", params=ids)
        client.post("/arrive/small/prolific/", params=ids)
        page = client.get("/work/small/consent/")
        page = post(client, page, text_hash=field(page, "text_hash"), of_age="on", agree="on")
        page = post(client, page, "/work/small/start/")
        batch = str(page.url).split("/batch/")[1].split("/")[0]
        for _ in range(20):
            if "/review/" in str(page.url):
                break
            page = post(
                client, page, go="next", revision=field(page, "revision"), problem=TYPED,
                sentences="0", value="41",
            )  # fmt: skip
        page = post(client, page, f"/work/batch/{batch}/submit/", comment=TYPED)
        assert "/done/" in str(page.url)
        mine = client.get("/work/small/my-data/file/")
        assert TYPED in mine.text
        back = re.search(r"/return/([\w-]+)/", client.get("/work/small/").text)
        return [batch] + ([back[1]] if back else [])


def look_around(url: str, known: dict[str, str]) -> None:
    """Requests that fail, with secrets in their addresses, headers and bodies."""
    bearer = {"Authorization": f"Bearer {known['api']}"}
    assert httpx2.get(f"{url}/api/v1/studies/", headers=bearer).status_code == 200
    broken = httpx2.post(
        f"{url}/api/v1/studies/small/answers/", headers=bearer, json=[{"unit": TYPED}]
    )
    assert broken.status_code >= 400
    assert httpx2.get(f"{url}/join/{known['invitation']}/").status_code == 200
    assert httpx2.get(f"{url}/join/{known['invitation']}/no/").status_code == 404
    assert httpx2.get(f"{url}/return/{known['invitation']}/").status_code >= 400
    assert httpx2.post(f"{url}/join/{known['invitation']}/", data={"a": TYPED}).status_code == 403


def sign_in_in_vain(url: str) -> None:
    """A password that is forgotten, and a company's provider that is away."""
    with httpx2.Client(base_url=url, follow_redirects=True) as client:
        post(client, client.get("/forgotten-password/"), email=ADDRESS)
        for path in ("", f"back/?code={CODE}&state={CODE}", f"back/?error={CODE}"):
            assert "did not work" in client.get(f"/sign-in/company/{path}").text


@pytest.mark.parametrize("form", ["json", pytest.param("text", marks=pytest.mark.slow)])
def test_the_log_holds_no_answer_text_token_key_or_id_of_a_worker(
    form: str, tmp_path: Path, put_migrated_database: Callable[[Path], None]
) -> None:
    put_migrated_database(tmp_path)
    hook = f"http://127.0.0.1:{free_port()}/{HOOK}"
    with serving(Behaviour(key=KEY)) as (server, endpoint), mail_server() as mail:
        mail.says = "550 no such user"  # and whom it was for
        there = Installation(
            tmp_path, form, endpoint,
            EMAIL_URL=f"smtp://127.0.0.1:{mail.port}",
            WEBHOOK_PRIVATE=urlsplit(hook).netloc,
            OIDC_ISSUER=f"http://127.0.0.1:{free_port()}",
            OIDC_CLIENT_ID="jurybox",
            OIDC_CLIENT_SECRET=OIDC_SECRET,
        )  # fmt: skip
        known = json.loads(there.python("-c", PREPARE, ADDRESS, hook))
        server.script.append("echo")  # a refusal that quotes what was asked
        with there.running():
            secrets = walk(there.url)
            look_around(there.url, known)
            sign_in_in_vain(there.url)
            there.python("-c", ANNOUNCE, TYPED)
            there._await(lambda: "“new_password” was not sent" in there.log())
            there.python("manage.py", "judge", "small", "asked")
            there._await(lambda: "judges.tasks.work" in there.log() and len(server.asked) > 0)
            # A file that is refused, and in JSON an error of ours that quotes what was typed. On a
            # terminal such an error is shown in full.
            formats = ["jsonl", TYPED] if form == "json" else ["jsonl"]
            assert "failed" in there.python("-c", BREAK, TYPED, *formats)
        log = there.log()
        assert KEY in str(server.headers)  # it was used
    theirs = (TYPED, TEXT, PANEL_ID, SESSION, ADDRESS, *secrets)
    keys = (KEY, HOOK, CODE, OIDC_SECRET, *known.values())
    assert [secret for secret in (*theirs, *keys) if secret in log] == []
    assert "the company sign-on failed: requests.exceptions.ConnectionError" in log
    assert "Not Found: none" in log
    if form == "json":
        check_lines(log)


def check_lines(log: str) -> None:
    """Each line is an object, and requests, jobs and runs are found by their ids."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    others = [line for line in log.splitlines() if line.strip() and not line.startswith("{")]
    # What Celery prints at its start.
    assert not any("ERROR" in line or "WARNING" in line for line in others), others
    answered = [line for line in lines if line["logger"] == "jurybox.requests"]
    assert {"annotation:question", "annotation:submit"} <= {line["route"] for line in answered}
    assert len({line["request"] for line in answered}) == len(answered)
    assert {"run", "task"} <= {key for line in lines for key in line}
    assert any("job" in line for line in lines)
