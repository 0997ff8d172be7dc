"""Scores on a common scale: by hand where that is possible, else as `calibrate` gives them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from agreement import calibrate
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.metrics import calibration
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate
from tests.results.estimates import estimate_study

OPTIONS = Options(resamples=50)


def rows_of(study: Study) -> tuple[Row, ...]:
    return estimate_study(study, OPTIONS).rows


def the(rows: tuple[Row, ...], metric: str, raters: str = "humans", **group: str) -> Row:
    (row,) = [r for r in rows if (r.metric, r.raters, r.group) == (metric, raters, group)]
    return row


def rated(**given: Sequence[float]) -> Study:
    """A slider study; each person rates the first sources in turn, Birch, Alder, Birch, …"""
    study = make_study(sources=max(map(len, given.values())), blocks=[("slider", {})])
    for name, values in given.items():
        rater = make_rater(study, name)
        for question, value in zip(questions(study), values, strict=False):
            rate(rater, question, value)
    return study


def test_z_scores_are_taken_worker_by_worker(db: None) -> None:
    """Ada's 0 and 100 are z -1 and 1; bob's 50 and 60 too; cyd's do not vary and drop out."""
    rows = rows_of(rated(ada=[0, 100], bob=[50, 60], cyd=[70, 70]))

    birch = the(rows, "mean_z", system="Birch").estimate
    assert birch.value == -1
    assert (birch.n_raters, birch.n_ratings) == (2, 2)
    assert the(rows, "mean_z", system="Alder").estimate.value == 1
    assert the(rows, "mean_z").estimate.value == 0
    assert the(rows, "order_tau_z").estimate.value == 1
    assert the(rows, "worker_precision", "cyd").estimate.undefined is not None


def test_calibrated_means_are_those_of_calibrate(db: None) -> None:
    given = {"ada": [10, 80, 30, 95], "bob": [20, 70, 40, 60], "cyd": [90, 10, 20, 40]}
    rows = rows_of(rated(**given))

    items = list(range(4)) * 3
    workers = [name for name in given for _ in range(4)]
    expected = calibrate(items, workers, [value for values in given.values() for value in values])
    birch = the(rows, "mean_calibrated", system="Birch").estimate
    assert birch.value == pytest.approx(expected.mean[[0, 2]].mean())
    assert birch.sd == pytest.approx(expected.mean[[0, 2]].std(ddof=1))
    assert (birch.n_raters, birch.n_ratings) == (3, 6)
    assert "too few sources (2" in str(birch.interval_method)
    precision = the(rows, "worker_precision", "ada").estimate
    assert precision.value == pytest.approx(expected.precision[0])


def test_an_order_that_changes_has_a_tau_of_minus_one(db: None) -> None:
    """Plainly Birch leads, 55 to 50; but dee, who uses the scale's top alone, rated only Birch.
    Among the z-scores of those who used the scale Alder is ahead."""
    rows = rows_of(rated(ada=[40, 50], bob=[40, 50], dee=[85, 86, 100], eve=[50, 51]))

    plain = {name: the(rows, "mean", system=name).estimate.value for name in ("Birch", "Alder")}
    z = {name: the(rows, "mean_z", system=name).estimate.value for name in ("Birch", "Alder")}
    assert None not in (*plain.values(), *z.values())
    order = np.sign(plain["Birch"] - plain["Alder"]) * np.sign(z["Birch"] - z["Alder"])  # type: ignore[operator]
    assert the(rows, "order_tau_z").estimate.value == order == -1


def test_one_person_cannot_be_calibrated(db: None) -> None:
    estimate = the(rows_of(rated(ada=[10, 80])), "mean_calibrated").estimate

    assert estimate.undefined == "one rater only"


def test_without_answers_the_rows_say_so(db: None) -> None:
    rows = rows_of(make_study(blocks=[("slider", {})]))

    assert the(rows, "mean_z").estimate.undefined == "no human answers"
    assert the(rows, "mean_calibrated").estimate.undefined == "no human answers"


def test_more_ratings_than_inference_can_go_over_have_no_calibrated_mean(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "MOST_RATINGS", 3)
    rows = rows_of(rated(ada=[10, 80], bob=[20, 70]))

    assert the(rows, "mean_calibrated").estimate.undefined == "more than 50000 ratings"
    assert the(rows, "mean_z").estimate.value == 0


def test_published_ratings_keep_their_leader(db: None, shared_data: Path) -> None:
    table = shared_data / "utility-ratings" / "ratings.csv"
    call_command("import_study", "ratings", str(table), slug="u", verbosity=0)

    rows = rows_of(Study.objects.get())

    systems = ("gpt4", "gpt35", "llama2-70b")
    for metric in ("mean", "mean_z", "mean_calibrated"):
        means = {name: the(rows, metric, system=name).estimate.value or 0.0 for name in systems}
        assert max(means, key=means.__getitem__) == "gpt35"
    assert the(rows, "order_tau_z").estimate.value == 1
    assert len([row for row in rows if row.metric == "worker_precision"]) == 62
