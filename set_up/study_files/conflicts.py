"""Two people edited the same study file: theirs, yours, and both joined."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Study
from imports.study_file.keys import read_keys
from imports.study_file.writing import as_yaml, study_keys
from imports.uploads import placed_study_file
from set_up.study_files.edit_log import difference
from set_up.study_files.merge import ABSENT, Conflict, Merge, Side, merge_keys


@dataclass(frozen=True)
class ConflictView:
    """A conflict with both parts as they would stand in the file."""

    conflict: Conflict
    mine: str
    theirs: str
    choice: Side | None


@dataclass(frozen=True)
class Joined:
    """What somebody typed, joined with the study as it is now.

    standing: the keys of the study's file now. text: the joined file. difference: from the study's
    file now to the joined one. conflicts: what both changed; those of `undecided` have no choice.
    """

    merge: Merge
    standing: Mapping[str, Any]
    text: str
    difference: list[str]
    conflicts: list[ConflictView]

    @property
    def undecided(self) -> list[ConflictView]:
        return [shown for shown in self.conflicts if shown.choice is None]


def join(*, study: Study, text: str, begun: Any, choices: Mapping[str, Side]) -> Joined:
    """Join a typed file with the study. begun: the keys that the editor began with, or None.
    ImportFailure where the text cannot be read."""
    with placed_study_file(text, {}) as path:
        typed = read_keys(path)
    standing = study_keys(study)
    base = begun if isinstance(begun, dict) else None
    merge = merge_keys(base, typed, standing, choices=choices)
    joined, now = as_yaml(merge.keys), as_yaml(standing)
    conflicts = [
        ConflictView(
            conflict, _written(conflict.mine), _written(conflict.theirs), choices.get(conflict.name)
        )
        for conflict in merge.conflicts
    ]
    return Joined(merge, standing, joined, difference(now, joined), conflicts)


def _written(value: Any) -> str:
    """A part as it stands in the file; empty where it does not."""
    if value is ABSENT:
        return ""
    return value if isinstance(value, str) else as_yaml(value).removesuffix("...\n").strip()
