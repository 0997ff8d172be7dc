"""What the tests of formats share: import files, and what an import says that it refuses."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study


def import_files(format_name: str, *files: Path, slug: str = "s", **options: Any) -> Study:
    """The study that the files make."""
    call_command("import_study", format_name, *map(str, files), slug=slug, verbosity=0, **options)
    return Study.objects.get(slug=slug)


def refusal(format_name: str, *files: Path, **options: Any) -> str:
    """The one line with which a strict import refuses the files; nothing must have been
    written."""
    with pytest.raises(CommandError) as caught:
        import_files(format_name, *files, strict=True, **options)
    assert not Study.objects.exists()
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{files[0].parent}/", "")


def write_table(path: Path, *rows: str) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def answers_of(study: Study, rater: str) -> dict[str, Any]:
    """Unit to answer; with several blocks, (unit, block)."""
    given = study.annotations.filter(rater__name=rater).order_by("pk")
    rows = given.values_list("question__unit__key", "question__block__key", "answer")
    several = study.blocks.count() > 1
    return {f"{unit} {block}" if several else unit: answer for unit, block, answer in rows}


def outcome(format_name: str, *files: Path, **options: Any) -> dict[str, Any]:
    """What an import prints with `--json`, the folder left out."""
    out = StringIO()
    call_command(
        "import_study", format_name, *map(str, files), slug="s", json=True, stdout=out, **options
    )
    printed: dict[str, Any] = json.loads(out.getvalue().replace(f"{files[0].parent}/", ""))
    return printed


def skipped(format_name: str, *files: Path, **options: Any) -> list[str]:
    """Everything skipped, as `where: field: reason`."""
    printed = outcome(format_name, *files, **options)
    return [f"{s['where']}: {s['field']}: {s['reason']}" for s in printed["skipped"]]


def refused(format_name: str, *files: Path, **options: Any) -> str:
    with pytest.raises(CommandError) as caught:
        outcome(format_name, *files, **options)
    assert not Study.objects.exists()
    return str(caught.value).replace(f"{files[0].parent}/", "")
