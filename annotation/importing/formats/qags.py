"""QAGS: three people say of every sentence of a summary whether the article supports it.

The votes come one summary per line. A second file, an array in the same order, may hold what
UniEval predicts for each summary as a whole: a number on a scale of its own.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation.importing.answers import AnswerLine
from annotation.importing.errors import ImportFailure
from annotation.importing.files.documents import array_records, checked, checked_line
from annotation.importing.files.streams import lines
from annotation.importing.formats.contract import Format, FormatInput
from annotation.importing.formats.scales import line, nominal
from annotation.importing.material.records import Entry, UnitSpec
from annotation.importing.study_file.schema import StudyRecord
from tasktypes.material import Item, Sentence, Source

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


class Qags(Format):
    """One source, item and unit per summary, named by its position in the file."""

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

    def entries(self) -> Iterator[Entry]:
        for key, where, summary, _, prediction in self._records(watched=True):
            item = Item(
                key=key,
                system="" if prediction is None else str(prediction.system_id),
                sentences=tuple(
                    Sentence(text=sentence.sentence) for sentence in summary.summary_sentences
                ),
            )
            source = Source(key=key, document=summary.article)
            yield Entry(where, source, (item,), (UnitSpec(key=key, items=(item,)),))

    def answers(self) -> Iterator[AnswerLine]:
        for key, where, summary, where_predicted, prediction in self._records():
            about: dict[str, Any] = {"unit": key, "block": self._people.block.key, "kind": "human"}
            for voter, responses in summary.votes(where).items():
                scores = {"scores": {FACET: responses}}
                yield AnswerLine.of(where, **about, rater=voter, answer=scores)
            if prediction is not None:
                yield AnswerLine.of(
                    where_predicted,
                    unit=key,
                    block=self._machine.block.key,
                    kind="judge",
                    rater=JUDGE,
                    answer=self._machine.answer(prediction.predict_scores.consistency),
                )

    def _records(
        self, *, watched: bool = False
    ) -> Iterator[tuple[str, str, VotedSummary, str, Prediction | None]]:
        """(key, where, summary, where its prediction stands, prediction) one after the other."""
        watch = {"watch": self.input.watch} if watched else {}
        votes = lines(self._votes, **watch)
        predictions = self._predicted()
        for number, (vote, predicted) in enumerate(zip_longest(votes, predictions)):
            if vote is None or (predicted is None and self._predictions):
                raise self._uneven(number, votes_end=vote is None)
            where, text = vote
            summary = checked_line(where, VotedSummary, text)
            where_predicted, prediction = predicted or ("", None)
            yield str(number), where, summary, where_predicted, prediction

    def _predicted(self) -> Iterator[tuple[str, Prediction]]:
        if self._predictions is not None:
            for where, value in array_records(self._predictions):
                yield where, checked(where, Prediction, value)

    def _uneven(self, number: int, *, votes_end: bool) -> ImportFailure:
        ended, going_on = (
            (self._votes, self._predictions) if votes_end else (self._predictions, self._votes)
        )
        return ImportFailure(
            f"{ended} (record {number})", "records", f"ends here, but {going_on} goes on"
        )
