"""QAGS: three people say of every sentence of a summary whether the article supports it.

The votes come one summary per line. A second file, an array in the same order, may hold what
UniEval predicts for each summary as a whole: a number on a scale of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from files.errors import ImportFailure, RecordPlace
from files.readers.documents import array_records, checked, checked_line
from files.readers.streams import Member, RawLine, lines
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.scales import line, nominal
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord
from tasktypes.texts.material import Item, Sentence, Source

FACET = "consistency"
JUDGE = "unieval"
YES_NO = ("yes", "no")

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Vote(BaseModel):
    """What one person said of one sentence."""

    model_config = ConfigDict(frozen=True)

    worker_id: int | str
    response: Literal["yes", "no"]


class VotedSentence(BaseModel):
    """A sentence of a summary with its votes."""

    model_config = ConfigDict(frozen=True)

    sentence: Words
    responses: Annotated[tuple[Vote, ...], Field(min_length=1)]


class VotedSummary(BaseModel):
    """One line of the file of votes."""

    model_config = ConfigDict(frozen=True)

    article: Words
    summary_sentences: Annotated[tuple[VotedSentence, ...], Field(min_length=1)]

    def votes(self, where: str) -> dict[str, list[str]]:
        """Voter to answers, one per sentence; ImportFailure for a voter who left one out."""
        by_voter: dict[str, list[str]] = {}
        for number, sentence in enumerate(self.summary_sentences):
            field = f"summary_sentences[{number}].responses"
            for vote in sentence.responses:
                answers = by_voter.setdefault(str(vote.worker_id), [])
                if len(answers) != number:
                    times = "twice" if len(answers) > number else "not in every sentence"
                    raise ImportFailure(where, field, f"voter {vote.worker_id} votes {times}")
                answers.append(vote.response)
        for voter, answers in by_voter.items():
            if len(answers) < len(self.summary_sentences):
                field = f"summary_sentences[{len(answers)}].responses"
                raise ImportFailure(where, field, f"no vote of voter {voter}")
        return by_voter


class Scores(BaseModel):
    """The scores of a record by what they are about."""

    model_config = ConfigDict(frozen=True)

    consistency: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Prediction(BaseModel):
    """One record of the file of predictions; its texts are divided otherwise and not read."""

    model_config = ConfigDict(frozen=True)

    system_id: int | str = ""
    predict_scores: Scores


@dataclass(frozen=True)
class SummaryRecord:
    """A line of votes with the prediction of the same position, if any, both still to be read."""

    key: str
    line: RawLine
    prediction: Member | None

    @property
    def where(self) -> RecordPlace:
        return self.line.where

    @property
    def summary(self) -> VotedSummary:
        return checked_line(self.line, VotedSummary)

    @property
    def predicted(self) -> Prediction | None:
        if self.prediction is None:
            return None
        return checked(self.prediction.where, Prediction, self.prediction.value)


class Qags(Format):
    """One source, item and unit per summary, named by its position in the file."""

    taken = AcceptedFiles(
        "QAGS",
        "The votes, and optionally the predictions as a second file",
        (".jsonl", ".json", ".gz"),
        group="published",
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        if len(format_input.files) > 2:
            raise ImportFailure(
                str(format_input.files[2]), "file", "votes and predictions are two files"
            )
        self._votes = format_input.files[0]
        self._predictions: Path | None = (
            format_input.files[1] if len(format_input.files) > 1 else None
        )
        self._people = nominal(FACET, YES_NO, per_sentence=True)
        self._machine = line(f"{FACET}_score", 0, 1, compared_with=(FACET,))

    def study(self) -> StudyRecord:
        machine = (self._machine.block,) if self._predictions else ()
        return StudyRecord(blocks=(self._people.block, *machine))

    def entries(self) -> Iterator[MaterialEntry]:
        return self.skipped.usable(self._records(watched=True), self._entry)

    def answers(self) -> Iterator[AnswerLine]:
        return chain.from_iterable(self.skipped.usable(self._records(), self._answers))

    def _entry(self, record: SummaryRecord) -> MaterialEntry:
        self._answers(record)
        key, prediction, summary = record.key, record.predicted, record.summary
        item = Item(
            key=key,
            system="" if prediction is None else str(prediction.system_id),
            sentences=tuple(
                Sentence(text=sentence.sentence) for sentence in summary.summary_sentences
            ),
        )
        source = Source(key=key, document=summary.article)
        return MaterialEntry(record.where, source, (item,), (UnitSpec(key=key, items=(item,)),))

    def _answers(self, record: SummaryRecord) -> list[AnswerLine]:
        about = {"unit": record.key, "block": self._people.block.key, "kind": "human"}
        answers = [
            AnswerLine.of(record.where, **about, rater=voter, answer={"scores": {FACET: votes}})
            for voter, votes in record.summary.votes(record.where).items()
        ]
        prediction = record.predicted
        if record.prediction is not None and prediction is not None:
            machine = self._machine.answer(prediction.predict_scores.consistency)
            about = {"unit": record.key, "block": self._machine.block.key, "kind": "judge"}
            where = record.prediction.where
            answers.append(AnswerLine.of(where, **about, rater=JUDGE, answer=machine))
        return answers

    def _records(self, *, watched: bool = False) -> Iterator[SummaryRecord]:
        watch = {"watch": self.input.watch} if watched else {}
        votes = lines(self._votes, **watch)
        predictions = iter(()) if self._predictions is None else array_records(self._predictions)
        for number, (vote, predicted) in enumerate(zip_longest(votes, predictions)):
            if vote is None or (predicted is None and self._predictions):
                raise self._uneven(number, votes_end=vote is None)
            yield SummaryRecord(str(number), vote, predicted)

    def _uneven(self, number: int, *, votes_end: bool) -> ImportFailure:
        ended, going_on = (
            (self._votes, self._predictions) if votes_end else (self._predictions, self._votes)
        )
        return ImportFailure(
            f"{ended} (record {number})", "records", f"ends here, but {going_on} goes on"
        )
