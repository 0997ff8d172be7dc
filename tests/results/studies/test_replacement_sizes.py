"""How many units a judge takes to pass, and the page of plans."""

from math import sqrt

import pytest
from django.urls import reverse

from agreement import Estimate, sources_for_replacement
from annotation.models import Study, User
from estimates.data.rows import OF_SYSTEMS, POOLED, Row
from results.studies.replacement_sizes import replacement_sizes
from tests.sessions import as_user


def difference(first: str, second: str, **of: object) -> Row:
    estimate = Estimate(**{"value": 0.4, "sd": 2.0, "sd_ddof": 1, "n_units": 30, **of})  # type: ignore[arg-type]
    return Row(
        metric="mean_difference",
        facet="utility",
        raters="humans",
        aggregation=OF_SYSTEMS,
        group={"system": first, "other_system": second},
        estimate=estimate,
    )


def of_judge(metric: str, value: float) -> Row:
    estimate = Estimate(value=value, n_units=60, n_raters=5)
    return Row(
        metric=metric,
        facet="utility",
        raters="humans~judge",
        aggregation=POOLED,
        estimate=estimate,
    )


def test_a_judge_needs_more_units_the_nearer_its_gap_is_to_epsilon() -> None:
    """Judge at least as near in .9 of the units, person in .95: only the person in .1, only the
    judge in .05, so the variance is .15 - .05²."""
    rows = [of_judge("alt_advantage_probability", 0.9), of_judge("alt_gap", 0.05)]

    (found,) = replacement_sizes(rows, 0.1)

    sd = sqrt(0.15 - 0.05**2)
    assert found.now == sources_for_replacement(gap=0.05, sd=sd, epsilon=0.1, people=5)
    assert found.equal == sources_for_replacement(gap=0, sd=sd, epsilon=0.1, people=5)
    assert float(found.now) > float(found.equal)
    (hopeless,) = replacement_sizes(rows, 0.05)
    assert hopeless.now.value is None


def test_the_page_shows_it(answered: Study, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        difference("Alder", "Birch"),
        of_judge("alt_advantage_probability", 0.9),
        of_judge("alt_gap", 0.05),
    ]
    report = type("Report", (), {"rows": rows})()
    monkeypatch.setattr("results.views.studies.newest_report", lambda _study: report)

    page = as_user(owner).get(reverse("results:planning", args=[answered.slug])).content.decode()

    assert "Alder – Birch: 0.400" in page
    assert "too few raters" in page
    assert "<td>judge</td>" in page
    assert "80 % power" in page
