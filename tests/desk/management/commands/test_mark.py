"""`mark` as a command: what it says to files, ports and numbers that make nothing."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.models import Study
from marking.plans import Plan
from tests.marking.files import marked_study, some_verdicts, write_table
from tests.marking.people import mark_all
from tests.services.ports import free_port


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "results.csv", some_verdicts(20))


def refusal(*arguments: object) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("mark", *map(str, arguments), "--no-browser", stdout=StringIO())
    return str(refused.value)


def test_numbers_and_files_that_make_nothing_are_refused_before_anything_is_made(
    table: Path,
) -> None:
    assert refusal("missing.csv") == "missing.csv: no such file"
    assert refusal(table, "--people", 0) == "--people: at least 1"
    assert refusal(table, "--answers", 2) == ("--answers: 2 for each text need --people 2, not 1")
    assert refusal(table, "--cert", "a.pem") == "--cert and --key go together"
    assert refusal(table, "--cert", "a.pem", "--key", "b.pem") == "a.pem: no such file"


@pytest.fixture
def marks(put_migrated_database: Callable[[Path], None], table: Path) -> Callable[..., str]:
    """What the command prints as a program, with its exit status."""
    folder = table.with_name(f"{table.name}.marks")
    folder.mkdir()
    put_migrated_database(folder)

    def run(*arguments: object, status: int) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", "mark", *map(str, arguments), "--no-browser"],
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ["PATH"], "HOME": str(table.parent)},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


def test_a_taken_port_is_one_sentence_and_what_was_made_stays(
    table: Path, marks: Callable[..., str]
) -> None:
    with socket.socket() as taken:
        port = free_port()
        taken.bind(("127.0.0.1", port))
        taken.listen()
        said = marks(table, "--judge", "verdict", "--port", port, status=1)
    assert f"port {port}: " in said
    assert f"manage.py mark FILE --port {port + 1}" in said
    assert "units: 20 (20 in marking)" in said
    assert marks(table, "--end", status=0).count("0 people marked 0 texts of 20") == 1


def test_a_question_ends_with_status_2_and_leaves_no_study(
    tmp_path: Path, marks: Callable[..., str], table: Path
) -> None:
    write_table(table, ["0.1", "0.9", "0.4", "0.8"], "score")
    said = marks(table, "--judge", "score", status=2)
    assert (
        "--threshold: score (rating) gives numbers from 0.1 to 0.9: from which on is a text good?"
        in said
    )


@pytest.mark.django_db
def test_ending_writes_what_there_is_and_says_that_a_file_has_changed(
    table: Path, tmp_path: Path, settings: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = marked_study(table, Plan(people=2, texts=20))
    mark_all(study, lambda _member, _unit: "pass")
    table.write_text(table.read_text() + "more,b,c,pass,\n")
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    (tmp_path / "jurybox.sqlite3").touch()
    monkeypatch.setattr("desk.management.commands.mark.prepare_database", lambda **_: None)
    out = StringIO()
    call_command("mark", str(table), "--end", stdout=out)
    said = out.getvalue()
    assert f"{table} has changed since marking began" in said
    assert "says what a person says on" in said
    assert (tmp_path / "labels.csv").is_file()
    assert (tmp_path / "report.html").is_file()
    assert Study.objects.get().state == Study.State.CLOSED
