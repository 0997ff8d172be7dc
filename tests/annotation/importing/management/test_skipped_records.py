"""Skipping records in the commands that import files."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from tests.annotation.importing.small_files import record, write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def described(tmp_path: Path) -> Path:
    path = tmp_path / "study.yaml"
    path.write_text("{slug: s, title: S, items: [items.jsonl], task_type: citation_recovery}\n")
    write_lines(tmp_path / "items.jsonl", [record(0), {"x": 1}, record(1)])
    return path


def run(command: str, *words: str, **options: Any) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out, **options)
    return out.getvalue()


def test_items_of_a_study_file_are_skipped(described: Path) -> None:
    printed = json.loads(run("apply_study", str(described), json=True))
    assert [s["where"] for s in printed["skipped"]] == [f"{described.parent}/items.jsonl:2"]
    assert (printed["created"], printed["counts"]["records_skipped"]) == (True, 1)
    assert "already as its file says" in run("apply_study", str(described))


def test_a_strict_study_file_refuses_its_items(described: Path) -> None:
    with pytest.raises(CommandError, match=r"items\.jsonl:2: source: missing"):
        call_command("apply_study", str(described), strict=True)
    assert not Study.objects.exists()


def test_the_study_file_itself_is_always_refused(described: Path) -> None:
    described.write_text("{slug: s, title: S, task_type: citation_recovery, colour: red}\n")
    with pytest.raises(CommandError, match="colour: unknown field"):
        call_command("apply_study", str(described))


def test_no_file_of_items_is_overwritten(described: Path) -> None:
    items = described.parent / "items.jsonl"
    with pytest.raises(CommandError, match="is one of the files to import"):
        call_command("apply_study", str(described), skipped=items)
    assert items.read_text()


def given(unit: str, rater: str = "a", **changes: Any) -> dict[str, Any]:
    about = {"unit": unit, "rater": rater, "kind": "human", "block": "citation_recovery"}
    return about | {"answer": {"sentences": [1]}} | changes


def test_answers_about_skipped_units_can_be_skipped_too(described: Path) -> None:
    call_command("apply_study", str(described))
    lines = [given("mill-0/alder/1"), given("nowhere"), given("mill-1/alder/1"), {"unit": "x"}]
    path = write_lines(described.parent / "a.jsonl", [*lines, given("mill-1/alder/2")])
    with pytest.raises(CommandError, match=r"a\.jsonl:4: rater: missing"):
        call_command("import_answers", "s", str(path))
    printed = json.loads(run("import_answers", "s", str(path), strict=False, json=True))
    assert printed["answers"] == {"a": 3}
    assert [s["field"] for s in printed["skipped"]] == ["rater", "unit"]
    assert (printed["answers_skipped"], printed["records_skipped"]) == (1, 1)
