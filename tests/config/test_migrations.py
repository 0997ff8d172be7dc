"""The chain of migrations only grows: what stands in a database somewhere is never changed."""

import hashlib
from pathlib import Path

import pytest
from django.conf import settings

from jurybox.packages import PACKAGES

ROOT = Path(settings.BASE_DIR)
# A line for each migration: SHA-256 and path. Add a line for a new one, and change none.
LINES = (Path(__file__).parent / "chain.txt").read_text(encoding="ascii").splitlines()
CHAIN = {path: digest for digest, path in map(str.split, LINES)}


def on_disk() -> dict[str, str]:
    return {
        str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest()
        for package in PACKAGES
        for file in (ROOT / package / "migrations").glob("[0-9]*.py")
    }


@pytest.mark.parametrize("migration", CHAIN)
def test_no_migration_is_changed_or_removed(migration: str) -> None:
    assert on_disk().get(migration) == CHAIN[migration]


def test_every_migration_has_its_line() -> None:
    assert on_disk().keys() - CHAIN.keys() == set()


def test_every_app_begins_with_one_initial_migration() -> None:
    first = [Path(path) for path in CHAIN if Path(path).name.startswith("0001_")]
    assert {path.name for path in first} == {"0001_initial.py"}
    assert len(first) == len({Path(path).parts[0] for path in CHAIN})
