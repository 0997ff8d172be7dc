"""PolitiHop: claims with their evidence passages and the chains of evidence people chose.

One row is one person's chain, or several. Rows about the same statement make one source; nothing
is asked about it, since the file holds no output of anybody.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from annotation.importing.errors import ImportFailure
from annotation.importing.files.tables import TableRow, column_names, require_columns, table_rows
from annotation.importing.formats.contract import Format
from annotation.importing.material.records import Entry
from annotation.importing.study_file.schema import StudyRecord
from tasktypes.material import Passage, Source

COLUMNS = ("article_id", "statement", "ruling", "annotated_evidence", "annotated_label")


@dataclass
class _Claim:
    """A statement with the chains of the rows read so far."""

    where: str
    key: str
    verdict: str
    passages: tuple[str, ...]
    chains: list[tuple[int, ...]] = field(default_factory=list)


class PolitiHop(Format):
    """One source per statement, called by the article id of its first row."""

    def study(self) -> StudyRecord:
        return StudyRecord()

    def entries(self) -> Iterator[Entry]:
        claims: dict[str, _Claim] = {}
        for path in self.input.files:
            require_columns(path, column_names(path, delimiter="\t"), COLUMNS)
            for row in table_rows(path, self.input.watch, delimiter="\t"):
                self.findings.count("rows")
                self._take(claims.setdefault(row.text("statement"), _claim(row)), row)
        if not claims:
            raise ImportFailure(str(self.input.files[0]), "rows", "none in this file")
        for statement, claim in claims.items():
            source = Source(
                key=claim.key,
                claim=statement,
                verdict=claim.verdict,
                passages=tuple(
                    Passage(index=index, text=text) for index, text in enumerate(claim.passages)
                ),
                chains=tuple(dict.fromkeys(claim.chains)),
            )
            yield Entry(claim.where, source, (), ())

    def summary(self) -> list[str]:
        counts = self.findings.counts
        return [f"rows: {counts['rows']}, chains: {counts['chains']}"]

    def _take(self, claim: _Claim, row: TableRow) -> None:
        if _passages(row) != claim.passages:
            raise ImportFailure(row.where, "ruling", f"other passages than in {claim.where}")
        if row.text("annotated_label") != claim.verdict:
            raise ImportFailure(row.where, "annotated_label", f"another than in {claim.where}")
        chains = _json(row, "annotated_evidence")
        if not isinstance(chains, dict) or not chains:
            raise ImportFailure(row.where, "annotated_evidence", "not an object of chains")
        for name, members in chains.items():
            claim.chains.append(self._chain(row, f"annotated_evidence.{name}", members, claim))
            self.findings.count("chains")

    def _chain(self, row: TableRow, name: str, members: Any, claim: _Claim) -> tuple[int, ...]:
        """Numbers from texts; "13,14" in one text are two passages given as a pair."""
        if not isinstance(members, list) or not all(isinstance(member, str) for member in members):
            raise ImportFailure(row.where, name, "not a list of numbers in quotes")
        if any("," in member for member in members):
            self.findings.note("chains_with_joined_passages", f"{claim.key} {','.join(members)}")
        indices: dict[int, None] = {}
        for text in (part.strip() for member in members for part in member.split(",")):
            if not text.isdecimal() or int(text) >= len(claim.passages):
                raise ImportFailure(row.where, name, f"there is no passage {text!r}")
            indices[int(text)] = None
        return tuple(indices)


def _claim(row: TableRow) -> _Claim:
    key, verdict = row.text("article_id"), row.text("annotated_label")
    return _Claim(row.where, key, verdict, _passages(row))


def _passages(row: TableRow) -> tuple[str, ...]:
    sentences = _json(row, "ruling")
    if not isinstance(sentences, list) or not sentences:
        raise ImportFailure(row.where, "ruling", "not a list of sentences")
    for number, text in enumerate(sentences):
        if not isinstance(text, str) or not text.strip():
            raise ImportFailure(row.where, f"ruling[{number}]", "not a sentence")
    return tuple(text.strip() for text in sentences)


def _json(row: TableRow, column: str) -> Any:
    try:
        return json.loads(row.text(column))
    except json.JSONDecodeError as error:
        raise ImportFailure(row.where, column, f"no JSON: {error.msg}") from error
