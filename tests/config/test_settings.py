"""The settings as each kind of environment makes them, asked of a fresh process."""

import json
import os
import secrets
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config.embedded import secret_key

NAMES = ("SECRET_KEY", "DATABASES", "CELERY_BROKER_TRANSPORT_OPTIONS", "CELERY_TASK_TIME_LIMIT")
ASK = f"""
import json, warnings
warnings.simplefilter("error")
from config import settings
print(json.dumps({{name: getattr(settings, name) for name in {NAMES!r}}}, default=str))
"""


def ask(data: Path, **environment: str) -> dict[str, Any]:
    done = run(data, **environment)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def run(data: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ASK],
        env={"PATH": os.environ["PATH"], "JURYBOX_DATA": str(data), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def check_deployment(data: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={"PATH": os.environ["PATH"], "JURYBOX_DATA": str(data), **environment},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )


def show(request: HttpRequest) -> HttpResponse:
    return HttpResponse("shown")


urlpatterns = [path("", show)]


def test_nothing_of_a_test_run_is_written_into_the_checkout() -> None:
    assert not settings.DATA_DIR.is_relative_to(settings.BASE_DIR)


def test_without_any_environment_everything_is_kept_in_one_folder(tmp_path: Path) -> None:
    embedded = ask(tmp_path / "data")
    assert embedded["DATABASES"]["default"]["NAME"] == str(tmp_path / "data" / "jurybox.sqlite3")
    assert embedded["CELERY_BROKER_TRANSPORT_OPTIONS"]["folder"] == str(tmp_path / "data/broker")


def test_the_key_of_one_machine_is_made_once_and_readable_by_its_owner_alone(
    tmp_path: Path,
) -> None:
    first, second = ask(tmp_path), ask(tmp_path)
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert len(first["SECRET_KEY"]) >= 50
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600


def test_processes_that_start_at_once_agree_on_the_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(secret_key, [tmp_path] * 64))
    assert len(keys) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


def test_a_shared_database_wants_a_shared_key(tmp_path: Path) -> None:
    refused = run(tmp_path, DATABASE_URL="postgres://nobody@127.0.0.1/none")
    assert refused.returncode != 0
    assert "SECRET_KEY must be set" in refused.stderr


def test_redis_hands_a_message_out_again_only_after_the_longest_task(tmp_path: Path) -> None:
    served = ask(tmp_path, BROKER_URL="redis://127.0.0.1:6379/0")
    visible_again = served["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]
    assert visible_again > served["CELERY_TASK_TIME_LIMIT"]


@pytest.mark.urls(__name__)
def test_no_page_may_carry_inline_code_or_be_framed(client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "nonce" not in policy
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.urls(__name__)
def test_every_page_carries_the_other_security_headers(client: Client) -> None:
    headers = client.get("/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_behind_https_cookies_are_secure_and_the_deployment_check_is_silent(
    tmp_path: Path,
) -> None:
    done = check_deployment(tmp_path, HTTPS="true")
    assert done.returncode == 0, done.stderr


def test_the_settings_of_the_first_start_on_a_server_pass_the_deployment_check(
    tmp_path: Path,
) -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "deploying.md").read_text(encoding="utf-8")
    written = page.partition("cat >.env <<END\n")[2].partition("END\n")[0]
    lines = written.replace("$(openssl rand -hex 32)", secrets.token_hex(32)).splitlines()
    documented = dict(line.split("=", 1) for line in lines)
    assert documented["HTTPS"] == "true"
    done = check_deployment(tmp_path, **documented)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("address", ["jurybox.example.org", "ftp://a.example", "https://a/b"])
def test_the_address_of_the_site_is_scheme_and_host(tmp_path: Path, address: str) -> None:
    refused = run(tmp_path, SITE_URL=address)
    assert refused.returncode
    assert "SITE_URL" in refused.stderr
