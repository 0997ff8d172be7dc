"""A small study whose file tells of its texts and of its raters."""

import csv
from pathlib import Path

from django.core.management import call_command

from annotation.models import Study

DOCUMENTS, RATERS = 12, 8
TOPIC, LANGUAGE = "source.domain", "rater.language"


def topic(document: int) -> str:
    """What a document is about: two of three are news."""
    return "sport" if document % 3 == 2 else "news"


def language(rater: int) -> str:
    """What a rater speaks: six English, two German."""
    return "German" if rater >= 6 else "English"


def rating(document: int, rater: int) -> int:
    """The answer, from 1 to 5."""
    return 1 + (document * 7 + rater * 3 + document * rater) % 5


def write_ratings(folder: Path) -> Path:
    """The file, a row an answer."""
    path = folder / "ratings.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["doc_id", "domain", "summary", "worker", "language", "fluency"])
        for d in range(DOCUMENTS):
            for r in range(RATERS):
                text = f"The ferry number {d} ran late on that day."
                writer.writerow([f"d{d}", topic(d), text, f"w{r}", language(r), rating(d, r)])
    return path


def import_grouped(folder: Path, *groups: str, slug: str = "grouped") -> Study:
    """The study that the file makes, its results grouped by these columns."""
    options = {"slug": slug, "verbosity": 0, "groups": list(groups)}
    call_command("import_study", "table", str(write_ratings(folder)), **options)
    return Study.objects.get(slug=slug)
