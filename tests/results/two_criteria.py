"""Three people rate four systems' texts by two criteria, and two metrics score the same texts."""

import csv
from pathlib import Path

import numpy as np
from django.core.management import call_command

from annotation.models import Study

PEOPLE, CRITERIA, METRICS = ("ann", "ben", "cat"), ("coherence", "fluency"), ("rouge_l", "bert_s_h")
SYSTEMS, SOURCES = ("Alder", "Birch", "Cedar", "Douglas_fir"), 12
COLUMNS = """
item: doc
system: system
raters: {{{raters}}}
metrics: {{{metrics}}}
scales: {{{scales}}}
"""


def import_two_criteria(folder: Path) -> Study:
    """48 units: the better the system, the higher all scores, with noise of its own for each."""
    rng = np.random.default_rng(7)
    path, columns = folder / "ratings.csv", folder / "columns.yaml"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        answers = [f"{criterion}_{who}" for who in PEOPLE for criterion in CRITERIA]
        writer.writerow(["doc", "system", *answers, *METRICS])
        for source in range(SOURCES):
            for quality, system in enumerate(SYSTEMS, start=1):
                marks = np.clip(np.round(quality + rng.normal(0, 0.8, len(answers))), 1, 5)
                scores = np.round(quality / 4 + rng.normal(0, 0.3, len(METRICS)), 4)
                writer.writerow([f"d{source}", system, *marks.astype(int), *scores])
    raters = (
        f"{who}: {{{', '.join(f'{name}: {name}_{who}' for name in CRITERIA)}}}" for who in PEOPLE
    )
    scales = (f"{name}: {{low: 1, high: 5, level: ordinal}}" for name in CRITERIA)
    columns.write_text(
        COLUMNS.format(
            raters=", ".join(raters),
            metrics=", ".join(f"{name}: {name}" for name in METRICS),
            scales=", ".join(scales),
        )
    )
    asked = {"columns": columns, "slug": "criteria", "verbosity": 0}
    call_command("import_study", "ratings", str(path), **asked)
    return Study.objects.get(slug="criteria")
