from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from tests.imports.small_files import write_lines
from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db


def response(*labels: str | None, order: list[str] | None = None, **changes: Any) -> dict[str, Any]:
    claims: list[dict[str, Any]] = [
        {
            "id": f"S{n}",
            "text": f"Claim {n}.",
            "judgment": None if n == 2 else True,
            "importance": label,
        }
        for n, label in enumerate(labels, start=1)
    ]
    return {
        "query": "Does the tram run at night?",
        "response": {"id": "3", "text": "It does. Every hour."},
        "decomposition": [{"sentence": "It does.", "decomp": claims}],
        "subclaim-importance-order": order or [claim["id"] for claim in claims],
    } | changes


def imported(folder: Path, **files: list[dict[str, Any]]) -> Study:
    return import_files("vitalerrors", *written(folder, **files))


def written(folder: Path, **files: list[dict[str, Any]]) -> list[Path]:
    return [write_lines(folder / f"{name}.jsonl", records) for name, records in files.items()]


def test_every_file_is_a_rater_and_a_missing_label_stays_missing(tmp_path: Path) -> None:
    files = {
        "human-eval_normal": [response("vital", None, order=["S2", "S1"])],
        "my_judge_normal": [response("okay", "vital")],
    }
    study = imported(tmp_path, **files)
    assert list(study.raters.order_by("name").values_list("name", "kind")) == [
        ("human-eval", "human"),
        ("my_judge", "judge"),
    ]
    assert answers_of(study, "human-eval")["normal/1"] == {
        "claims": [
            {"claim": 0, "importance": "vital", "support": "supported"},
            {"claim": 1, "importance": None, "support": None},
        ],
        "order": [1, 0],
        "nuggets": [],
    }
    assert study.items.get().condition == "normal"


def test_responses_to_one_query_under_several_conditions_share_its_source(tmp_path: Path) -> None:
    study = imported(tmp_path, a_normal=[response("vital")], a_wrong=[response("okay", "okay")])
    assert study.sources.count() == 1
    assert sorted(study.units.values_list("key", flat=True)) == ["normal/1", "wrong/1"]


def test_a_response_under_another_condition_was_made_from_the_normal_one(tmp_path: Path) -> None:
    """By place and query, in whichever order the files are named; a query may occur twice."""
    other: dict[str, Any] = {"query": "Does the ferry run?"}
    files = {
        "a_wrong": [response("vital"), response("okay", **other), response("vital")],
        "a_missing": [response("okay"), response("vital", **other)],
        "a_normal": [response("vital"), response("vital", **other), response("vital")],
    }
    study = imported(tmp_path, **files)
    made_from = dict(study.items.values_list("key", "perturbed_from__key"))
    assert made_from == {
        **{f"normal/{n}": None for n in (1, 2, 3)},
        **{f"wrong/{n}": f"normal/{n}" for n in (1, 2, 3)},
        **{f"missing/{n}": f"normal/{n}" for n in (1, 2)},
    }
    assert study.sources.count() == 2


def test_without_normal_responses_nothing_is_linked(tmp_path: Path) -> None:
    study = imported(tmp_path, a_wrong=[response("vital")], a_missing=[response("okay")])
    assert not study.items.exclude(perturbed_from=None).exists()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a_n": [response("vital")], "b_n": [response("vital")] * 2}, "a_n.jsonl: lines: fewer"),
        (
            {"a_n": [response("vital")], "b_n": [response("vital", "okay")]},
            "b_n.jsonl:1: decomposition: another response or other claims than in a_n.jsonl",
        ),
        ({"a_n": [response("great")]}, "a_n.jsonl:1: decomposition[0].decomp[0].importance: "),
        (
            {"a_n": [response("vital", order=["S9"])]},
            "a_n.jsonl:1: subclaim-importance-order: no claim 'S9'",
        ),
        (
            {"a_n": [response("vital", "okay", order=["S1", "S1"])]},
            "a_n.jsonl:1: answer.order: claim 0 is listed twice",
        ),
        (
            {
                "a_normal": [response("vital"), response("vital")],
                "a_wrong": [response("vital"), response("vital", query="Where?")],
            },
            "a_wrong.jsonl:2: query: another one than that of response 2 under 'normal'",
        ),
        (
            {"a_normal": [response("vital")], "a_wrong": [response("vital")] * 2},
            "a_wrong.jsonl:2: response: there is no response 2 under 'normal'",
        ),
        ({"nothing": [response("vital")]}, "nothing.jsonl: file: not called"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    tmp_path: Path, files: dict[str, Any], reason: str
) -> None:
    assert refusal("vitalerrors", *written(tmp_path, **files)).startswith(reason)
