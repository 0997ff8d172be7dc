"""Samples of lm-evaluation-harness, as it writes and scores them itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, refusal, skipped

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "lm_eval"


def reported() -> dict[str, Any]:
    """The harness's own table of results."""
    (table,) = FOLDER.rglob("results_*.json")
    results: dict[str, Any] = json.loads(table.read_text(encoding="utf-8"))["results"]
    return results


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "m" / "samples_facts_2026-01-01T00-00-00.000000.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sample(**changes: Any) -> dict[str, Any]:
    line = {
        "doc_id": 0,
        "doc": {},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "2 + 2 =", "arg_1": {"until": ["\n"]}}},
        "resps": [["It is 4."]],
        "filtered_resps": ["4"],
        "filter": "none",
        "metrics": ["exact_match"],
        "exact_match": 1.0,
    }
    return line | changes


def test_every_metric_is_a_judge_whose_mean_the_harness_reports() -> None:
    study = import_files("lm-eval", FOLDER)
    of_task = {
        ("facts_choice", "acc"),
        ("facts_choice", "acc_norm"),
        ("sums_written", "exact_match"),
    }
    for task, metric in of_task:
        answers = answers_of(study, metric).items()
        scores = [a["scores"][metric] for key, a in answers if key.startswith(f"{task}/")]
        assert sum(scores) / len(scores) == pytest.approx(reported()[task][f"{metric},none"])
        assert len(scores) == reported()[task]["sample_len"]
    assert set(study.raters.values_list("kind", flat=True)) == {"judge"}


def test_the_item_is_the_likeliest_choice_or_what_was_written() -> None:
    study = import_files("lm-eval", FOLDER)
    first = study.items.get(key="facts_choice/0/listed")
    assert first.sentences[0]["text"] == "Iron"
    assert first.system == "listed"
    source = study.sources.get(key="facts_choice/0").material
    assert source.query.startswith("Question: What freezes")
    assert source.nuggets[0].text == "Water"
    assert study.items.get(key="sums_written/1/listed").sentences[0]["text"] == "9"


def test_each_filter_of_an_answer_is_a_judge_of_its_own(tmp_path: Path) -> None:
    rows = [sample(filter="strict-match"), sample(filter="flexible-extract", exact_match=0.0)]
    study = import_files("lm-eval", written(tmp_path, *rows))
    names = study.raters.values_list("name", flat=True)
    assert set(names) == {"exact_match,strict-match", "exact_match,flexible-extract"}
    assert study.items.get().sentences[0]["text"] == "It is 4."


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"doc_id": 3}, "arguments: missing: no sample as `--log_samples`"),
        (sample(doc_id=3, resps=[[""]]), "resps: empty (the model answered nothing)"),
    ],
)
def test_a_line_that_does_not_fit_is_named_and_left_out(
    row: Any, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, sample(), sample(doc_id=2), row)
    assert refusal("lm-eval", path).startswith(f"{path.name}:3: {message}")
    assert len(skipped("lm-eval", path)) == 1


def test_a_question_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, sample(), sample(exact_match=0.0))
    assert "has already answered 'facts/0/m'" in refusal("lm-eval", path)
