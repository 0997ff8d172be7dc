"""What a study's files contained, in words."""

from annotation.models import Study
from files.findings import word_on_texts

ODD_PLACES = 20


def counts_in_words(study: Study) -> list[tuple[str, int]]:
    """The counts of what the study's files contained, those of oddities last."""
    counts, odd = (study.imported.get(key, {}) for key in ("counts", "odd"))
    ordered = sorted(counts.items(), key=lambda count: count[0] in odd)
    return [(_words(name), count) for name, count in ordered]


def oddities_in_words(study: Study) -> list[tuple[str, list[str]]]:
    """What was odd in the study's files, and the first places of each."""
    return [
        (_words(name), places[:ODD_PLACES])
        for name, places in study.imported.get("odd", {}).items()
    ]


def texts_in_words(study: Study) -> str:
    """What the texts look like, as a question how to show them; empty where nothing is to ask."""
    return word_on_texts(study.imported.get("counts", {}), study.text_form)


def origin_in_words(study: Study) -> str:
    """The dataset on the hub that the study was made of, with the commit; empty for files."""
    origin = study.imported.get("origin", {})
    return f"{origin['dataset']}@{origin['commit']}" if origin else ""


def _words(name: str) -> str:
    return name.replace("_", " ")
