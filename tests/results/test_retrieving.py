"""Evidence that a machine chose against the chains that people chose."""

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Item, Source, Study
from results.estimating import estimate_study
from results.options import Options
from tests.cast import make_study


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


def test_published_evidence_of_a_machine(db: None, shared_data: Path) -> None:
    """The row of Table 4 as it comes out of the public files: 0.3959, 0.7363, 0.4659."""
    folder = shared_data / "transparent-fcexp"
    file, chains = folder / "gpt4_full_data.json.gz", folder / "claim_chain_mapping.json"
    call_command("import_study", "fcexp", str(file), slug="g", chains=chains, verbosity=0)
    out = StringIO()
    call_command("report", "g", "--json", "--resamples", "0", stdout=out)
    rows = {
        (row["metric"], row["raters"]): row
        for row in json.loads(out.getvalue())["estimates"]
        if row["facet"] == "evidence" and not row["group"]
    }

    figures = [
        (round(row["value"], 4), round(row["sd"], 4), row["n_units"])
        for name in ("precision", "recall", "f1")
        if (row := rows[f"retrieval_{name}", "selected"])
    ]
    assert figures == [(0.3959, 0.2142, 486), (0.7363, 0.2908, 486), (0.4659, 0.1989, 486)]
    assert round(rows["evidence_size", "selected"]["value"], 3) == 5.342


def test_the_size_of_human_evidence_of_the_claims_that_were_rated(
    db: None, shared_data: Path, tmp_path: Path
) -> None:
    """Table 2: 3.16 passages in the last chain of the first hundred claims."""
    folder = shared_data / "transparent-fcexp"
    wanted = json.loads((folder / "hit_sample_keys.json").read_text())[:100]
    with gzip.open(folder / "gpt4_full_data.json.gz", "rt", encoding="utf-8") as stream:
        records = json.load(stream)
    rated = tmp_path / "rated.json"
    rated.write_text(json.dumps({key: records[key] for key in wanted}))
    chains = folder / "claim_chain_mapping.json"
    call_command("import_study", "fcexp", str(rated), slug="r", chains=chains, verbosity=0)

    found = by_name(Study.objects.get())

    assert found["evidence_size chains"].value == pytest.approx(3.16, abs=1e-12)
    assert found["evidence_size selected"].value == pytest.approx(5.15, abs=1e-12)
