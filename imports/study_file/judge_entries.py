"""Merging the judges of a study's file with those added or replaced on its page."""

from collections.abc import Sequence
from typing import Any

from annotation.models import Study

# A built-in judge by its name, or a definition with one.
JudgeEntry = str | dict[str, Any]
JUDGES_KEY = "judges"


def merged_judges(study: Study, of_file: Sequence[JudgeEntry]) -> list[JudgeEntry]:
    """The judges of the study's file, with what was added or replaced on the page since.

    An entry of the page stays until the file changes its own entry for that judge.
    """
    in_file = {entry_name(entry): entry for entry in of_file}
    entries = previous_entries(study)
    if JUDGES_KEY not in study.imported:
        # An older study: those with the same names.
        entries = [entry for entry in study.judges if entry_name(entry) in in_file]
    before = {entry_name(entry): entry for entry in entries}
    of_page = {
        name: entry
        for name, entry in ((entry_name(entry), entry) for entry in study.judges)
        if entry != before.get(name) and in_file.get(name) == before.get(name)
    }
    return [of_page.pop(name, entry) for name, entry in in_file.items()] + list(of_page.values())


def remember_judges(*, study: Study, of_file: Sequence[JudgeEntry]) -> None:
    """Store the file's entries, to tell them from the page's when the file is applied again."""
    if study.imported.get(JUDGES_KEY) != list(of_file):
        study.imported = {**study.imported, JUDGES_KEY: list(of_file)}
        study.save(update_fields=["imported"])


def previous_entries(study: Study) -> list[JudgeEntry]:
    """The file's entries at the last time it was applied."""
    entries: list[JudgeEntry] = study.imported.get(JUDGES_KEY, [])
    return entries


def entry_name(entry: JudgeEntry) -> str:
    """The name of the judge that an entry defines or names."""
    return entry if isinstance(entry, str) else str(entry["name"])
