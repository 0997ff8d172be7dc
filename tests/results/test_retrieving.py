"""Evidence that a machine chose against the chains that people chose."""

from typing import Any

import pytest

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
