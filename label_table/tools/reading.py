"""Results files of one tool as a table of labels, a row per score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from files.errors import ImportFailure, RecordPlace
from files.readers.detection import TableForm
from files.readers.raw_tables import RawTable
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow
from files.reading.model import AnswersReading, ColumnReading, Holds, Level, Reading, TableReading
from files.reading.proposals import Stated
from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput, with_folders_read
from imports.formats.rated_outputs import RatedOutput, Score
from label_table.files import ReadFiles
from label_table.tools.criteria import Compared, compared
from label_table.tools.labels import with_labels
from label_table.tools.registry import Tool, ToolFiles

COLUMNS = {
    "unit": Holds.OUTPUT,
    "source": Holds.SOURCE,
    "system": Holds.SYSTEM,
    "input": Holds.QUERY,
    "output": Holds.TEXT,
    "criterion": Holds.CRITERION,
    "rater": Holds.RATER,
    "kind": Holds.KIND,
    "label": Holds.ANSWER,
    "reason": Holds.REASON,
}
# A text that a file does not have.
NO_OUTPUT, NOBODY = "–", "–"


@dataclass(frozen=True)
class ResultTable(RawTable):
    """The scores of a tool's files as rows, in memory."""

    read_rows: Sequence[tuple[RecordPlace, list[str]]] = field(
        default=(), repr=False, compare=False
    )

    def rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        for where, texts in self.read_rows:
            yield TableRow(where, self.names, texts)


def read_tool(found: ToolFiles, stated: Stated, level: Level | None = None) -> ReadFiles:
    """The files of a tool, as a check reads them. ImportFailure, in one sentence, where they cannot
    be used."""
    tool, files, labels = found.tool, found.results, found.labels
    skipped = SkippedRecords(strict=False)
    outputs = with_labels(outputs_in(files, tool, skipped), labels)
    scores = compared(outputs, stated)
    reading = Reading(
        tables=(
            TableReading(
                files=(tool.name,),
                columns=tuple(ColumnReading(column=c, holds=h) for c, h in COLUMNS.items()),
            ),
        ),
        answers=tuple(AnswersReading(criterion=name, level=level) for name in scores.criteria),
        repeated="all",
    )
    table = ResultTable(
        name=tool.name,
        path=files[0],
        form=TableForm("json"),
        names=tuple(COLUMNS),
        read_rows=list(_rows(outputs, scores)),
    )
    return ReadFiles(
        files,
        [table],
        reading,
        stated,
        has_levels=bool(level),
        notes=[
            *(f"People’s labels are read from {path}." for path in labels),
            *scores.notes,
            *(f"Left out: {each}" for each in skipped.listed[:3]),
        ],
        tool=tool.title,
    )


def outputs_in(
    files: Sequence[Path], tool: Tool, skipped: SkippedRecords | None = None
) -> Sequence[RatedOutput]:
    """The outputs of files of a tool with their scores, as a study is imported from them."""
    skipped = skipped or SkippedRecords(strict=False)
    kind = tool.format
    reader = kind(FormatInput(with_folders_read(kind, files), skipped=skipped))
    try:
        reader.prepare()
        outputs = list(reader.outputs())
    finally:
        reader.close()
    if not outputs:
        reason = skipped.listed[0] if skipped.listed else "none in these files"
        raise ImportFailure(str(files[0]), "records", str(reason))
    return outputs


def _rows(
    outputs: Sequence[RatedOutput], scores: Compared
) -> Iterator[tuple[RecordPlace, list[str]]]:
    for output in outputs:
        source, item = output.source, output.item
        about = [item.key, source.key, item.system, asked(output), written(output)]
        said = [
            [criterion, rater, score.kind, label_of(score), score.reason]
            for score in output.scores
            for criterion, rater in [scores.place(score)]
            if criterion
        ]
        # An output that nobody judged is a unit all the same.
        for cells in said or [[scores.criteria[0], NOBODY, "", "", ""]]:
            yield output.where, [*about, *cells]


def asked(output: RatedOutput) -> str:
    """What the output answers, in words."""
    source = output.source
    turns = "\n\n".join(f"{turn.speaker}: {turn.words}" for turn in source.turns)
    texts = (source.query, source.claim, source.document, turns)
    return "\n\n".join(filter(None, texts)) or NO_OUTPUT


def written(output: RatedOutput) -> str:
    """The output in words."""
    return output.item.text or NO_OUTPUT


def label_of(score: Score) -> str:
    """The verdict where the tool gives one, else the score."""
    if score.passed is not None:
        return "pass" if score.passed else "fail"
    value = score.values[0]
    return f"{value:g}" if isinstance(value, float) else value
