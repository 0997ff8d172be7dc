"""Commands in a shell that has lost its settings, or before a migration: one line, nothing made."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from config.prepared import choose_data


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "JURYBOX_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", [("report", "demo"), ("judge_runs", "list")])
def test_a_command_without_a_database_says_so_and_makes_nothing(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = run(tmp_path / "data", *command)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"CommandError: no database in {tmp_path / 'data'}. Set JURYBOX_DATA")
    assert not (tmp_path / "data").exists()


def test_a_database_behind_the_program_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "jurybox.sqlite3").touch()
    done = run(tmp_path, "report", "demo")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "is not up to date with the program" in line
    assert "manage.py migrate" in line


def test_a_migration_that_fails_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    database = tmp_path / "jurybox.sqlite3"
    with closing(sqlite3.connect(database)) as before:
        before.execute("CREATE TABLE django_content_type (of_another_program)")
    done = run(tmp_path, "migrate", "--no-input")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert 'could not be migrated: table "django_content_type" already exists. The' in line
    with closing(sqlite3.connect(database)) as after:
        assert after.execute("SELECT count(*) FROM django_migrations").fetchone() == (0,)


def test_help_and_a_bundle_need_no_database(tmp_path: Path) -> None:
    assert run(tmp_path / "data", "report", "--help").returncode == 0
    assert "no database" not in run(tmp_path / "data", "report", "missing.zip").stderr


def test_what_is_marked_is_kept_beside_its_file_unless_another_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.json"
    file.touch()
    for named, folder in (([], "results.json.marks"), (["--data", str(tmp_path / "own")], "own")):
        monkeypatch.setenv("JURYBOX_DATA", "elsewhere")
        choose_data(["mark", "--judge", "gpt", str(file), *named])
        assert os.environ["JURYBOX_DATA"] == str(tmp_path / folder)
