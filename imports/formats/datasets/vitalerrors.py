"""VITAL: which claims of a response matter to the query, by one person or machine per file.

The files are called `<rater>_<condition>.jsonl`. Those of one condition hold the same responses
with the same claims, in the same order; what a file says about them is its rater's answer. A
response under another condition was made from the response to the same query that stands at the
same place among the normal ones.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from files.errors import ImportFailure, RecordPlace
from files.readers.documents import checked_line
from files.readers.streams import RawLine, Watch, lines, unwatched
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.blocks import BlockPart
from imports.study_file.schema import StudyRecord
from tasktypes.importance import IMPORTANCE
from tasktypes.importance.schema import PARTS, ClaimAnswer, Label, Support
from tasktypes.texts.material import Item, Source
from tasktypes.texts.sentences import cut

HUMAN = "human-eval"
# The condition of the responses that the others were made from.
ORIGINAL = "normal"
_NAME = re.compile(r"(?P<rater>.+)_(?P<condition>[^_]+)\.jsonl(?:\.gz)?")
# The files hold no documents and no nuggets' texts; some labels and judgments are null.
OPTIONS: dict[str, Any] = {
    "parts": [part for part in PARTS if part != "nuggets"],
    "gaps": "allowed",
    "weights": "published",
    "as_published": True,
}
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Claim(BaseModel):
    """One claim of a response, with its labels."""

    model_config = ConfigDict(frozen=True)

    id: Words
    text: Words
    judgment: bool | None = None
    importance: Label | None = None


class ResponsePart(BaseModel):
    """A sentence of a response and the claims in it."""

    model_config = ConfigDict(frozen=True)

    decomp: tuple[Claim, ...]


class Response(BaseModel):
    """What was answered to the query."""

    model_config = ConfigDict(frozen=True)

    text: Words


class LabelledResponse(BaseModel):
    """One line of a file."""

    model_config = ConfigDict(frozen=True)

    query: Words
    response: Response
    decomposition: Annotated[tuple[ResponsePart, ...], Field(min_length=1)]
    order: tuple[str, ...] | None = Field(default=None, alias="subclaim-importance-order")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(claim for part in self.decomposition for claim in part.decomp)

    @property
    def texts(self) -> tuple[Any, ...]:
        """What must be the same in the files of all raters."""
        claims = tuple((claim.id, claim.text) for claim in self.claims)
        return self.query, self.response.text, claims

    def answer(self, where: str) -> dict[str, Any]:
        places: dict[str, int] = {}
        for claim in self.claims:
            if claim.id in places:
                raise ImportFailure(where, "decomposition", f"claim {claim.id!r} occurs twice")
            places[claim.id] = len(places)
        order = None if self.order is None else [_place(where, places, i) for i in self.order]
        claims = [
            ClaimAnswer(claim=n, importance=claim.importance, support=_support(claim.judgment))
            for n, claim in enumerate(self.claims)
        ]
        return {"claims": [claim.model_dump() for claim in claims], "order": order}


class RaterFile(NamedTuple):
    """One file, and what its name says."""

    path: Path
    rater: str
    condition: str


LabelledLine = tuple[RaterFile, str, LabelledResponse]


class ResponseLines(NamedTuple):
    """One response of one condition: the lines of all raters' files about it."""

    place: int
    condition: str
    lines: list[LabelledLine]

    @property
    def key(self) -> str:
        return f"{self.condition}/{self.place}"

    @property
    def query(self) -> str:
        return self.lines[0][2].query


@dataclass(frozen=True)
class FileLine:
    """A line of one file, still to be read, and its number in the file."""

    number: int
    file: RaterFile
    line: RawLine

    @property
    def where(self) -> RecordPlace:
        return self.line.where


