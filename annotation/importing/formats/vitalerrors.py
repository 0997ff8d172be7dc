"""VITAL: which claims of a response matter to the query, by one person or machine per file.

The files are called `<rater>_<condition>.jsonl`. Those of one condition hold the same responses
with the same claims, in the same order; what a file says about them is its rater's answer. A
response under another condition was made from the response to the same query that stands at the
same place among the normal ones.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation.importing.answers import AnswerLine
from annotation.importing.errors import ImportFailure
from annotation.importing.files.documents import checked_line
from annotation.importing.files.streams import Watch, lines, unwatched
from annotation.importing.formats.contract import Format, FormatInput
from annotation.importing.material.records import Entry, UnitSpec
from annotation.importing.study_file.schema import BlockPart, StudyRecord
from tasktypes.importance import IMPORTANCE
from tasktypes.importance.schema import PARTS, ClaimAnswer, Label, Support
from tasktypes.material import Item, Sentence, Source
from tasktypes.sentences import split

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


class ResponseLines(NamedTuple):
    """One response of one condition: the lines of all raters' files about it."""

    place: int
    condition: str
    lines: list[tuple[RaterFile, str, LabelledResponse]]

    @property
    def key(self) -> str:
        return f"{self.condition}/{self.place}"


class VitalErrors(Format):
    """One source per query, one item and unit per response."""

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._files = [_named(path) for path in format_input.files]
        for number, file in enumerate(self._files):
            if file[1:] in [earlier[1:] for earlier in self._files[:number]]:
                raise ImportFailure(str(file.path), "file", "a second one of that name")

    def study(self) -> StudyRecord:
        return StudyRecord(blocks=(BlockPart(task_type=IMPORTANCE.slug, options=OPTIONS),))

    def entries(self) -> Iterator[Entry]:
        queries: dict[str, str] = {}
        # Place -> the query of the normal response there.
        originals: dict[int, str] = {}
        for line in self._lines(self.input.watch):
            file, where, response = line.lines[0]
            for _, where_else, other in line.lines[1:]:
                if other.texts != response.texts:
                    reason = f"another response or other claims than in {file.path.name}"
                    raise ImportFailure(where_else, "decomposition", reason)
            key = queries.setdefault(response.query, f"query-{len(queries) + 1}")
            if line.condition == ORIGINAL:
                originals[line.place] = response.query
            item = Item(
                key=line.key,
                condition=line.condition,
                perturbed_from=_original(where, line, response.query, originals),
                sentences=tuple(Sentence(text=text) for text in split(response.response.text)),
            )
            focus = {"claims": [claim.text for claim in response.claims]}
            unit = UnitSpec(key=line.key, items=(item,), focus=focus)
            yield Entry(where, Source(key=key, query=response.query), (item,), (unit,))

    def answers(self) -> Iterator[AnswerLine]:
        for line in self._lines(unwatched):
            for file, where, response in line.lines:
                kind = "human" if file.rater == HUMAN else "judge"
                answer = response.answer(where)
                yield AnswerLine.of(
                    where, unit=line.key, rater=file.rater, kind=kind, answer=answer
                )

    def _lines(self, watch: Watch) -> Iterator[ResponseLines]:
        conditions = dict.fromkeys(file.condition for file in self._files)
        for condition in sorted(conditions, key=lambda name: name != ORIGINAL):
            files = [file for file in self._files if file.condition == condition]
            for number, rows in enumerate(zip_longest(*(lines(f.path, watch) for f in files))):
                yield ResponseLines(number + 1, condition, _labelled(files, rows))


def _original(where: str, line: ResponseLines, query: str, originals: Mapping[int, str]) -> str:
    """The key of the normal response that this one was made from; empty without normal ones."""
    if line.condition == ORIGINAL or not originals:
        return ""
    if line.place not in originals:
        reason = f"there is no response {line.place} under {ORIGINAL!r} that this was made from"
        raise ImportFailure(where, "response", reason)
    if query != originals[line.place]:
        reason = f"another one than that of response {line.place} under {ORIGINAL!r}"
        raise ImportFailure(where, "query", reason)
    return f"{ORIGINAL}/{line.place}"


def _labelled(
    files: Sequence[RaterFile], rows: Sequence[tuple[str, str] | None]
) -> list[tuple[RaterFile, str, LabelledResponse]]:
    labelled = []
    for file, row in zip(files, rows, strict=True):
        if row is None:
            longest = next(f for f, r in zip(files, rows, strict=True) if r is not None)
            raise ImportFailure(str(file.path), "lines", f"fewer than in {longest.path.name}")
        where, text = row
        labelled.append((file, where, checked_line(where, LabelledResponse, text)))
    return labelled


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
