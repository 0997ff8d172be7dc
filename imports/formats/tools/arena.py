"""Votes on pairs of answers, as FastChat publishes those of MT-bench and of the Chatbot Arena, and
as its judges write theirs."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import ObjectRecord, object_of, object_records
from files.readers.streams import Watch, unwatched
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.stand_ins import source_named
from imports.formats.tools.chats import turns_of
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.blocks import BlockPart
from imports.study_file.schema import StudyRecord
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.pairwise import PAIRWISE
from tasktypes.pairwise.schema import PREFERENCE, Preferred
from tasktypes.texts.material import NO_TEXT, Item, Sentence, Source
from tasktypes.texts.sentences import cut
from tasktypes.texts.written import trimmed

TIES = ("tie", "tie (bothbad)")
BOTH_BAD = "votes_both_bad"
_MACHINE = re.compile(r"(gpt|claude|gemini|llama)[-_ ]?\d.*|.*[-_]pair(-v\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Vote:
    """Which of two models a judge prefers on a question, at a turn of its conversation. models: in
    the order shown. both_ways: the judge saw them in either order before it voted."""

    where: RecordPlace
    question: str
    turn: int
    models: tuple[str, str]
    preferred: Preferred
    rater: str
    kind: Literal["human", "judge"]
    conversations: tuple[Any, Any]
    findings: Findings
    both_ways: bool = False
    reasons: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The same whatever the sides were."""
        return f"{self.topic}/{'~'.join(sorted(self.models))}"

    def with_first(self, model: str) -> "Vote":
        """The vote with that model as the first one."""
        if self.models[0] == model:
            return self
        turned: dict[Preferred, Preferred] = {"first": "second", "second": "first", "tie": "tie"}
        return replace(
            self,
            models=self.models[::-1],
            conversations=self.conversations[::-1],
            preferred=turned[self.preferred],
        )

    @property
    def topic(self) -> str:
        """The question, at a later turn with its number."""
        return self.question if self.turn == 1 else f"{self.question}/{self.turn}"

    @property
    def source(self) -> Source:
        """What people asked until that turn."""
        questions = _said(self.conversations[0], self.turn, "user")
        return source_named(self.topic, query="\n\n".join(questions))

    def answer(self, replicate: int = 0) -> AnswerLine:
        """The vote as an answer, the n-th of its rater."""
        return AnswerLine.of(
            self.where,
            unit=self.unit,
            rater=self.rater,
            kind=self.kind,
            replicate=replicate,
            answer={"preferred": {PREFERENCE.key: self.preferred}},
            reasons=self.reasons,
        )

    @property
    def items(self) -> tuple[Item, Item]:
        """What both models answered until then."""
        first, second = (
            Item(
                key=f"{self.topic}/{model}",
                system=model,
                sentences=_sentences(talk, self.turn),
            )
            for model, talk in zip(self.models, self.conversations, strict=True)
        )
        return first, second


class Arena(Format):
    """One unit per question, turn and pair of models, which may be voted on from either side"""

    taken = AcceptedFiles(
        "MT-bench and Chatbot Arena",
        "The votes, as JSON, JSONL or Parquet",
        (".json", ".jsonl", ".parquet", ".gz"),
    )

    names_accounts = True

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._met: set[str] = set()
        # The model shown first to the first who voted on a unit, and the units that were shown
        # the other way round, too.
        self._first: dict[str, str] = {}
        self._both_ways: set[str] = set()

    def study(self) -> StudyRecord:
        for vote in self.skipped.usable(self._records(), _usable_vote):
            first = self._first.setdefault(vote.unit, vote.models[0])
            if vote.both_ways or vote.models[0] != first:
                self._both_ways.add(vote.unit)
        if not self._first:
            raise ImportFailure(str(self.input.files[0]), "records", "none in this file")
        return StudyRecord(blocks=(BlockPart(task_type=PAIRWISE.slug),))

    def entries(self) -> Iterator[MaterialEntry]:
        for vote in self.skipped.usable(self._records(self.input.watch), _usable_vote):
            if vote.unit not in self._met:
                self._met.add(vote.unit)
                yield self._entry(vote.with_first(self._first[vote.unit]))
            else:
                self.findings.add(vote.findings)

    def answers(self) -> Iterator[AnswerLine]:
        earlier: Counter[tuple[str, str]] = Counter()
        for vote in self.skipped.usable(self._records(), _vote):
            told = vote.with_first(self._first.get(vote.unit, vote.models[0]))
            yield told.answer(earlier[vote.rater, vote.unit])
            earlier[vote.rater, vote.unit] += 1

    def summary(self) -> list[str]:
        both = f"{len(self._both_ways)} of {len(self._first)}"
        told = f"pairs shown in both orders, without figures of position: {both}"
        return [told] if self._both_ways else []

    def _entry(self, vote: Vote) -> MaterialEntry:
        """The unit of a vote, with its items in the order shown."""
        focus = {"order": [0, 1], **({ORDER_KNOWN: False} if vote.unit in self._both_ways else {})}
        items = vote.items
        unit = UnitSpec(key=vote.unit, items=items, focus=focus)
        return MaterialEntry(vote.where, vote.source, items, (unit,), findings=vote.findings)

    def _records(self, watch: Watch = unwatched) -> Iterator[ObjectRecord]:
        for path in self.input.files:
            yield from object_records(path, watch)


