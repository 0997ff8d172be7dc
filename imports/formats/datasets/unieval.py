"""Results as UniEval writes them: people's mean scores and predicted ones, by dimension.

A file is one JSON array. A record is identified by its position in the file; records with the
same `doc_id` and source text are outputs for one source, and so are records with the same source
text where no `doc_id` names it.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from files.errors import ImportFailure
from files.readers.documents import array_records, checked
from files.readers.streams import Member, Watch, unwatched
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.scales import Measure, ObservedValues, facet_name, line_through
from imports.formats.stand_ins import item_named
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord
from tasktypes.texts.material import NO_TEXT, Source, Text

# The scores of the file are means over people that it does not name.
PEOPLE, JUDGE = "human-mean", "unieval"

Score = Annotated[float, Field(allow_inf_nan=False)]
Scores = Annotated[dict[str, Score], Field(min_length=1)]


class ScoredOutput(BaseModel):
    """One record."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)

    doc_id: int | str = ""
    system_id: int | str = ""
    source: str = ""
    context: str = ""
    system_output: Text
    scores: Scores
    predict_scores: Scores

    @property
    def text(self) -> str:
        """What the output is about; empty where the record does not hold it."""
        return self.source or self.context


class UniEval(Format):
    """One unit per record, asked about twice per dimension: of people, and of the machine."""

    taken = AcceptedFiles(
        "UniEval",
        "One file: the scored outputs as a JSON array",
        (".json", ".gz"),
        group="published",
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        if len(format_input.files) > 1:
            raise ImportFailure(str(format_input.files[1]), "file", "this format is one file")
        self._facets: dict[str, str] = {}
        self._people: dict[str, Measure] = {}
        self._machine: dict[str, Measure] = {}
        self._texts_of: dict[str, set[str]] = defaultdict(set)
        # Source text -> the first record with it that no `doc_id` names.
        self._first_with: dict[str, str] = {}

    def study(self) -> StudyRecord:
        """The dimensions and the ends of their scales, which only the whole file tells."""
        human: dict[str, ObservedValues] = {}
        predicted: dict[str, ObservedValues] = {}
        for _, _, record in self._records():
            for by_name, scores in ((human, record.scores), (predicted, record.predict_scores)):
                for name, value in scores.items():
                    self._facets.setdefault(name, facet_name("", name))
                    by_name.setdefault(name, ObservedValues()).add(value)
            self._texts_of[str(record.doc_id)].add(record.source)
        for name, observed in human.items():
            self._people[name] = line_through(self._facets[name], observed)
        for name, observed in predicted.items():
            facet = self._facets[name]
            both = (facet,) if name in human else ()
            self._machine[name] = line_through(f"{facet}_score", observed, compared_with=both)
        measures = [*self._people.values(), *self._machine.values()]
        try:
            return StudyRecord(blocks=tuple(measure.block for measure in measures))
        except ValueError as error:
            raise ImportFailure.of(str(self.input.files[0]), error) from error

    def entries(self) -> Iterator[MaterialEntry]:
        return self.skipped.usable(self._members(self.input.watch), self._entry)

    def answers(self) -> Iterator[AnswerLine]:
        for where, key, record in self._records():
            people: dict[str, Any] = {"unit": key, "rater": PEOPLE, "kind": "human"}
            machine: dict[str, Any] = {"unit": key, "rater": JUDGE, "kind": "judge"}
            yield from _answers(where, people, record.scores, self._people)
            yield from _answers(where, machine, record.predict_scores, self._machine)

    def _entry(self, member: Member) -> MaterialEntry:
        where, key, record = _scored(member)
        item = item_named(key, system=str(record.system_id), text=record.system_output)
        source = self._source(key, record)
        return MaterialEntry(where, source, (item,), (UnitSpec(key=key, items=(item,)),))

    def _source(self, key: str, record: ScoredOutput) -> Source:
        """A `doc_id` names a source where it stands for one text alone; else the text does."""
        # Without a text, the output must not pass for the document that it is held against.
        document = record.text or NO_TEXT
        if record.doc_id != "" and len(self._texts_of[str(record.doc_id)]) == 1:
            return Source(key=str(record.doc_id), document=document)
        first = self._first_with.setdefault(record.text, key) if record.text else key
        return Source(key=f"record-{first}", document=document)

    def _records(self) -> Iterator[tuple[str, str, ScoredOutput]]:
        return self.skipped.usable(self._members(), _scored)

    def _members(self, watch: Watch = unwatched) -> Iterator[Member]:
        return array_records(self.input.files[0], watch)


def _scored(member: Member) -> tuple[str, str, ScoredOutput]:
    record = checked(member.where, ScoredOutput, member.value)
    for name in (*record.scores, *record.predict_scores):
        facet_name(member.where, name)
    return member.where, member.key, record


def _answers(
    where: str, about: dict[str, Any], scores: dict[str, float], by: dict[str, Measure]
) -> Iterator[AnswerLine]:
    for name, value in scores.items():
        answer = by[name].answer(value)
        yield AnswerLine.of(where, **about, block=by[name].block.key, answer=answer)
