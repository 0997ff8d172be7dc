"""Agreement beyond chance as rows: of people together, and of two raters."""

from pathlib import Path

import pytest

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters, points

QUICK = Options(resamples=50)


def rows(study: Study) -> dict[tuple[str, str], Row]:
    """The rows of the whole study, by metric and raters."""
    found = estimate_study(study, QUICK).rows
    return {(row.metric, row.raters): row for row in found if not row.group}


def value(found: dict[tuple[str, str], Row], metric: str, raters: str) -> float:
    return float(found[metric, raters].estimate)


def test_labels_of_people_have_fleiss_and_the_first_of_gwet(db: None, tmp_path: Path) -> None:
    """Pairs agree in 2 of 4 units: p_a = 1/2. Shares of a, b: 1/2, 1/2. So kappa is
    (1/2 - 1/2)/(1 - 1/2) = 0, and AC1 with p_e = 2 · 1/2 · 1/2 = 1/2 is 0 too."""
    study = import_raters(tmp_path, by_rater(ada="aabb", bob="abab"), {}, level="nominal")

    found = rows(study)

    for metric in ("fleiss_kappa", "gwet_ac1"):
        row = found[metric, "humans"]
        assert row.estimate.value == pytest.approx(0)
        assert (row.aggregation, row.consensus, row.estimate.n_units) == ("pooled", None, 4)
        assert row.estimate.interval_method is not None
        assert "over 4 clusters" in row.estimate.interval_method
    assert ("gwet_ac2", "humans") not in found
    assert ("cohen_kappa_quadratic", "ada~bob") not in found
    assert value(found, "cohen_kappa", "ada~bob") == pytest.approx(0)
    assert value(found, "gwet_ac1", "ada~bob") == pytest.approx(0)
    assert ("fleiss_kappa", "ada~bob") not in found


def test_points_have_weights_too(db: None, tmp_path: Path) -> None:
    """Differences 0, 0, 1, 2 on 1 to 3, squared over 4: 0, 0, 1/4, 1; observed 5/16. ada's
    shares are 1/4, 1/4, 1/2 and bob's 1/2, 1/2, 0, so 3 against 1 is expected 1/4 of the time
    and one step (1-2, 2-1, 3-2) in 1/8 + 1/8 + 1/4 = 1/2: 1/4 + 1/8 = 3/8. Kappa 1 - 5/6.
    AC2: shares 3/8, 3/8, 1/4, sum p(1 - p) = 15/64 + 15/64 + 12/64 = 42/64; the weights of
    agreement sum to 3 + 4 · 3/4 + 0 = 6, so p_e = 6/(3 · 2) · 42/64 and p_a = 11/16 = 44/64."""
    study = import_raters(tmp_path, points(ada="1233", bob="1221"), {}, level="ordinal")

    found = rows(study)

    assert value(found, "cohen_kappa_quadratic", "ada~bob") == pytest.approx(1 / 6)
    assert value(found, "gwet_ac2", "ada~bob") == pytest.approx((44 - 42) / (64 - 42))
    assert value(found, "gwet_ac2", "humans") == pytest.approx((44 - 42) / (64 - 42))
    assert value(found, "fleiss_kappa", "humans") < 1 / 2


def test_the_mean_of_people_is_no_label(db: None, tmp_path: Path) -> None:
    study = import_raters(
        tmp_path, points(ada="1233", bob="1221"), points(gpt="1231"), level="ordinal"
    )

    found = rows(study)

    for metric in ("gwet_ac2", "raw_agreement", "krippendorff_alpha_nominal"):
        assert (metric, "humans~gpt") not in found
        assert (metric, "ada~gpt") in found
    assert value(found, "krippendorff_alpha_ordinal", "humans~gpt") > 0
    assert value(found, "gwet_ac1", "ada~gpt") > 0


def test_one_rater_has_nobody_to_agree_with(db: None, tmp_path: Path) -> None:
    study = import_raters(tmp_path, by_rater(ada="ab"), {}, level="nominal")

    estimate = rows(study)["fleiss_kappa", "humans"].estimate

    assert (estimate.value, estimate.undefined) == (None, "one rater only")
