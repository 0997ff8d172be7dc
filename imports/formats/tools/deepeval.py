"""Test runs of DeepEval, as it writes them into its folder of results and `.deepeval`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.documents import whole_object
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles
from imports.formats.rated_outputs import RatedOutput, Score
from imports.formats.traces.exchanges import item_of, source_of, text_in
from imports.formats.traces.outputs import NamedOutputs
from imports.formats.traces.records import PartRecord
from imports.formats.traces.scores import plain_value, score_of

CASES = "testCases"
_WITHOUT_SCORE = "metrics_without_a_score"
# Fields of a test case that have no place in a study.
_ASIDE = ("context", "retrievalContext", "toolsCalled", "conversationalTestCase")


class DeepEvalRuns(NamedOutputs):
    """One unit per test case; every metric is a judge"""

    taken = AcceptedFiles("DeepEval", "Test runs, as JSON (`test_run_….json`)", (".json", ".gz"))

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        return sorted(folder.rglob("test_run_*.json"))

    def records(self, watch: Watch = unwatched) -> Iterator[PartRecord]:
        for path in self.input.files:
            content = whole_object(path, watch, with_nan=True)
            run = content.get("testRunData") or content
            cases = run.get(CASES)
            if not isinstance(cases, list):
                raise ImportFailure(str(path), CASES, "missing: this is no test run of DeepEval")
            for number, case in enumerate(cases):
                where = RecordPlace(f"{path} (test case {number})", file=path, raw=case)
                yield PartRecord(where, case)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        assert isinstance(record, PartRecord)
        case, where, findings = record.value, record.where, Findings()
        order = case.get("order", where.rpartition(" ")[2].rstrip(")"))
        file = f"{where.file.stem}/" if len(self.input.files) > 1 else ""
        key = f"{file}{order}"
        self.refuse_duplicate(where, key, case)
        for name in _ASIDE:
            if case.get(name):
                self.leave_out(name, where)
        expected = text_in(case.get("expectedOutput"))
        try:
            source, _ = source_of(case.get("input"), facts=[expected] if expected else [])
            item = item_of(key, "", text_in(case.get("actualOutput")))
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        scores = list(_scores(where, case, findings))
        return [RatedOutput(where, source, item, scores, findings)]


def _scores(where: str, case: Mapping[str, Any], findings: Findings) -> Iterator[Score]:
    for metric in case.get("metricsData") or ():
        value = plain_value(metric.get("score"))
        name = str(metric.get("name") or "metric")
        if value is None:
            findings.note(_WITHOUT_SCORE, f"{where} ({name}: {metric.get('error') or 'no score'})")
            continue
        model = metric.get("evaluationModel")
        rater = f"{name} ({model})" if model else name
        yield score_of(
            rater, "judge", name, value, metric.get("reason"), passed=metric.get("success")
        )
