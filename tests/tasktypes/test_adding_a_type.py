"""The page "Adding a task type", followed to the letter in a copy of the checkout."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from jurybox.packages import PACKAGES

ROOT: Path = settings.BASE_DIR
PAGE = ROOT / "docs" / "adding-a-task-type.md"
# What the contract test reads: the program's rooms, and the documents that it holds to account.
NEEDED = (
    *PACKAGES,
    *("bench", "jurybox"),
    *("templates", "static", "tests", "docs", "locale", "manage.py", "pyproject.toml"),
)
STEP = re.compile(
    r"^(?:Make the file `(?P<made>[^`]+)`"
    r"|In `(?P<changed>[^`]+)`, after the line `(?P<line>[^`]+)`, add"
    r"|At the end of `(?P<continued>[^`]+)`, add)"
    r":\n\n(?P<fence>`{3,})\w+\n(?P<code>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)


class Step(NamedTuple):
    """Something to write, as the page says where: a new file, after a line, or at the end."""

    path: str
    code: str
    line: str | None
    new: bool

    def follow(self, checkout: Path) -> None:
        """Do what it says."""
        file = checkout / self.path
        if self.new:
            assert not file.exists()
            file.parent.mkdir(exist_ok=True)
            file.write_text(self.code, encoding="utf-8")
            return
        text = file.read_text(encoding="utf-8")
        if self.line is None:
            file.write_text(text + self.code, encoding="utf-8")
            return
        lines = text.splitlines(keepends=True)
        assert lines.count(f"{self.line}\n") == 1, f"{self.line!r} in {self.path}"
        lines.insert(lines.index(f"{self.line}\n") + 1, self.code)
        file.write_text("".join(lines), encoding="utf-8")


def steps() -> list[Step]:
    return [
        Step(
            path=match["made"] or match["changed"] or match["continued"],
            code=match["code"],
            line=match["line"],
            new=bool(match["made"]),
        )
        for match in STEP.finditer(PAGE.read_text(encoding="utf-8"))
    ]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout in which the page has been followed."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in NEEDED:
        if (ROOT / name).is_dir():
            # With compiled files: they stay valid, since the times of the sources are kept.
            shutil.copytree(ROOT / name, copy / name)
        else:
            shutil.copy2(ROOT / name, copy / name)
    for step in steps():
        step.follow(copy)
    return copy


def run(checkout: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "JURYBOX_", "DJANGO_"))
    }
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=checkout,
        env=environment | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_block_of_code_on_the_page_is_part_of_a_step() -> None:
    blocks = re.findall(r"^(`{3,})(\w+)\n", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shell = [language for _, language in blocks if language == "sh"]
    nested = [step.code.count("```json") for step in steps()]
    assert len(steps()) == len(blocks) - len(shell) - sum(nested)


def test_a_type_added_as_the_page_says_keeps_the_contract(checkout: Path) -> None:
    chosen = "tone or nothing_else_names_a_task_type"
    contract = "tests/tasktypes/test_contract.py"
    done = run(checkout, "pytest", contract, "-q", "-k", chosen, "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 25
    assert "skipped" not in done.stdout


@pytest.mark.parametrize("way", [("check", "--no-cache"), ("format", "--check", "--no-cache")])
def test_the_code_on_the_page_passes_the_linter_as_it_is(
    checkout: Path, way: tuple[str, ...]
) -> None:
    done = run(checkout, "ruff", *way, "tasktypes/tone")
    assert done.returncode == 0, done.stdout
