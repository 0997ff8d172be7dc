"""Detection on the published responses: which measures find the faults made on purpose."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.results.estimates import estimate_study

Record = dict[str, Any]
RATERS = ("gpt-4o", "human-eval")
SCORES = ("claim_precision", "vital_precision", "weighted_precision", "linear_decay")


def claims_of(record: Record) -> list[Record]:
    return [claim for part in record["decomposition"] for claim in part["decomp"]]


def most_important(record: Record) -> str:
    """The id of the claim that gpt-4o or the people put first."""
    return str(record["subclaim-importance-order"][0])


def falsified(record: Record, claim_id: str) -> Record:
    """The response with one claim made false, which the documents then do not support."""
    made = copy.deepcopy(record)
    made["response"]["text"] = "Not so: " + made["response"]["text"]
    for claim in claims_of(made):
        if claim["id"] == claim_id:
            claim |= {"text": f"It is false that: {claim['text']}", "judgment": False}
    return made


def shortened(record: Record, claim_id: str) -> Record:
    """The response without one of its claims."""
    made = copy.deepcopy(record)
    made["response"]["text"] = "In short: " + made["response"]["text"]
    for part in made["decomposition"]:
        part["decomp"] = [claim for claim in part["decomp"] if claim["id"] != claim_id]
    order = made["subclaim-importance-order"]
    made["subclaim-importance-order"] = [other for other in order if other != claim_id]
    return made


@pytest.fixture
def conditions(shared_data: Path) -> dict[str, dict[str, list[Record]]]:
    """Rater -> condition -> the published responses, and both kinds made from them by changing
    the claim that gpt-4o puts first."""
    normal: dict[str, list[Record]] = {}
    for rater in RATERS:
        path = shared_data / "vitalerrors-nq" / f"{rater}_normal.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            normal[rater] = [json.loads(line) for line in stream]
    first = [most_important(record) for record in normal["gpt-4o"]]
    make: dict[str, Callable[[Record, str], Record]] = {"wrong": falsified, "missing": shortened}
    return {
        rater: {
            "normal": records,
            **{
                condition: [how(record, at) for record, at in zip(records, first, strict=True)]
                for condition, how in make.items()
            },
        }
        for rater, records in normal.items()
    }


@pytest.fixture
def study(db: None, conditions: dict[str, dict[str, list[Record]]], tmp_path: Path) -> Study:
    files = []
    for rater, of_rater in conditions.items():
        for condition, records in of_rater.items():
            file = tmp_path / f"{rater}_{condition}.jsonl"
            file.write_text("".join(json.dumps(record) + "\n" for record in records))
            files.append(str(file))
    call_command("import_study", "vitalerrors", *files, slug="v", verbosity=0)
    return Study.objects.get(slug="v")


def expected(record: Record) -> dict[str, float]:
    """The scores of a record by the formulas, with the published conventions."""
    claims = claims_of(record)
    vital = [claim for claim in claims if claim["importance"] == "vital"]
    weights = {"vital": 0.5, "okay": 0.3, "less-important": 0.2}
    labelled = [(weights[c["importance"]], c["judgment"]) for c in claims if c["importance"]]
    by_id = {claim["id"]: claim for claim in claims}
    order = record["subclaim-importance-order"]
    decay = [((len(order) - i) / i, by_id[name]["judgment"]) for i, name in enumerate(order, 1)]

    def share(pairs: list[tuple[float, Any]]) -> float:
        whole = sum(weight for weight, _ in pairs)
        return sum(weight for weight, held in pairs if held) / whole if whole else 0.0

    return {
        "claim_precision": share([(1, claim["judgment"]) for claim in claims]),
        "vital_precision": share([(1, claim["judgment"]) for claim in vital]),
        "weighted_precision": share(labelled),
        "linear_decay": share(decay),
        "claim_unsupported": float(not all(claim["judgment"] for claim in claims)),
        "vital_unsupported": float(not all(claim["judgment"] for claim in vital)),
    }


def detected(rows: tuple[Row, ...], raters: str, condition: str) -> dict[str, Row]:
    """The detection of each measure under a condition."""
    of_part = [row for row in rows if (row.raters, row.group) == (raters, {"condition": condition})]
    return {
        row.metric.removeprefix("detection_"): row
        for row in of_part
        if row.metric.startswith("detection_")
    }


@pytest.mark.parametrize(("rater", "raters"), [("gpt-4o", "gpt-4o"), ("human-eval", "humans")])
def test_every_measure_has_its_detection_on_the_published_responses(
    study: Study, conditions: dict[str, dict[str, list[Record]]], rater: str, raters: str
) -> None:
    """150 responses under three conditions: 50 are flagged or not, or score below the original,
    equal to it or above it."""
    assert study.items.count() == 150
    assert study.items.exclude(perturbed_from=None).count() == 100
    rows = estimate_study(study, Options(resamples=0)).rows
    before = [expected(record) for record in conditions[rater]["normal"]]

    for condition in ("wrong", "missing"):
        after = [expected(record) for record in conditions[rater][condition]]
        detection = detected(rows, raters, condition)
        for name in SCORES:
            changes = [round(a[name] - b[name], 12) for a, b in zip(after, before, strict=True)]
            below, tied = (sum(map(test, changes)) / 50 for test in (below_0, equal_0))
            assert detection[name].estimate.value == pytest.approx(below), (condition, name)
            assert detection[f"{name}_tied"].estimate.value == pytest.approx(tied)
            assert detection[name].estimate.n_units == 50
        for name in ("claim_unsupported", "vital_unsupported"):
            flagged = sum(scores[name] for scores in after) / 50
            assert detection[name].estimate.value == pytest.approx(flagged), (condition, name)
        measured = {measure.name for measure in study.blocks.get().task_type.measured}
        assert measured <= detection.keys()


def below_0(change: float) -> bool:
    return change < 0


def equal_0(change: float) -> bool:
    return change == 0


def test_published_figures_of_the_normal_responses_stay(study: Study) -> None:
    rows = estimate_study(study, Options(resamples=0)).rows
    figures = {
        row.metric: row.estimate.value
        for row in rows
        if (row.raters, row.group) == ("gpt-4o", {"condition": "normal"})
    }
    assert figures["vital_precision"] == pytest.approx(0.6145, abs=5e-5)
    assert figures["weighted_precision"] == pytest.approx(0.6541, abs=5e-5)
    assert figures["vital_unsupported"] == 0.56
