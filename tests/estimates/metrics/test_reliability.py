"""Reliability, prevalence, limits of agreement, severity and equivalence as rows and in words."""

import json
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from agreement import limits_of_agreement, mean_of_raters, reliability, severity
from annotation.models import Member, Study, User
from estimates.catalogue import METRICS, every_metric, stands_apart
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.kept.columns import from_kept_columns, keep_columns
from estimates.metrics.agreement import distances
from results.reading.cautions import cautions
from tasktypes.facets import Facet
from tests.cast import join
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters, points
from tests.sessions import as_user

QUICK = Options(resamples=50)
Rows = Mapping[tuple[str, str, str], Row]


def rows_of(study: Study) -> Rows:
    """By metric, raters and the names of the group."""
    rows = estimate_study(study, QUICK).rows
    return {(row.metric, row.raters, "~".join(row.group.values())): row for row in rows}


def numbers(raters: int, *, seed: int = 0, units: int = 24) -> dict[str, dict[str, object]]:
    rng = np.random.default_rng(seed)
    table = 50 + 10 * rng.normal(size=(units, 1)) + 4 * rng.normal(size=(units, raters))
    return {
        f"r{rater}": {f"u{unit}": round(float(table[unit, rater]), 2) for unit in range(units)}
        for rater in range(raters)
    }


@pytest.fixture
def scored(db: None, tmp_path: Path) -> tuple[Study, dict[str, dict[str, object]]]:
    answers = numbers(4)
    people = {name: answers[name] for name in ("r0", "r1", "r2")}
    return import_raters(tmp_path, people, {"r3": answers["r3"]}, level="interval"), answers


def test_people_have_correlations_components_and_a_decision_study(
    scored: tuple[Study, dict[str, dict[str, object]]],
) -> None:
    study, answers = scored
    units, raters, values = zip(
        *[(u, r, v) for r in ("r0", "r1", "r2") for u, v in answers[r].items()], strict=True
    )
    expected = reliability(units, raters, values)

    rows = rows_of(study)

    agreement = rows["icc_2_1", "humans", ""].estimate
    assert agreement.value == pytest.approx(float(expected.agreement))
    assert "generalized" in (agreement.interval_method or "")
    assert rows["icc_1_1", "humans", ""].estimate.value == pytest.approx(float(expected.one_way))
    of_three = float(mean_of_raters(expected.agreement, 3))
    assert rows["icc_2_k", "humans", ""].estimate.value == pytest.approx(of_three)
    assert rows["dependability", "humans", "3"].estimate.value == pytest.approx(of_three)
    assert ("dependability", "humans", "10") in rows
    parts = [
        float(rows["variance_share", "humans", part].estimate)
        for part in ("units", "raters", "residual")
    ]
    assert parts == pytest.approx([float(share) for share in expected.shares])
    beside = rows["icc_2_1", "humans~r3", ""]
    assert (beside.consensus, beside.estimate.n_raters) == ("mean", 2)
    assert ("icc_2_1", "r0~r1", "") not in rows


def test_a_judge_has_limits_of_agreement_with_people(
    scored: tuple[Study, dict[str, dict[str, object]]],
) -> None:
    study, answers = scored
    apart = [
        float(str(answers["r3"][unit]))
        - np.mean([float(str(answers[who][unit])) for who in ("r0", "r1", "r2")])
        for unit in answers["r3"]
    ]
    expected = limits_of_agreement(apart)

    rows = rows_of(study)

    for metric, estimate in (
        ("difference_from_people", expected.bias),
        ("limit_low", expected.low),
        ("limit_high", expected.high),
    ):
        row = rows[metric, "humans~r3", ""].estimate
        assert (row.value, row.low, row.high) == pytest.approx(
            (estimate.value, estimate.low, estimate.high)
        )
    assert ("equivalence_p", "humans~r3", "") not in rows