class VitalErrors(Format):
    """One source per query, one item and unit per response."""

    taken = AcceptedFiles(
        "VITAL errors",
        "`<rater>_<condition>.jsonl`, one file per rater and condition",
        (".jsonl", ".gz"),
        group="published",
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._files = [_named(path) for path in format_input.files]
        for number, file in enumerate(self._files):
            if file[1:] in [earlier[1:] for earlier in self._files[:number]]:
                raise ImportFailure(str(file.path), "file", "a second one of that name")

    def study(self) -> StudyRecord:
        return StudyRecord(blocks=(BlockPart(task_type=IMPORTANCE.slug, options=OPTIONS),))

    def entries(self) -> Iterator[MaterialEntry]:
        queries: dict[str, str] = {}
        # Place -> the query of the normal response there.
        originals: dict[int, str] = {}
        for line in self._lines(self.input.watch):
            _, where, response = line.lines[0]
            if line.condition == ORIGINAL:
                originals[line.place] = response.query
            made = line.condition != ORIGINAL and bool(originals)
            if made and not self._has_original(line, originals):
                continue
            key = queries.setdefault(response.query, f"query-{len(queries) + 1}")
            item = Item(
                key=line.key,
                condition=line.condition,
                perturbed_from=f"{ORIGINAL}/{line.place}" if made else "",
                sentences=cut(response.response.text, with_citations=False),
            )
            focus = {"claims": [claim.text for claim in response.claims]}
            unit = UnitSpec(key=line.key, items=(item,), focus=focus)
            yield MaterialEntry(where, Source(key=key, query=response.query), (item,), (unit,))

    def answers(self) -> Iterator[AnswerLine]:
        for response in self._lines(unwatched):
            yield from (_answer_line(response.key, line) for line in response.lines)

    def _lines(self, watch: Watch) -> Iterator[ResponseLines]:
        """The responses in order, the normal ones first; a line that cannot be used is left out of
        its response."""
        conditions = dict.fromkeys(file.condition for file in self._files)
        for condition in sorted(conditions, key=lambda name: name != ORIGINAL):
            files = [file for file in self._files if file.condition == condition]
            read = self.skipped.usable(_file_lines(files, watch), _labelled)
            for number, labelled in groupby(read, key=itemgetter(0)):
                agreeing = self._agreeing([line for _, line in labelled])
                yield ResponseLines(number + 1, condition, agreeing)

    def _agreeing(self, labelled: list[LabelledLine]) -> list[LabelledLine]:
        """The lines about the response that most files have at that place."""
        most = Counter(response.texts for _, _, response in labelled).most_common(1)[0][0]
        agreeing = [line for line in labelled if line[2].texts == most]
        for _, where, response in labelled:
            if response.texts != most:
                reason = f"another response or other claims than in {agreeing[0][0].path.name}"
                self.skipped.skip(ImportFailure(where, "decomposition", reason))
        return agreeing

    def _has_original(self, line: ResponseLines, originals: Mapping[int, str]) -> bool:
        """Whether the normal response at that place answers the same query; where it does not,
        all lines about this one are skipped."""
        query = originals.get(line.place)
        if query == line.query:
            return True
        if query is None:
            field, reason = "response", f"there is no response {line.place} under {ORIGINAL!r}"
        else:
            field = "query"
            reason = f"another one than that of response {line.place} under {ORIGINAL!r}"
        for _, where, _ in line.lines:
            self.skipped.skip(ImportFailure(where, field, reason))
        return False


def _file_lines(files: Sequence[RaterFile], watch: Watch) -> Iterator[FileLine]:
    """The lines of all files side by side: those of the first response, of the second, …"""
    for number, rows in enumerate(zip_longest(*(lines(file.path, watch) for file in files))):
        for file, row in zip(files, rows, strict=True):
            if row is None:
                longest = next(f for f, r in zip(files, rows, strict=True) if r is not None)
                raise ImportFailure(str(file.path), "lines", f"fewer than in {longest.path.name}")
            yield FileLine(number, file, row)


def _labelled(line: FileLine) -> tuple[int, LabelledLine]:
    response = checked_line(line.line, LabelledResponse)
    _answer_line("unit", (line.file, line.where, response))
    return line.number, (line.file, line.where, response)


def _answer_line(unit: str, line: LabelledLine) -> AnswerLine:
    file, where, response = line
    kind = "human" if file.rater == HUMAN else "judge"
    answer = response.answer(where)
    return AnswerLine.of(where, unit=unit, rater=file.rater, kind=kind, answer=answer)


def _named(path: Path) -> RaterFile:
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise ImportFailure(str(path), "file", "not called <rater>_<condition>.jsonl")
    return RaterFile(path, match["rater"], match["condition"])


def _place(where: str, places: dict[str, int], claim: str) -> int:
    if claim not in places:
        raise ImportFailure(where, "subclaim-importance-order", f"no claim {claim!r}")
    return places[claim]


def _support(judgment: bool | None) -> Support | None:
    return None if judgment is None else "supported" if judgment else "unsupported"
