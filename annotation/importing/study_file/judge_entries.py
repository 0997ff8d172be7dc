"""The judges that a study names: those of its file, and beside them those of its page."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import Study

# A built-in judge by its name, or a definition with one.
Entry = str | dict[str, Any]
KEPT = "judges"


def merged_judges(study: Study, of_file: Sequence[Entry]) -> list[Entry]:
    """What the study's file says, beside what was added or replaced on the page since.

    The page's word stands until the file says something else of that judge than before.
    """
    said = {_name(one): one for one in of_file}
    before = {_name(one): one for one in _said_before(study, said)}
    of_page = {
        name: one
        for name, one in ((_name(one), one) for one in study.judges)
        if one != before.get(name) and said.get(name) == before.get(name)
    }
    return [of_page.pop(name, one) for name, one in said.items()] + list(of_page.values())


def remember_judges(*, study: Study, of_file: Sequence[Entry]) -> None:
    """Keep what the file says, to tell it from what the page says when the file comes again."""
    if study.imported.get(KEPT) != list(of_file):
        study.imported = {**study.imported, KEPT: list(of_file)}
        study.save(update_fields=["imported"])


def _said_before(study: Study, said: Mapping[str, Entry]) -> list[Entry]:
    """What the file said the last time; of older studies nobody knows, but the names."""
    kept: list[Entry] | None = study.imported.get(KEPT)
    if kept is not None:
        return kept
    return [one for one in study.judges if _name(one) in said]


def _name(entry: Entry) -> str:
    return entry if isinstance(entry, str) else str(entry["name"])
