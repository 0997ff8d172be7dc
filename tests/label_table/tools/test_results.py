"""Results files as tools wrote them: what a check makes of them, beside the tools' own figures."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from docs.example_report import PAGE, example_report
from estimates.data.options import Options
from files.errors import ImportFailure, OpenQuestion
from imports.formats.registry import FORMATS
from label_table.check import Check, check_files
from label_table.provenance import Maker
from label_table.results import read_results, result_rows
from label_table.tools.discovery import only_results, results_in
from label_table.tools.registry import TOOLS, tool_of
from label_table.tools.signs import signs_of

BASE = Path(settings.BASE_DIR)
RESULTS = BASE / "examples/check/results.json"
FOREIGN = BASE / "tests/imports/formats/foreign"
WRITTEN = {
    "promptfoo": ["promptfoo/results.json", "promptfoo/results.jsonl"],
    "inspect": ["inspect.eval", "inspect_judge/hours.eval"],
    "mlflow": ["mlflow/traces.jsonl", "mlflow/table.json"],
    "langfuse": ["langfuse/api_scores.json", "langfuse/api_observations.json",
                 "langfuse/blob_scores.jsonl", "langfuse/ui_scores.csv"],
    "deepeval": ["deepeval/run_1.json"],
    "lm-eval": ["lm_eval/listed/samples_sums_written_2026-11-22T19-44-50.067062.jsonl"],
    "openai-evals": ["openai_evals/output_items.json", "openai_evals/log_graded.jsonl"],
    "ragas": ["ragas/ragas.csv"],
}  # fmt: skip


def checked(*files: Path, **options: Any) -> Check:
    (check,) = check_files(read_results(files, **options), options=Options(resamples=0))
    return check


@pytest.mark.parametrize(
    ("tool", "file"), [(tool, file) for tool, files in WRITTEN.items() for file in files]
)
def test_a_file_is_known_by_its_looks(tool: str, file: str) -> None:
    found = tool_of(signs_of(FOREIGN / file))
    assert found is not None
    assert found.name == tool


def test_every_tool_is_read_by_the_format_that_imports_it() -> None:
    assert {tool.name: tool.format for tool in TOOLS} == {
        tool.name: FORMATS[tool.name] for tool in TOOLS
    }


def test_figures_are_those_of_promptfoo() -> None:
    said = json.loads(RESULTS.read_text(encoding="utf-8"))["results"]
    rows = result_rows(read_results([RESULTS]))
    people = [row.labelled["pass"]["reviewer"] for row in rows]
    assert people.count("pass") == said["stats"]["successes"]
    own = [
        all(part["pass"] for part in result["gradingResult"]["componentResults"]
            if part["assertion"]["type"] != "human")
        for result in said["results"]
    ]  # fmt: skip
    judged = [row.judged["pass"]["promptfoo"] for row in rows]
    assert judged.count("pass") == sum(own) != people.count("pass")
    assert rows[0].asked == "When does line 1 leave?"
    assert rows[0].text.startswith("Line 1 leaves")


def test_shares_are_those_of_deepeval() -> None:
    path = FOREIGN / "deepeval/run_1.json"
    with pytest.raises(OpenQuestion, match="no label of a person: give some by `jurybox mark"):
        check_files(read_results([path]))
    of_metrics = json.loads(path.read_text(encoding="utf-8"))["metricsScores"]
    for metric in of_metrics:
        criterion = metric["metric"].lower().replace(" ", "_")
        said = [
            value
            for row in result_rows(read_results([path]))
            for value in row.judged[criterion].values()
        ]
        assert said.count("pass") == metric["passes"]


def said_of(criterion: str, *files: Path) -> list[str]:
    """What a file's judge says by a criterion, in every row that has it."""
    rows = result_rows(read_results(files))
    return [str(value) for row in rows for value in row.judged.get(criterion, {}).values()]


