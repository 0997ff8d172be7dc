"""What is installed, which services answer, and what is unsafe."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.utils import timezone

from annotation.models import User
from desk.installation.findings import Severity
from desk.installation.safety import unsafe_settings
from jobs.models import Heartbeat

pytestmark = pytest.mark.django_db
KEY = "0f8e3c5a7b19d24687acf01b5d3e9876"


@pytest.fixture(autouse=True)
def private_data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o700)
    return tmp_path


def unsafe() -> str:
    return "\n".join(f.text for f in unsafe_settings() if f.state == Severity.UNSAFE)


def test_the_default_settings_on_this_machine_alone_are_safe(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], KEY
    assert unsafe() == ""


def test_everything_that_lets_others_in_is_named(settings: Any, private_data: Path) -> None:
    User.objects.create_superuser("root", password="a-long-password")
    (private_data / "demo-sign-ins.json").touch()
    (private_data / "secret.key").touch(mode=0o644)
    settings.ALLOWED_HOSTS, settings.SECRET_KEY, settings.DEBUG = ["*"], "short", True
    settings.HTTPS, settings.SIGN_UP, settings.STUDY_MAKERS = False, "open", "all"
    text = unsafe()
    for word in ("DEBUG", "SECRET_KEY", "secret.key", "ALLOWED_HOSTS", "HTTPS", "SIGN_UP", "demo"):
        assert word in text
    assert "without a second factor: root" in text


def test_the_doctor_says_what_answers_and_what_does_not(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], KEY
    out = StringIO()
    call_command("doctor", "--json", "--port", "1", stdout=out)
    texts = "\n".join(row["text"] for row in json.loads(out.getvalue())["findings"])
    for part in (
        *("Jurybox 0.", "database:", "broker:", "worker: none", "beat: not running"),
        *("SECRET_KEY: what is stored can be read", "nothing answers on port 1"),
    ):
        assert part in texts


def refusal() -> str:
    with pytest.raises(SystemCheckError) as refused:
        call_command("check", "--deploy", "--fail-level", "ERROR")
    return str(refused.value)


def test_an_unsafe_deployment_is_refused_by_the_check_of_it(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], KEY
    User.objects.create_superuser("root", password="a-long-password")
    call_command("check", "--deploy", "--fail-level", "ERROR")
    settings.ALLOWED_HOSTS, settings.DEBUG = ["*"], True
    text = refusal()
    for word in ("DEBUG", "ALLOWED_HOSTS", "HTTPS"):
        assert word in text
    assert "second factor" not in text  # there is no account before the first start


def test_one_sqlite_file_for_several_machines_is_refused(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], KEY
    settings.ON_SQLITE = True
    now = timezone.now()
    Heartbeat.objects.create(worker="one.example.org:1", at=now)
    Heartbeat.objects.create(worker="one.example.org:2", at=now)
    call_command("check", "--deploy", "--fail-level", "ERROR")
    Heartbeat.objects.create(worker="two.example.org:1", at=now)
    assert "several machines (one.example.org, two.example.org)" in refusal()


def test_something_unsafe_gives_exit_status_1(settings: Any) -> None:
    settings.DEBUG = True
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor", "--port", "1", stdout=StringIO())


@pytest.mark.parametrize(
    "key",
    ["django-insecure-#x3k9d8s7f6g5h4j3k2l1", "k" * 50, "change-me-change-me-change-me-1234567"],
)
def test_the_key_of_an_example_is_refused(settings: Any, key: str) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], key
    assert "SECRET_KEY is one of an example" in refusal()


def test_a_token_for_metrics_that_can_be_guessed_is_refused(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.SECRET_KEY = ["localhost"], KEY
    settings.METRICS_TOKEN = "metrics"
    assert "METRICS_TOKEN" in refusal()