def test_people_have_a_severity(scored: tuple[Study, dict[str, dict[str, object]]]) -> None:
    study, answers = scored
    units, raters, values = zip(
        *[(u, r, v) for r in ("r0", "r1", "r2") for u, v in answers[r].items()], strict=True
    )
    expected = severity(units, raters, values)

    rows = rows_of(study)

    for who in ("r0", "r1", "r2"):
        row = rows["severity", who, ""].estimate
        assert (row.value, row.low) == pytest.approx((expected[who].value, expected[who].low))
        assert row.n_units == 24


def test_equivalence_is_tested_only_with_a_margin_of_the_study(
    scored: tuple[Study, dict[str, dict[str, object]]],
) -> None:
    study, _ = scored
    study.margins = {"rating": 5.0}
    study.save()

    p_value = rows_of(study)["equivalence_p", "humans~r3", ""].estimate

    assert p_value.interval_method == "two one-sided t tests over 24 sources, margin 5"
    assert (p_value.value or 1) < 0.05
    keep_columns(study, study.revision, from_database(study))
    kept = from_kept_columns(study, study.revision)
    assert kept is not None
    assert kept.margins == {"rating": 5.0}


def test_systems_are_tested_for_equivalence_with_holm(db: None, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    lines = ["rater,item,system,rating"]
    for source in range(20):
        level = rng.normal(50, 10)
        for system, above in (("Birch", 0), ("Fir", 0.5), ("Larch", 20)):
            lines.append(f"ann,s{source},{system},{level + above + rng.normal():.2f}")
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(lines) + "\n")
    call_command("import_study", "ratings", str(file), slug="s", verbosity=0)
    study = Study.objects.get(slug="s")
    (facet,) = study.blocks.get().facets
    study.margins = {facet.name: 3}
    study.save()

    rows = rows_of(study)

    alike = rows["equivalence_p_holm", "humans", "Birch~Fir"].estimate
    assert (alike.value or 1) < 0.05
    assert (alike.interval_method or "").endswith(
        "margin 3; Holm over 3 pairs of systems of this facet and party"
    )
    assert float(rows["equivalence_p_holm", "humans", "Birch~Larch"].estimate) == 1


def test_lopsided_labels_are_explained_in_words(db: None, tmp_path: Path) -> None:
    """Sixty units of three people, each of whom says no once: 177 of 180 answers are yes."""
    people = {}
    for at, name in enumerate(("ada", "bob", "cem")):
        people[name] = "".join("n" if unit == 7 * at else "y" for unit in range(60))
    study = import_raters(tmp_path, by_rater(**people), by_rater(judge="y" * 60), level="nominal")

    rows = rows_of(study)

    commonest = rows["commonest_share", "humans", ""]
    assert commonest.estimate.value == pytest.approx(177 / 180)
    assert float(rows["krippendorff_alpha_nominal", "humans", ""].estimate) < 0.05
    assert float(rows["pabak", "humans", ""].estimate) == pytest.approx(2 * 58 / 60 - 1)
    assert abs(float(rows["prevalence_index", "humans", ""].estimate)) == pytest.approx(174 / 180)
    assert ("bias_index", "humans", "") not in rows
    assert float(rows["bias_index", "humans~judge", ""].estimate) == pytest.approx(0)
    (words,) = cautions([commonest])
    assert words.startswith("humans, rating: 98 % of the answers are the same.")
    assert "depend on the other 3 answers" in words
    out = StringIO()
    call_command("report", study.slug, "--resamples", "0", stdout=out)
    assert words in out.getvalue()


def test_balanced_labels_need_no_caution(db: None, tmp_path: Path) -> None:
    study = import_raters(tmp_path, by_rater(ada="yynn", bob="ynyn"), {}, level="nominal")

    assert cautions(list(rows_of(study).values())) == []