def test_shares_are_those_of_lm_eval() -> None:
    folder = FOREIGN / "lm_eval/listed"
    (report,) = folder.glob("results_*.json")
    of_tasks = json.loads(report.read_text(encoding="utf-8"))["results"]
    figures = {
        (task, name.removesuffix(",none")): share
        for task, figures in of_tasks.items()
        for name, share in figures.items()
        if name.endswith(",none") and "_stderr" not in name
    }
    assert len(figures) == 3
    for (task, metric), share in figures.items():
        (samples,) = folder.glob(f"samples_{task}_*.jsonl")
        said = [*map(float, said_of(metric, samples))]
        assert sum(said) / len(said) == pytest.approx(share)


def test_shares_and_counts_are_those_of_oaieval() -> None:
    def reported(path: Path) -> dict[str, float]:
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        (report,) = (line["final_report"] for line in lines if "final_report" in line)
        return dict(report)

    matched, graded = (FOREIGN / f"openai_evals/log_{name}.jsonl" for name in ("match", "graded"))
    said = said_of("match", matched)
    assert said.count("pass") / len(said) == reported(matched)["accuracy"]
    report = reported(graded)
    scores = [*map(float, said_of("score", graded))]
    assert sum(scores) / len(scores) == report["score"]
    counts = {f"counts/{label}": n for label, n in Counter(said_of("choice", graded)).items()}
    assert counts == {name: n for name, n in report.items() if name.startswith("counts/")}


def test_a_table_of_labels_stands_beside_results_by_its_name(tmp_path: Path) -> None:
    results = tmp_path / "run.json"
    results.write_bytes((FOREIGN / "deepeval/run_1.json").read_bytes())
    lines = [f"{n},{who},{'pass' if n % 3 else 'fail'}" for n in range(12) for who in ("a", "b")]
    (tmp_path / "run.labels.csv").write_text("\n".join(["unit,rater,label", *lines]))
    check = checked(results)
    assert check.table.of_kind("human") == ["a", "b"]
    assert len(check.judges) == 2
    (tmp_path / "run.labels.csv").write_text("unit,rater,label\n77,a,pass\n")
    with pytest.raises(ImportFailure, match="'77' is no output of the results"):
        checked(results)


def test_labels_that_a_model_made_give_no_figures_against_people(tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    rows = [f"q{n},{'pass' if n % 2 else 'fail'},pass" for n in range(30)]
    table.write_text("\n".join(["id,human,judge", *rows]))
    assert checked(table).makers == {"human": Maker.PERSON, "judge": Maker.MODEL}
    with pytest.raises(ImportFailure, match="human: made by a model"):
        checked(table, made_by={"human": "model"})
    lines = [each.text for each in checked(table, made_by={"human": "unknown"}).findings]
    assert any("says of 0 % that people gave them" in line for line in lines)


def test_results_in_a_folder_are_found_and_asked_for_where_there_are_several(
    tmp_path: Path,
) -> None:
    with pytest.raises(ImportFailure, match="no results of promptfoo"):
        only_results(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "results.json").write_bytes(RESULTS.read_bytes())
    (tmp_path / "package.json").write_text("{}")
    assert only_results(tmp_path).files == [tmp_path / "out" / "results.json"]
    (tmp_path / "logs").mkdir()
    for name in ("a.eval", "b.eval"):
        (tmp_path / "logs" / name).write_bytes((FOREIGN / "inspect.eval").read_bytes())
    assert len(results_in(tmp_path)) == 2
    with pytest.raises(OpenQuestion, match=r"logs \(2 files of inspect_ai\)") as caught:
        only_results(tmp_path)
    assert [key for key, _ in caught.value.choices] == ["logs", "out/results.json"]


def test_results_of_an_unknown_version_are_refused_in_a_sentence(tmp_path: Path) -> None:
    content = json.loads(RESULTS.read_text(encoding="utf-8"))
    content["results"]["version"] = 9
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ImportFailure, match="9 is newer than what can be read here"):
        checked(path)


def test_the_example_page_is_what_the_code_makes_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == example_report()
