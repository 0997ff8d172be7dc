"""Evidence that a machine chose against the chains that people chose."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Item, Source, Study
from estimates.data.options import Options
from tests.cast import make_study
from tests.imports.small_files import import_lines
from tests.results.estimates import estimate_study


def by_name(study: Study, **group: str) -> dict[str, Any]:
    rows = estimate_study(study, Options(resamples=0)).rows
    return {
        f"{row.metric} {row.raters}": row.estimate
        for row in rows
        if row.facet == "evidence" and row.group == group
    }


def test_each_score_is_the_best_over_the_chains(db: None) -> None:
    """Chosen {0, 1} against {0} and {0, 1, 2}: P 1 (the second), R 1 (the first), F1 4/5. In the
    other source chosen and chain are the same."""
    study = make_study(sources=2)
    Item.objects.filter(study=study).update(evidence_source="machine")
    source = Source.objects.filter(study=study).earliest("pk")
    source.chains = [[0], [0, 1, 2]]
    source.save()

    found = by_name(study)

    assert found["retrieval_precision selected"].value == 1
    assert found["retrieval_f1 selected"].value == pytest.approx((4 / 5 + 1) / 2)
    assert found["retrieval_f1 selected"].sd_ddof == 0
    assert found["evidence_size selected"].value == 2
    assert found["evidence_size chains"].value == (3 + 2) / 2
    assert by_name(study, evidence_source="machine") == found


def test_evidence_that_people_chose_is_not_held_against_their_chains(db: None) -> None:
    assert by_name(make_study()) == {}


def record(name: str, selected: set[int], role: str = "normal", claim: str = "c") -> dict[str, Any]:
    """A machine's explanation of a claim with the chain {0, 1}, from these of three passages."""
    passages = [{"index": k, "text": f"Passage {k}.", "selected": k in selected} for k in range(3)]
    source = {"key": claim, "claim": "It rained.", "passages": passages, "chains": [[0, 1]]}
    item = {"key": f"{claim}/{name}", "evidence_source": name, "text": f"It did, says {name} [0]."}
    unit: dict[str, Any] = {"key": f"{claim}/{name}/0", "focus": {"passage": 0}, "role": role}
    return {"source": source, "items": [item], "unit": unit}


@pytest.mark.parametrize("order", [1, -1])
def test_each_machine_has_its_own_choice(db: None, tmp_path: Path, order: int) -> None:
    """Both explain one claim: A from {0, 1}, the chain, B from {2}, which is none of it."""
    records = [record("A", {0, 1}), record("B", {2})][::order]
    study = import_lines(tmp_path, records)

    found = {name: by_name(study, evidence_source=name) for name in "AB"}

    assert found["A"]["retrieval_f1 selected"].value == 1
    assert found["B"]["retrieval_f1 selected"].value == 0
    assert found["B"]["evidence_size selected"].value == 1
    assert by_name(study)["retrieval_f1 selected"].value == 1 / 2
    assert by_name(study)["retrieval_f1 selected"].n_units == 1


def test_a_machine_that_found_nothing_for_a_claim_scores_nought_there(
    db: None, tmp_path: Path
) -> None:
    """A chose the chain {0, 1} for one claim and nothing for the other: (1 + 0) / 2, sd 1/2."""
    study = import_lines(tmp_path, [record("A", {0, 1}), record("A", set(), claim="d")])

    found = by_name(study)

    for name in ("precision", "recall", "f1"):
        estimate = found[f"retrieval_{name} selected"]
        assert (estimate.value, estimate.sd, estimate.n_units) == (1 / 2, 1 / 2, 2)
    assert found["evidence_size selected"].value == (2 + 0) / 2


def test_where_people_chose_nothing_either_there_is_nothing_to_compare(
    db: None, tmp_path: Path
) -> None:
    """Of the other claim's two empty selections only the one against {0, 1} scores."""
    bare = record("A", set(), claim="e")
    bare["source"]["chains"] = [[]]
    records = [record("A", {0, 1}), record("A", set(), claim="d"), bare]
    found = by_name(import_lines(tmp_path, records))

    assert found["retrieval_f1 selected"].value == 1 / 2
    assert found["retrieval_f1 selected"].n_units == 2


def test_without_any_selection_on_file_a_machine_has_no_score(db: None, tmp_path: Path) -> None:
    records = [record("A", {0, 1}), record("B", set()), record("B", set(), claim="d")]
    study = import_lines(tmp_path, records)

    assert by_name(study)["retrieval_f1 selected"].value == 1
    assert by_name(study, evidence_source="B") == {}


def test_choices_for_controls_and_examples_do_not_count(db: None, tmp_path: Path) -> None:
    records = [record("A", {0, 1}), record("A", {2}, "example", "d")]
    study = import_lines(tmp_path, records)

    assert by_name(study)["retrieval_f1 selected"].value == 1
    assert by_name(study)["retrieval_f1 selected"].n_units == 1


def test_without_a_question_an_item_rests_on_what_its_source_says(db: None) -> None:
    study = make_study(sources=1)
    Item.objects.filter(study=study).update(evidence_source="machine")
    study.questions.all().delete()

    assert by_name(study)["evidence_size selected"].value == 2