def test_systems_on_other_sources_come_with_their_differences_first(
    db: None, tmp_path: Path
) -> None:
    lines = ["rater,item,system,rating"]
    lines += [f"ann,s{at},Birch,{40 + at}" for at in range(8)]
    lines += [f"ann,s{at},Larch,{44 + at}" for at in range(4, 12)]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(lines) + "\n")
    call_command("import_study", "ratings", str(file), slug="s", verbosity=0)

    rows = rows_of(Study.objects.get(slug="s"))

    shared = rows["shared_source_share", "humans", ""]
    assert shared.estimate.value == pytest.approx(4 / 12)
    (words,) = cautions([shared])
    assert "only 33 % of 12 sources were rated for every system" in words


def test_systems_on_the_same_sources_say_nothing_of_it(
    scored: tuple[Study, dict[str, dict[str, object]]],
) -> None:
    assert not [key for key in rows_of(scored[0]) if key[0] == "shared_source_share"]


def test_a_margin_comes_from_the_study_file_and_stays_in_the_bundle(
    db: None, tmp_path: Path
) -> None:
    record: dict[str, Any] = {
        "study": {"blocks": [{"task_type": "slider"}], "margins": {"utility": 5}}
    }
    unit = {
        "source": {"key": "a", "claim": "It was sold."},
        "items": [{"key": "a/x", "text": "Text."}],
        "unit": {"key": "a"},
    }
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, (record, unit))))
    call_command("import_study", "jsonl", str(file), slug="s", verbosity=0)
    study = Study.objects.get(slug="s")

    assert study.margins == {"utility": 5}
    assert from_database(study).margins == {"utility": 5}
    call_command("export", "s", format="bundle", out=tmp_path / "out", stdout=StringIO())
    (bundle,) = (tmp_path / "out").glob("*.zip")
    assert from_bundle(bundle)[1].margins == {"utility": 5}
    unknown = tmp_path / "unknown.jsonl"
    record["study"]["margins"] = {"clarity": 5}
    unknown.write_text("\n".join(map(json.dumps, (record, unit))))
    with pytest.raises(CommandError, match="there is no facet 'clarity' in the study"):
        call_command("import_study", "jsonl", str(unknown), slug="t", verbosity=0)


def test_points_from_one_have_no_ratio_distance_but_for_comparison() -> None:
    of_five = Facet("x", "X", "number", "ordinal", low=1, high=5)
    share = Facet("x", "X", "number", "interval", low=0, high=100)

    assert "ratio" not in distances(of_five)
    assert "ratio" in distances(of_five, everything=True)
    assert "ratio" in distances(share)
    assert "ratio" not in distances(replace(share, ends_observed=True))


def test_what_repeats_the_coefficient_is_on_the_page_of_everything_alone(
    db: None, tmp_path: Path, owner: User
) -> None:
    study = import_raters(tmp_path, points(ada="12344", bob="12343"), {}, level="ordinal")
    join(study, owner, Member.Role.OWNER)

    pages = [
        as_user(owner).get(reverse(f"results:{name}", args=[study.slug])).content.decode()
        for name in ("people", "dashboard")
    ]

    assert ["α, ordinal" in page for page in pages] == [True, True]
    assert ["Gwet’s AC2" in page for page in pages] == [False, True]
    assert ["α, nominal" in page for page in pages] == [False, True]


def test_one_coefficient_of_a_kind_stands_for_agreement() -> None:
    """α with the facet's own distance; what says the same is on the page of everything."""
    alphas = [name for name in METRICS if name.startswith("krippendorff_alpha_")]

    shown = [name for name in alphas if not stands_apart(name, "ordinal")]
    assert shown == ["krippendorff_alpha_ordinal", "krippendorff_alpha_kendall"]
    apart = {metric.name for metric in every_metric() if metric.everything}
    assert {"gwet_ac2", "krippendorff_alpha_ratio", "fleiss_kappa", "nemenyi_p"} <= apart
    assert not stands_apart("raw_agreement", "nominal")
    assert stands_apart("gwet_ac2", "ordinal")
