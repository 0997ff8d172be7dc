"""PolitiHop: claims with their evidence passages and the chains of evidence people chose.

One row is one person's chain, or several. Rows about the same statement make one source; nothing
is asked about it, since the file holds no output of anybody.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from files.errors import ImportFailure
from files.readers.json_values import json_value
from files.readers.tables import TableRow, column_names, require_columns, table_rows
from imports.formats.contract import AcceptedFiles, Format
from imports.material.records import MaterialEntry
from imports.study_file.schema import StudyRecord
from tasktypes.texts.material import Passage, Source

COLUMNS = ("article_id", "statement", "ruling", "annotated_evidence", "annotated_label")


@dataclass
class _Claim:
    """A statement as its first row has it, with the chains of the rows read so far."""

    where: str
    key: str
    verdict: str
    passages: tuple[str, ...]
    chains: list[tuple[int, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    """One row: the chains that can be used, and what is wrong with the others."""

    where: str
    article: str
    statement: str
    verdict: str
    passages: tuple[str, ...]
    chains: tuple[tuple[int, ...], ...]
    # As the file has them, where several numbers are one text.
    joined: tuple[str, ...]
    failures: tuple[ImportFailure, ...]


class PolitiHop(Format):
    """One source per statement, called by the article id of its first row."""

    taken = AcceptedFiles(
        "PolitiHop", "Its tab-separated tables", (".tsv", ".csv", ".gz", ".xlsx"), group="published"
    )

    def study(self) -> StudyRecord:
        return StudyRecord()

    def entries(self) -> Iterator[MaterialEntry]:
        claims: dict[str, _Claim] = {}
        for path in self.input.files:
            require_columns(path, column_names(path), COLUMNS)
            rows = table_rows(path, self.input.watch)
            for row in self.skipped.usable(rows, lambda row: _row(row, claims)):
                claim = _Claim(row.where, row.article, row.verdict, row.passages)
                self._take(claims.setdefault(row.statement, claim), row)
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
            yield MaterialEntry(claim.where, source, (), ())

    def summary(self) -> list[str]:
        counts = self.findings.counts
        return [f"rows: {counts['rows']}, chains: {counts['chains']}"]

    def _take(self, claim: _Claim, row: _Row) -> None:
        for failure in row.failures:
            self.skipped.skip_part(failure)
        for text in row.joined:
            self.findings.note("chains_with_joined_passages", f"{claim.key} {text}")
        claim.chains.extend(row.chains)
        self.findings.count("rows")
        self.findings.count("chains", len(row.chains))


def _row(row: TableRow, claims: Mapping[str, _Claim]) -> _Row:
    """The row; ImportFailure where it says something else of a statement than an earlier row,
    or where none of its chains can be used."""
    statement, verdict = row.text("statement"), row.text("annotated_label")
    passages, claim = _passages(row), claims.get(statement)
    if claim is not None and passages != claim.passages:
        raise ImportFailure(row.where, "ruling", f"other passages than in {claim.where}")
    if claim is not None and verdict != claim.verdict:
        raise ImportFailure(row.where, "annotated_label", f"another than in {claim.where}")
    recorded = _json(row, "annotated_evidence")
    if not isinstance(recorded, dict) or not recorded:
        raise ImportFailure(row.where, "annotated_evidence", "not an object of chains")
    chains, joined, failures = [], [], []
    for name, members in recorded.items():
        try:
            chains.append(_chain(row, f"annotated_evidence.{name}", members, len(passages)))
        except ImportFailure as failure:
            failures.append(failure)
        else:
            joined += [",".join(members)] if any("," in member for member in members) else []
    if not chains:
        raise failures[0]
    article = row.text("article_id")
    Source(key=article, claim=statement, verdict=verdict)
    return _Row(
        row.where,
        article,
        statement,
        verdict,
        passages,
        tuple(chains),
        tuple(joined),
        tuple(failures),
    )


def _chain(row: TableRow, name: str, members: Any, passages: int) -> tuple[int, ...]:
    """Numbers from texts; "13,14" in one text are two passages given as a pair."""
    if not isinstance(members, list) or not all(isinstance(member, str) for member in members):
        raise ImportFailure(row.where, name, "not a list of numbers in quotes")
    indices: dict[int, None] = {}
    for text in (part.strip() for member in members for part in member.split(",")):
        if not text.isdecimal() or len(text) > 9 or int(text) >= passages:
            raise ImportFailure(row.where, name, f"there is no passage {text[:40]!r}")
        indices[int(text)] = None
    return tuple(indices)


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
        return json_value(row.text(column))
    except ValueError as error:
        raise ImportFailure(row.where, column, f"no JSON: {error}") from error
