"""Importing as users do it, in a process of its own: exit status, stderr, and memory."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

# Runs a command, then says how much memory it has ever held, in MiB.
MEASURED = """
import sys
from django.core.management import execute_from_command_line
from tests.services.memory import peak_mib
execute_from_command_line(["manage.py", *sys.argv[1:]])
print("peak", round(peak_mib()))
"""


def measured(folder: Path, *command: str) -> int:
    """The command's peak of memory in MiB, on a database of its own."""
    done = manage(folder, *command, program=("-c", MEASURED))
    assert done.returncode == 0, done.stderr
    return int(re.findall(r"^peak (\d+)$", done.stdout, re.MULTILINE)[0])


def manage(
    folder: Path, *command: str, program: tuple[str, ...] = ("manage.py",)
) -> "subprocess.CompletedProcess[str]":
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    environment |= {"JURYBOX_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, *program, *command],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def records(count: int) -> Iterator[str]:
    """Claims with eight passages and an explanation that cites three of them."""
    for n in range(count):
        cites = sorted({n % 8, (n // 8) % 8, (n + 3) % 8})
        passages = [
            {"index": k, "text": f"Passage {k} of claim {n}: " + "the mill stood by the river " * 4}
            for k in range(8)
        ]
        sentences = [
            {"text": f"Sentence {k} says that the mill stood there for long years [{k}]."}
            for k in cites
        ]
        source = {"key": f"c{n}", "claim": f"Claim {n} is about a mill.", "passages": passages}
        yield json.dumps({"source": source, "items": [{"key": f"c{n}/a", "sentences": sentences}]})


def write(path: Path, count: int) -> str:
    with path.open("w", encoding="utf-8") as out:
        for line in records(count):
            out.write(line + "\n")
    return str(path)


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, put_migrated_database: Callable[[Path], None]
) -> Path:
    """An installation; each test imports a study of its own there."""
    made = tmp_path_factory.mktemp("installation")
    put_migrated_database(made)
    return made


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(folder: Path) -> None:
    small = write(folder / "small.jsonl", 500)
    large = write(folder / "large.jsonl", 4000)
    peak = measured(folder, "import_study", "jsonl", small, "--slug", "small")
    assert measured(folder, "import_study", "jsonl", large, "--slug", "large") < peak + 40


@pytest.mark.slow
def test_a_hundred_thousand_items_stay_under_500_mib(folder: Path) -> None:
    path = write(folder / "big.jsonl", 100_000)
    assert measured(folder, "import_study", "jsonl", path, "--slug", "big") < 500


def test_a_failure_is_one_line_on_stderr_and_exit_status_1(folder: Path) -> None:
    path = folder / "bad.jsonl"
    path.write_text('{"source": {}}\n', encoding="utf-8")
    done = manage(folder, "import_study", "jsonl", str(path), "--slug", "bad")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"CommandError: {path}:1: source.key: missing (and 1 more)\n"


def test_where_nobody_watches_there_is_no_progress_bar(folder: Path) -> None:
    path = write(folder / "good.jsonl", 3)
    done = manage(folder, "import_study", "jsonl", path, "--slug", "good")
    assert (done.returncode, done.stderr) == (0, "")
    assert "units: " in done.stdout
