"""Results of Ragas, as `result.to_pandas()` or an experiment writes them: a row per sample."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from files.errors import ImportFailure
from files.readers.streams import Watch, unwatched
from files.readers.tables import as_number
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.exchanges import item_of, source_of, text_in, value_of
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import Record, content_of, records_of
from imports.formats.traces.scores import plain_value, score_of

GIVEN, GAVE = "user_input", "response"
# What a sample holds; every other column is a metric.
SAMPLE = frozenset(
    (GIVEN, GAVE, "retrieved_contexts", "reference_contexts", "reference", "rubrics",
     "multi_responses", "reference_tool_calls", "reference_topics", "persona_name", "query_style",
     "query_length", "retrieved_context_ids", "reference_context_ids", "id", "name")
)  # fmt: skip


class RagasResults(NamedOutputs):
    """One unit per sample; every metric is a judge"""

    taken = AcceptedFiles("Ragas", "Results as CSV, JSON or JSONL (`to_pandas().to_csv(…)`)")

    def records(self, watch: Watch = unwatched) -> Iterator[Placed]:
        for path in self.input.files:
            yield from records_of(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, Record)
        content, where = content_of(record), record.where
        if GIVEN not in content or GAVE not in content:
            missing = GIVEN if GIVEN not in content else GAVE
            raise ImportFailure(where, missing, "missing: this is no sample of Ragas")
        key = str(content.get("id") or where.rpartition(":")[2])
        self.refuse_duplicate(where, key, content)
        reference = text_in(content.get("reference"))
        contexts = value_of(content.get("retrieved_contexts")) or ()
        given = {"question": content[GIVEN]}
        if isinstance(contexts, list):
            given["context"] = "\n\n".join(map(text_in, contexts))
        try:
            source, _ = source_of(given, facts=[reference] if reference else [])
            item = item_of(key, "", text_in(content[GAVE]))
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        return [RatedOutput(where, source, item, list(_scores(content)))]


def _scores(content: Mapping[str, Any]) -> Iterator[Score]:
    for name, raw in content.items():
        if name not in SAMPLE and (value := _value(raw)) is not None:
            yield score_of(name, "judge", name, value)


def _value(raw: object) -> float | str | None:
    """A number also where a table has it as text."""
    if isinstance(raw, str):
        try:
            return as_number(raw)
        except ValueError:
            return plain_value(raw)
    return plain_value(raw)
