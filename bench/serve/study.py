"""The study that the workers answer, made and looked at in a process with Django.

`python -m bench.serve.study set-up SLUG UNITS PER_BATCH` prints an invitation's token;
`python -m bench.serve.study compare JOURNAL.json` prints what is lost and what is over.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from bench.serve.material import record
from bench.serve.target import OVERLAP

TEMPLATE = Path(__file__).with_name("study.yaml")


def set_up(slug: str, units: int, per_batch: int) -> str:
    """An open study of so many units; the token of an invitation to it."""
    from annotation.entry.invitations import invite
    from annotation.rounds.opening import open_study
    from imports.studies.update import apply_study

    with tempfile.TemporaryDirectory() as folder:
        study = apply_study(path=_written(Path(folder), slug, units, per_batch)).study
    open_study(study=study)
    return invite(study=study, created_by=None).token


def _written(folder: Path, slug: str, units: int, per_batch: int) -> Path:
    """The study's file, beside the file of its records."""
    lines = [json.dumps(record(number)) for number in range(units)]
    (folder / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    described = yaml.safe_load(TEMPLATE.read_text(encoding="utf-8"))
    batch = {"normal": per_batch, "positive": 0, "negative": 0}
    pay = {"base": "1.00", "bonus": "0.00", "currency": "USD"}
    main = {"name": "main", "counts": True, "batch": batch, "expected_minutes": 5, "pay": pay}
    described |= {
        "slug": slug,
        "items": "items.jsonl",
        "overlap": OVERLAP,
        "rounds": [main],
    }
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(described), encoding="utf-8")
    return path


def compare(journal: Path) -> dict[str, int]:
    """Answers that are not stored as they were sent, and those counted beyond the overlap."""
    sent = json.loads(journal.read_text(encoding="utf-8"))
    wanted = {(batch, position): answer for batch, position, answer in sent["saved"]}
    drafts, answers = _drafts(sent["slug"]), _answers(sent["slug"])
    submitted = set(sent["submitted"])
    lost = {place for place, answer in wanted.items() if drafts.get(place) != answer}
    lost |= {
        (batch, position)
        for (batch, position), answer in wanted.items()
        if batch in submitted and answers.get((batch, position)) != answer
    }
    return {"lost": len(lost), "over": _over(sent["slug"])}


def _places(slug: str) -> dict[tuple[int, int], tuple[str, int]]:
    """(batch, position) by (assignment, unit)."""
    from annotation.models import AssignmentUnit

    rows = AssignmentUnit.objects.filter(assignment__round__study__slug=slug)
    places = rows.values_list("assignment", "unit", "assignment__public_id", "position")
    return {(assignment, unit): (batch, at) for assignment, unit, batch, at in places}


def _drafts(slug: str) -> dict[tuple[str, int], Any]:
    from annotation.models import Draft

    rows = Draft.objects.filter(question__unit__study__slug=slug)
    places = _places(slug)
    return {
        places[assignment, unit]: posted.get("sentences")
        for assignment, unit, posted in rows.values_list("assignment", "question__unit", "posted")
    }


def _answers(slug: str) -> dict[tuple[str, int], list[str]]:
    from annotation.models import Annotation

    rows = Annotation.objects.filter(study__slug=slug, assignment__isnull=False)
    places = _places(slug)
    return {
        places[assignment, unit]: [str(number) for number in sorted(answer["sentences"])]
        for assignment, unit, answer in rows.values_list("assignment", "question__unit", "answer")
    }


def _over(slug: str) -> int:
    from django.db.models import Count

    from annotation.models import Annotation

    people = Annotation.objects.filter(study__slug=slug, assignment__isnull=False)
    counted = people.counted()
    per_question = counted.values("question").annotate(n=Count("pk")).values_list("n", flat=True)
    return sum(n - OVERLAP for n in per_question if n > OVERLAP)


def main(arguments: list[str]) -> None:
    """In a process of its own, on the database that the environment names."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if arguments[0] == "set-up":
        print(set_up(arguments[1], int(arguments[2]), int(arguments[3])))
    else:
        print(json.dumps(compare(Path(arguments[1]))))


if __name__ == "__main__":
    main(sys.argv[1:])
