"""Raters who are numbers within a unit: nothing hangs on which of them gave which answer."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from annotation.models import Study
from estimates.data.bundles.reader import from_bundle
from estimates.data.options import Options
from estimates.data.raters import UNNAMED
from estimates.data.rows import Row
from estimates.engine.estimation import estimate
from estimates.kept.columns import from_kept_columns
from estimates.report.cache import report_of
from estimates.report.recount import recount
from results.reading.people import PeopleVerdict
from results.reading.quality import concerns
from results.summary.screen import screen_of
from tests.label_table.tables import checks
from tests.results.estimates import estimate_study
from tests.results.imported import import_raters

pytestmark = pytest.mark.django_db


def unnamed(folder: Path, shuffled: int = 0) -> Path:
    """Three points for each of two systems on 25 documents, and nobody's name. shuffled: the seed
    of another order of the three."""
    draw, order = Random(4), Random(shuffled)
    lines = ["document,system,fluency"]
    for document in range(25):
        for system, mean in (("alder", 2), ("birch", 4)):
            given = [min(5, max(1, round(draw.gauss(mean, 1)))) for _ in range(3)]
            if shuffled:
                order.shuffle(given)
            lines += [f"d{document},{system},{point}" for point in given]
    path = folder / f"fluency-{shuffled}.csv"
    path.write_text("\n".join(lines))
    return path


def imported(path: Path, slug: str = "unnamed") -> Study:
    call_command("import_study", "table", str(path), slug=slug, stdout=StringIO(), verbosity=0)
    return Study.objects.get(slug=slug)


def rows_of(study: Study) -> tuple[Row, ...]:
    return estimate_study(study, Options()).rows


def by_metric(rows: tuple[Row, ...], raters: str = "humans") -> dict[str, Row]:
    return {row.metric: row for row in rows if row.raters == raters}


def test_no_figure_changes_with_the_order_of_answers_within_a_unit(tmp_path: Path) -> None:
    as_it_lies = rows_of(imported(unnamed(tmp_path)))
    shuffled = rows_of(imported(unnamed(tmp_path, shuffled=1), "shuffled"))
    assert [row.key for row in as_it_lies] == [row.key for row in shuffled]
    for one, other in zip(as_it_lies, shuffled, strict=True):
        for name in ("value", "low", "high", "these_low", "these_high"):
            assert getattr(one.estimate, name) == pytest.approx(getattr(other.estimate, name)), one


def test_they_are_nobody_alone_and_speak_for_nobody_else(tmp_path: Path) -> None:
    rows = rows_of(imported(unnamed(tmp_path)))
    assert {row.raters for row in rows} == {"humans"}
    assert all(row.estimate.n_raters is None for row in rows)
    assert all(row.estimate.others_low is None for row in rows)
    of = by_metric(rows)
    assert of["krippendorff_alpha_ordinal"].estimate.others_method == f"none: {UNNAMED}"
    assert of["krippendorff_alpha_ordinal"].estimate.these_low is not None
    assert of["icc_1_1"].estimate.value is not None
    reasons = {name: of[name].estimate.undefined for name in ("icc_2_1", "difference_p_holm")}
    assert set(reasons.values()) == {UNNAMED}
    assert of["difference_p_these_holm"].estimate.value is not None
    assert not {"min_f_p", "raters_by_systems_sd", "icc_2_k", "severity"} & of.keys()


def test_one_answer_each_is_no_single_person(tmp_path: Path) -> None:
    path = tmp_path / "once.csv"
    lines = [f"d{n},{system},{n % 5 + 1}" for n in range(25) for system in ("alder", "birch")]
    path.write_text("\n".join(["document,system,fluency", *lines]))
    alpha = by_metric(rows_of(imported(path)))["krippendorff_alpha_ordinal"].estimate
    assert alpha.undefined == "no unit has two ratings"


def test_kept_columns_a_bundle_and_a_check_say_the_same(tmp_path: Path) -> None:
    path = unnamed(tmp_path)
    study = imported(path)
    wanted = rows_of(study)
    recount(study=study)
    study.refresh_from_db()
    kept = from_kept_columns(study, study.revision)
    assert kept is not None
    assert estimate(kept, Options()).rows == wanted
    call_command("export", study.slug, format="bundle", out=tmp_path, stdout=StringIO())
    _, data = from_bundle(tmp_path / "unnamed-bundle.zip")
    assert estimate(data, Options()).rows == wanted
    (check,) = checks(path, options=Options())
    assert {row.raters for row in check.rows} == {"humans"}
    assert all(row.estimate.others_low is None for row in check.rows)
    assert "So do people like them" not in check.verdicts[0].sentence
    (check,) = checks(path, options=Options(resamples=0))
    assert check.verdicts[0].verdict == PeopleVerdict.TOO_FEW


def test_the_first_screen_says_why_it_stops_at_these_people(tmp_path: Path) -> None:
    study = imported(unnamed(tmp_path))
    report = report_of(study)
    (said,) = concerns(report)
    assert "do not say who gave which answer" in said
    people, _judges, systems = screen_of(study, report).cards
    assert "people like them would agree is not known" in people.answer.sentence
    assert f"What others would find is not known: {UNNAMED}." in systems.answer.sentence
    assert systems.answer.badge.text == "These raters"
    assert "say who gave which answer" in systems.answer.steps[0].text


def judged() -> Iterator[tuple[str, dict[str, object]]]:
    draw = Random(3)
    truth = {f"u{n}": draw.randint(1, 5) for n in range(40)}
    for name in ("ann", "ben", "cem", "gpt"):
        yield name, {u: min(5, max(1, of + draw.choice((-1, 0, 0, 1)))) for u, of in truth.items()}


def test_a_judge_is_compared_with_all_of_them_and_replaces_none(tmp_path: Path) -> None:
    ratings = dict(judged())
    judge = {"gpt": ratings.pop("gpt")}
    study = import_raters(tmp_path, ratings, judge, level="interval")
    named = by_metric(rows_of(study), "humans~gpt")
    assert named["alt_winning_rate"].estimate.value is not None
    assert named["agreement_gap"].estimate.others_low is not None
    study.imported["reading"] = {"tables": [{"numbered_raters": True}]}
    study.save()
    numbers = by_metric(rows_of(study), "humans~gpt")
    assert numbers["alt_winning_rate"].estimate.undefined == UNNAMED
    gap, before = numbers["agreement_gap"].estimate, named["agreement_gap"].estimate
    assert (gap.value, gap.low, gap.high) == (before.value, before.low, before.high)
    assert (gap.others_low, gap.others_method) == (None, f"none: {UNNAMED}")
