"""A study that this program published as a dataset: its texts, and every rating of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.objects import object_records
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import FormatInput
from imports.formats.rated_outputs import RatedOutput, RatedOutputs, Score
from imports.formats.scales import RawRating
from tasktypes.texts.material import NO_TEXT, Item, Passage, Sentence, Source
from tasktypes.texts.sentences import cut, located

LABELS_FILE, RATINGS_FILE = "labels.parquet", "ratings.parquet"
COLUMNS = {
    LABELS_FILE: ("unit", "facet", "element", "element_text", "item", "item_text", "source"),
    RATINGS_FILE: ("unit", "role", "facet", "element", "value", "number", "rater", "kind"),
}
LEFT_OUT = "ratings_left_out"
SEVERAL = "ratings_of_several_items_not_imported"

Row = Mapping[str, Any]
# Facet, rater, kind, replicate.
Slot = tuple[str, str, str, int]


@dataclass(frozen=True)
class PublishedUnit:
    """A unit of the study, with the rows of its texts and those of its ratings."""

    where: RecordPlace
    key: str
    texts: Sequence[Row]
    ratings: Sequence[Row]


class PublishedStudy(RatedOutputs):
    """One unit per unit of the study, held in memory while they are read."""

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        files = {path.name: path for path in format_input.files}
        self._labels, self._ratings = files[LABELS_FILE], files[RATINGS_FILE]

    def records(self, watch: Watch = unwatched) -> Iterator[PublishedUnit]:
        texts, ratings = _by_unit(self._labels, watch), _by_unit(self._ratings, watch)
        for key, rows in texts.items():
            where = RecordPlace(f"{self._labels} (unit {key})", file=self._labels, raw=rows[0])
            yield PublishedUnit(where, key, rows, ratings.get(key, []))

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, PublishedUnit)
        where, findings = record.where, Findings()
        first = next((row for row in record.texts if row["item"]), None)
        if first is None:
            findings.count(SEVERAL, len(record.ratings))
            self.findings.add(findings)
            return []
        try:
            sentences = _sentences(record.texts, str(first["item_text"] or ""))
            about = {
                name: first.get(name) or ""
                for name in ("system", "system_family", "evidence_source", "condition")
            }
            item = Item(key=record.key, sentences=sentences, **about)
            source, scores = _source(first), _scores(record, len(sentences), findings)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        return [RatedOutput(where, source, item, scores, findings)]


def _by_unit(path: Path, watch: Watch) -> dict[str, list[Row]]:
    units: dict[str, list[Row]] = defaultdict(list)
    for record in object_records(path, watch):
        row = record.value
        for name in COLUMNS[path.name]:
            if name not in row:
                reason = "no such column: this is no dataset that Jurybox published"
                raise ImportFailure(str(path), name, reason)
        units[str(row["unit"])].append(row)
    return units


def _source(row: Row) -> Source:
    texts = {name: row.get(name) or "" for name in ("claim", "query", "document")}
    if not any(texts.values()):
        texts["document"] = NO_TEXT
    passages = zip(row.get("passage_numbers") or (), row.get("passages") or (), strict=False)
    return Source(
        key=str(row["source"]),
        verdict=row.get("verdict") or "",
        passages=tuple(Passage(index=index, text=text) for index, text in passages),
        **texts,
    )


def _sentences(rows: Sequence[Row], text: str) -> tuple[Sentence, ...]:
    """The sentences as questions numbered them, where one asked about each; else cut anew."""
    numbered = {
        int(row["element"]): str(row["element_text"])
        for row in rows
        if str(row["element"] or "").isdecimal() and row["element_text"]
    }
    if numbered and sorted(numbered) == list(range(len(numbered))):
        parts = [numbered[number] for number in range(len(numbered))]
        return located(text, parts) or tuple(Sentence(text=part) for part in parts)
    return cut(text, with_citations=False) or (Sentence(text=NO_TEXT),)


def _scores(record: PublishedUnit, n_sentences: int, findings: Findings) -> list[Score]:
    """The ratings that count: of normal units, one value each or one per sentence."""
    answers: dict[Slot, dict[str, RawRating]] = defaultdict(dict)
    for row in record.ratings:
        counts = row["role"] == "normal" and row.get("counted", "yes") == "yes"
        value = row["value"] if row["number"] is None else float(row["number"])
        if not counts or value is None or str(value).startswith("["):
            findings.note(LEFT_OUT, record.where)
            continue
        slot = str(row["facet"]), _rater(row), str(row["kind"]), int(row.get("replicate") or 0)
        answers[slot][str(row["element"] or "")] = value
    scores = []
    for (facet, rater, kind, replicate), values in answers.items():
        if set(values) == {""}:
            scores.append(Score(rater, kind, facet, values[""], replicate))
        elif set(values) == {str(number) for number in range(n_sentences)}:
            told = tuple(values[str(number)] for number in range(n_sentences))
            scores.append(Score(rater, kind, facet, told, replicate))
        else:
            findings.note(LEFT_OUT, record.where)
    return scores


def _rater(row: Row) -> str:
    """A judge's later versions are raters of their own."""
    version = int(row.get("version") or 1)
    later = row["kind"] == "judge" and version > 1
    return f"{row['rater']}-{version}" if later else str(row["rater"])
