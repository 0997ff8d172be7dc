"""Small studies of named raters, imported as files are: who gave which value to which unit."""

import json
from collections.abc import Mapping
from pathlib import Path

from django.core.management import call_command

from annotation.models import Study

Answers = Mapping[str, Mapping[str, object]]


def import_raters(
    folder: Path, humans: Answers, judges: Answers, *, level: str, pseudonyms: bool = False
) -> Study:
    """A study of one facet `rating`, its raters being these."""
    files = []
    for kind, answers in (("human", humans), ("llm", judges)):
        if answers:
            path = folder / f"{kind}.json"
            path.write_text(json.dumps(answers))
            files.append(str(path))
    options = {"level": level, "pseudonyms": pseudonyms}
    call_command("import_study", "raters", *files, slug="raters", verbosity=0, **options)
    return Study.objects.get(slug="raters")


def by_rater(**given: str) -> dict[str, dict[str, object]]:
    """`ada="aab"` gave a, a and b to the units u0, u1 and u2, and nothing where there is a dot."""
    return {
        rater: {f"u{at}": value for at, value in enumerate(values) if value != "."}
        for rater, values in given.items()
    }


def points(**given: str) -> dict[str, dict[str, object]]:
    """The same for digits, as numbers."""
    return {
        rater: {unit: int(str(value)) for unit, value in values.items()}
        for rater, values in by_rater(**given).items()
    }
