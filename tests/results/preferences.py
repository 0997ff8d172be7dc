"""Studies of pairwise preferences, imported as files are."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command

from annotation.models import Study


def import_study(folder: Path, lines: list[dict[str, Any]], answers: list[dict[str, Any]]) -> Study:
    for name, rows in (("items", lines), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    call_command("import_study", "jsonl", str(folder / "items.jsonl"), slug="s", verbosity=0)
    call_command("import_answers", "s", str(folder / "answers.jsonl"), verbosity=0)
    return Study.objects.get(slug="s")


def compared(
    folder: Path, given: Mapping[str, Mapping[str, str]], systems: Mapping[str, tuple[str, str]]
) -> Study:
    """rater -> unit -> first, second or tie; one source per unit. systems: of a unit's items."""
    lines: list[dict[str, Any]] = [{"study": {"blocks": [{"task_type": "pairwise"}]}}]
    units = sorted({unit for answers in given.values() for unit in answers})
    for unit in units:
        names = systems.get(unit, ("", ""))
        items = [
            {"key": f"{unit}/{key}", "system": name, "text": f"Text {key} of {unit}."}
            for key, name in zip("xy", names, strict=True)
        ]
        source = {"key": unit, "claim": f"{unit} was sold."}
        focus = {"order": [0, 1]}
        lines.append({"source": source, "items": items, "unit": {"key": unit, "focus": focus}})
    answers = [
        {"unit": unit, "rater": rater, "kind": "human", "answer": {"preferred": {"preference": to}}}
        for rater, by_unit in given.items()
        for unit, to in by_unit.items()
    ]
    return import_study(folder, lines, answers)


HALF = {
    "ada": dict(zip(("u0", "u1", "u2", "u3"), ("first", "second", "first", "second"), strict=True)),
    "bob": dict(zip(("u0", "u1", "u2", "u3"), ("first", "second", "second", "first"), strict=True)),
}
