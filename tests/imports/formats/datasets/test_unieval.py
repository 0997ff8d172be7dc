from pathlib import Path
from typing import Any

import pytest

from tests.imports.small_files import write_json
from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db


def record(**changes: Any) -> dict[str, Any]:
    return {
        "doc_id": 0,
        "source": "inform(name=Larch)",
        "reference": "It is called Larch.",
        "system_output": "Larch is a place.",
        "scores": {"Overall quality": 4.5},
        "predict_scores": {"Overall quality": 0.25},
    } | changes


def test_each_dimension_is_asked_of_people_and_of_the_machine(tmp_path: Path) -> None:
    file = write_json(tmp_path / "r.json", [record(), record(scores={"Overall quality": 1})])
    study = import_files("unieval", file)
    assert answers_of(study, "human-mean") == {
        "0 overall_quality": {"value": 4.5},
        "1 overall_quality": {"value": 1.0},
    }
    assert answers_of(study, "unieval")["0 overall_quality_score"] == {"value": 0.25}
    (facet,) = study.blocks.get(key="overall_quality_score").facets
    assert facet.compared_with == ("overall_quality",)


def test_a_record_is_known_by_its_position_and_outputs_for_one_document_share_a_source(
    tmp_path: Path,
) -> None:
    records = [record(system_id="a"), record(system_id="b"), record(doc_id=1)]
    study = import_files("unieval", write_json(tmp_path / "r.json", records))
    assert list(study.units.order_by("pk").values_list("key", "source__key")) == [
        ("0", "0"),
        ("1", "0"),
        ("2", "1"),
    ]


def test_one_document_id_for_several_texts_names_no_source(tmp_path: Path) -> None:
    records = [record(), record(source="inform(name=Birch)")]
    study = import_files("unieval", write_json(tmp_path / "r.json", records))
    assert set(study.sources.values_list("key", flat=True)) == {"record-0", "record-1"}


def test_without_a_document_id_records_with_one_context_share_a_source(tmp_path: Path) -> None:
    """The second shares its text with nobody; the last two hold none, so neither is known to be
    about the same."""
    texts: list[dict[str, str]] = [
        {"source": "inform(name=Larch)", "system_output": "Larch."},
        {"source": "inform(name=Birch)"},
        {"context": "inform(name=Larch)", "source": "", "system_output": "It is Larch."},
        {"source": ""},
        {"source": ""},
    ]
    records = [record(**text) for text in texts]
    for each in records:
        del each["doc_id"]
    study = import_files("unieval", write_json(tmp_path / "r.json", records))
    assert list(study.units.order_by("pk").values_list("key", "source__key")) == [
        ("0", "record-0"),
        ("1", "record-1"),
        ("2", "record-0"),
        ("3", "record-3"),
        ("4", "record-4"),
    ]
    assert study.sources.get(key="record-0").document == "inform(name=Larch)"


def test_a_document_id_for_several_texts_leaves_the_grouping_to_the_texts(tmp_path: Path) -> None:
    other = "inform(name=Birch)"
    records = [record(), record(source=other), record(), record(source=other, doc_id=1)]
    study = import_files("unieval", write_json(tmp_path / "r.json", records))
    assert list(study.units.order_by("pk").values_list("source__key", flat=True)) == [
        "record-0",
        "record-1",
        "record-0",
        "1",
    ]


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([record(), record(scores={"x": "good"})], "r.json (record 1): scores.x: "),
        ([record(predict_scores={})], "r.json (record 0): predict_scores: "),
        ([record(system_output=" ")], "r.json (record 0): system_output: empty"),
        ([record(scores={"!": 1})], "r.json (record 0): criterion: '!' makes no name"),
        ({"a": 1}, "r.json: JSON: not an array of records"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(tmp_path: Path, records: Any, reason: str) -> None:
    assert refusal("unieval", write_json(tmp_path / "r.json", records)).startswith(reason)
