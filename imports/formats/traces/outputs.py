"""Outputs of tools that name their records, and keep more than a study does."""

import hashlib
import json
from typing import TYPE_CHECKING

from files.errors import Contradiction, ImportFailure
from imports.formats.contract import FormatInput
from imports.formats.rated_outputs import RatedOutputs

if TYPE_CHECKING:
    from imports.study_file.schema import StudyRecord

# The finding that lists fields of the files which have no place in a study.
LEFT_OUT = "fields_not_imported"


class NamedOutputs(RatedOutputs):
    """A format whose records have ids, each once, and fields that are not imported."""

    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._left_out: dict[str, str] = {}
        # By id: where it stands, and a digest of what stands there.
        self._places: dict[str, tuple[str, bytes]] = {}

    def study(self) -> "StudyRecord":
        study = super().study()
        for field, where in self._left_out.items():
            self.findings.note(LEFT_OUT, f"{field}, {where}")
        return study

    def leave_out(self, field: str, where: str) -> None:
        """Say among the findings that a field is not imported; once, with its first place."""
        self._left_out.setdefault(field, where)

    def refuse_duplicate(self, where: str, key: str, content: object) -> None:
        """ImportFailure where another record has this id; Contradiction where it says something
        else. To be called in `read`, which reads each record several times."""
        text = json.dumps(content, sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        standing, standing_digest = self._places.setdefault(key, (where, digest))
        if standing == where:
            return
        kind = ImportFailure if standing_digest == digest else Contradiction
        other = "" if standing_digest == digest else ", with other content"
        raise kind(where, "id", f"duplicate: {key!r} stands at {standing} already{other}")