def _usable_vote(record: ObjectRecord) -> Vote:
    """The vote of a record whose texts can be read, and whose answer can be stored."""
    vote = _vote(record)
    _ = vote.source, vote.items, vote.answer()
    return vote


def _vote(record: ObjectRecord) -> Vote:
    """The vote of a record; its models in the order shown, of a judge of both games the first."""
    where, value = record.where, object_of(record)
    both_ways = "g1_winner" in value
    if both_ways:
        value = _of_both_games(where, value)
    models, winner = (
        [_text(where, value, name) for name in ("model_a", "model_b")],
        value.get("winner"),
    )
    if models[0] == models[1]:
        raise ImportFailure(where, "model_b", f"{models[1]!r} is compared with itself")
    if winner not in ("model_a", "model_b", *TIES):
        reason = f"{str(winner)[:40]!r} is none of model_a, model_b, {', '.join(TIES)}"
        raise ImportFailure(where, "winner", reason)
    findings = Findings()
    if winner == TIES[1]:
        findings.note(BOTH_BAD, where)
    preferred: Preferred = "tie"
    if winner not in TIES:
        preferred = "second" if winner == "model_b" else "first"
    judge = value.get("judge") or "arena"
    named = " ".join(map(str, judge)) if isinstance(judge, list | tuple) else str(judge)
    machine = not isinstance(judge, str) or _MACHINE.fullmatch(judge) is not None
    question = value.get("question_id", value.get("id"))
    if question is None:
        raise ImportFailure(where, "question_id", "missing")
    return Vote(
        where,
        str(question),
        _turn(where, value),
        (models[0], models[1]),
        preferred,
        named,
        "judge" if machine else "human",
        (value.get("conversation_a"), value.get("conversation_b")),
        findings,
        both_ways,
        _reasons(value),
    )


def _of_both_games(where: RecordPlace, value: Mapping[str, Any]) -> dict[str, Any]:
    """The vote of a judge of FastChat that saw both models on either side: a tie unless it
    prefers the same one both times, as its table of results has it."""
    games = [value.get("g1_winner"), value.get("g2_winner")]
    if "error" in games:
        raise ImportFailure(where, "winner", "error (the judge's reply could not be read)")
    sides = {"model_1": "model_a", "model_2": "model_b"}
    agreed = sides.get(str(games[0]), "tie") if games[0] == games[1] else "tie"
    models = {"model_a": value.get("model_1"), "model_b": value.get("model_2")}
    return {**value, **models, "winner": agreed}


def _reasons(value: Mapping[str, Any]) -> tuple[str, ...]:
    """What a judge of FastChat wrote before its verdict, of both games."""
    written = (value.get(name) for name in ("g1_judgment", "g2_judgment"))
    return tuple(text.strip() for text in written if isinstance(text, str) and text.strip())


def _text(where: RecordPlace, value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise ImportFailure(where, name, "missing")
    return trimmed(text)


def _turn(where: RecordPlace, value: Mapping[str, Any]) -> int:
    turn = value.get("turn", 1)
    if not isinstance(turn, int) or turn < 1:
        raise ImportFailure(where, "turn", f"{str(turn)[:40]!r} is no number of a turn from 1")
    return turn


def _said(conversation: Any, turn: int, role: str) -> list[str]:
    """What a role says until that turn."""
    turns = turns_of(conversation) if isinstance(conversation, Sequence) else ()
    return [spoken.words for spoken in turns if spoken.role == role][:turn]


def _sentences(conversation: Any, turn: int) -> tuple[Sentence, ...]:
    answers = _said(conversation, turn, "assistant")
    said = tuple(part for answer in answers for part in cut(answer, with_citations=False))
    return said or (Sentence(text=NO_TEXT),)
