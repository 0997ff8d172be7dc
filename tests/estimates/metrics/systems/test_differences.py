"""Systems compared: tests and differences, by hand and by the functions they come from."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from scipy import stats

from agreement import wilcoxon_signed_rank
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study

Found = Mapping[tuple[str, str, str], Row]
SLIDER: list[tuple[str, dict[str, object]]] = [("slider", {})]


def found_in(study: Study, options: Options | None = None) -> Found:
    """Rows by metric, raters and the systems of the group."""
    rows = estimate_study(study, options or Options(resamples=50)).rows
    return {
        (row.metric, row.raters, "~".join(row.group.values())): row
        for row in rows
        if row.group.keys() <= {"system", "other_system"}
    }


def import_ratings(folder: Path, table: Sequence[str], name: str = "ratings") -> Study:
    file = folder / f"{name}.csv"
    file.write_text("\n".join(table) + "\n")
    call_command("import_study", name, str(file), slug=name, verbosity=0)
    return Study.objects.get(slug=name)


def six_sources(folder: Path) -> Study:
    """Larch is 1, 2, … 6 points above Birch; Fir was only rated on the first source."""
    lines = ["rater,item,system,rating"]
    for source in range(1, 7):
        lines += [f"ann,s{source},Birch,40", f"ann,s{source},Larch,{40 + source}"]
    return import_ratings(folder, [*lines, "ann,s1,Fir,90"])


def test_the_difference_of_two_systems_is_taken_source_by_source(db: None, tmp_path: Path) -> None:
    """Mean of -1 … -6 is -3.5; all signs alike: p = 2 / 2^6; Holm over the three pairs, two of
    which rest on one source with p = 1, so 3/32."""
    found = found_in(six_sources(tmp_path))
    pair = "Birch~Larch"

    difference = found["mean_difference", "humans", pair].estimate
    assert (difference.value, difference.n_units, difference.sd_ddof) == (-3.5, 6, 1)
    assert difference.low is not None
    assert difference.high is not None
    assert -6 <= difference.low < -3.5 < difference.high <= -1
    assert found["wilcoxon_p", "humans", pair].estimate.value == pytest.approx(1 / 32)
    corrected = found["wilcoxon_p_holm", "humans", pair].estimate
    assert corrected.value == pytest.approx(3 / 32)
    assert corrected.interval_method == (
        "Wilcoxon signed-rank, two-sided, exact; "
        "Holm over 3 pairs of systems of this facet and party"
    )
    assert found["mean_difference", "humans", "Birch~Fir"].estimate.value == -50


def test_friedman_takes_sources_on_which_every_system_was_rated(db: None, tmp_path: Path) -> None:
    assert (
        found_in(six_sources(tmp_path))["friedman_p", "humans", ""].estimate.undefined
        == "fewer than two complete blocks"
    )


def test_two_systems_in_a_complete_design(db: None, tmp_path: Path) -> None:
    """Six blocks, ranks 1 and 2 throughout: chi square = 12·6/(2·3) · 2·(1/2)^2 = 6, W = 1, and
    p = P(chi square with 1 degree > 6) = 0.0143."""
    lines = ["rater,item,system,rating"]
    for source in range(6):
        lines += [f"ann,s{source},Birch,40", f"ann,s{source},Larch,{50 + source}"]
    found = found_in(import_ratings(tmp_path, lines))

    chi_square = found["friedman_chi_square", "humans", ""].estimate
    assert chi_square.value == pytest.approx(6)
    assert (chi_square.n_units, chi_square.n_raters, chi_square.n_ratings) == (6, 1, 12)
    assert found["friedman_p", "humans", ""].estimate.value == pytest.approx(0.0143, abs=1e-4)
    assert found["nemenyi_p", "humans", "Birch~Larch"].estimate.value == pytest.approx(
        0.0143, abs=1e-4
    )


def test_the_same_ratings_in_another_order_are_no_difference(db: None, tmp_path: Path) -> None:
    """Five sources on which Larch is 1 above Birch: p = 2 / 2^5. On three more both have 0.1, 0.2
    and 0.3 from three people, whose sum differs in the last digit when taken the other way."""
    lines = ["rater,item,system,rating"]
    up, down = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    for source in range(3):
        for at, rater in enumerate("abc"):
            lines += [f"{rater},s{source},Birch,{up[at]}", f"{rater},s{source},Larch,{down[at]}"]
    for source in range(3, 8):
        for rater in "abc":
            lines += [f"{rater},s{source},Birch,40", f"{rater},s{source},Larch,{40 + source}"]

    test = found_in(import_ratings(tmp_path, lines))["wilcoxon_p", "humans", "Birch~Larch"]

    assert test.estimate.value == pytest.approx(1 / 16)
    assert (test.estimate.n_units, test.estimate.n_ratings) == (8, 5)


def test_differences_of_means_of_three_people_are_tied_where_they_are_equal(
    db: None, tmp_path: Path
) -> None:
    """Thirty sources, three people, five points. Sums are three times the means, so scipy ranks
    their differences alike; p that of all signs, by counting."""
    rng = np.random.default_rng(4)
    points = rng.integers(1, 6, (2, 30, 3))
    lines = ["rater,item,system,rating"]
    for system, of_system in zip(("Birch", "Larch"), points.tolist(), strict=True):
        for source, ratings in enumerate(of_system):
            lines += [
                f"{who},s{source},{system},{r}" for who, r in zip("abc", ratings, strict=True)
            ]

    found = found_in(import_ratings(tmp_path, lines))

    apart = (points[0] - points[1]).sum(axis=1)
    expected = stats.permutation_test(
        (np.where(apart > 0, 1, -1)[apart != 0] * stats.rankdata(abs(apart[apart != 0])),),
        np.sum,
        permutation_type="samples",
        n_resamples=40_000,
        rng=1,
    ).pvalue
    p_value = found["wilcoxon_p", "humans", "Birch~Larch"].estimate.value
    assert p_value == wilcoxon_signed_rank(apart).value
    assert p_value == pytest.approx(expected, abs=0.01)
    difference = found["mean_difference", "humans", "Birch~Larch"].estimate.value
    assert difference == int(apart.sum()) / 90


def test_systems_of_one_mean_are_tied_in_correlations(db: None, tmp_path: Path) -> None:
    """Birch and Larch have 0.1, 0.2 and 0.3 on three sources in either order, Rowan 0.9; the judge
    puts them in this order. Two of three pairs agree and one is tied: 2 / sqrt(2 · 3)."""
    lines = ["rater,kind,item,system,rating"]
    given = {"Birch": (0.1, 0.2, 0.3), "Larch": (0.3, 0.2, 0.1), "Rowan": (0.9, 0.9, 0.9)}
    for place, (system, ratings) in enumerate(given.items()):
        for source, rating in enumerate(ratings):
            lines.append(f"ann,human,s{source},{system},{rating}")
            lines.append(f"gpt,judge,s{source},{system},{(1 + place) / 4}")
    study = import_ratings(tmp_path, lines)

    def tau(options: Options) -> float:
        rows = estimate_study(study, options).rows
        (row,) = [
            row
            for row in rows
            if (row.metric, row.raters, row.aggregation)
            == ("kendall_tau_b", "humans~gpt", "system")
        ]
        return float(row.estimate)

    assert tau(Options(resamples=0)) == pytest.approx(2 / 6**0.5)
    assert tau(Options(resamples=0, tie_tolerance=0)) != pytest.approx(2 / 6**0.5)


def test_rankings_are_compared_unit_by_unit(db: None, tmp_path: Path) -> None:
    """Both raters rank x before y in both units: W is 1, and so is every block's order."""
    lines = ["item,rater,x,y", "1,a,1,2", "2,a,1,2", "1,b,1,2", "2,b,1,2"]
    found = found_in(import_ratings(tmp_path, lines, "ranks"))

    assert found["kendall_w", "humans", ""].estimate.value == 1
    assert found["friedman_chi_square", "humans", ""].estimate.value == pytest.approx(2)
    assert found["mean_difference", "humans", "x~y"].estimate.value == -1
    assert "too few sources" in str(found["difference_p", "humans", "x~y"].estimate.undefined)


def test_sets_are_compared_by_their_f1(db: None) -> None:
    """Alder and Birch are on different sources here: nothing is paired, and the rows say so."""
    study = make_study(sources=4)
    ada = make_rater(study, "ada")
    for question in questions(study):
        choose(ada, question, 0, 2)

    found = found_in(study)

    reason = "no source on which both systems were rated"
    assert found["mean_difference", "humans", "Alder~Birch"].estimate.undefined == reason
    assert found["wilcoxon_p_holm", "humans", "Alder~Birch"].estimate.undefined == reason


def test_one_system_is_compared_with_nothing(db: None) -> None:
    study = make_study(sources=1, blocks=SLIDER)
    rate(make_rater(study, "ada"), questions(study)[0], 5)

    assert not [name for name, *_ in found_in(study) if name.startswith(("friedman", "wilcoxon"))]


def test_quartiles_stand_beside_the_mean(db: None) -> None:
    """Items 10, 20, 40, 80: median 30, quartiles 17.5 and 50."""
    study = make_study(sources=4, blocks=SLIDER)
    ada = make_rater(study, "ada")
    for question, value in zip(questions(study), (10, 20, 40, 80), strict=True):
        rate(ada, question, value)

    found = found_in(study)

    quartiles = ("lower_quartile", "median", "upper_quartile")
    assert [found[name, "humans", ""].estimate.value for name in quartiles] == [17.5, 30, 50]
    assert found["median", "humans", "Alder"].estimate.value == 50  # 20 and 80


def test_published_ratings_are_compared(db: None, shared_data: Path, tmp_path: Path) -> None:
    """Against the same numbers worked out with plain loops and scipy."""
    ratings: dict[tuple[str, str], list[float]] = {}
    table = shared_data / "utility-ratings" / "ratings.csv"
    with table.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            ratings.setdefault((row["item"], row["generator"]), []).append(float(row["rating"]))
    means = {key: sum(values) / len(values) for key, values in ratings.items()}
    systems = ("gpt35", "gpt4", "llama2-70b")
    whole = [item for item, system in means if system == "gpt4"]
    whole = [item for item in whole if all((item, system) in means for system in systems)]
    columns = [[means[item, system] for item in whole] for system in systems]
    call_command("import_study", "ratings", str(table), slug="u", verbosity=0)

    found = found_in(Study.objects.get(slug="u"), Options(resamples=0))

    expected = stats.friedmanchisquare(*columns)
    chi_square = found["friedman_chi_square", "humans", ""].estimate
    assert chi_square.value == pytest.approx(expected.statistic)
    assert chi_square.n_units == len(whole) == 100
    p_value = found["friedman_p", "humans", ""].estimate.value
    assert p_value == pytest.approx(expected.pvalue)
    apart = [a - b for a, b in zip(columns[0], columns[1], strict=True)]
    difference = found["mean_difference", "humans", "gpt35~gpt4"].estimate.value
    assert difference == pytest.approx(sum(apart) / 100)


def test_published_ratings_of_three_people_are_tested_by_their_sums(
    db: None, shared_data: Path, tmp_path: Path
) -> None:
    """DialSummEval's fluency of two systems, where p was .64 with rounded means. Sums have the
    ties of the exact means; all signs of their ranks are counted with whole numbers."""
    table = shared_data / "dialsummeval-ratings" / "ratings_and_metrics.csv"
    lines, sums = ["rater,item,system,rating"], dict[str, dict[str, int]]()
    with table.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["system_id"] in "JL":
                ratings = {who: row[f"fluency_{who}"] for who in ("a1", "a2", "a3")}
                about = row["doc_id"], row["system_id"]
                lines += [f"{who},{about[0]},{about[1]},{r}" for who, r in ratings.items()]
                sums.setdefault(about[0], {})[about[1]] = sum(map(int, ratings.values()))
    apart = np.array([both["J"] - both["L"] for both in sums.values()])
    ranks = (2 * stats.rankdata(np.abs(apart[apart != 0]))).astype(int).tolist()
    ways = {0: 1}
    for rank in ranks:
        taken = {total + rank: count for total, count in ways.items()}
        ways = {at: ways.get(at, 0) + taken.get(at, 0) for at in {*ways, *taken}}
    middle = sum(ranks) / 2
    observed = abs(sum(r for r, d in zip(ranks, apart[apart != 0], strict=True) if d > 0) - middle)
    as_far = sum(count for total, count in ways.items() if abs(total - middle) >= observed)

    found = found_in(import_ratings(tmp_path, lines), Options(resamples=0))

    p_value = found["wilcoxon_p", "humans", "J~L"].estimate.value
    assert p_value == pytest.approx(as_far / 2 ** len(ranks))
    assert p_value == pytest.approx(0.9831, abs=1e-4)
    difference = found["mean_difference", "humans", "J~L"].estimate.value
    assert difference == int(apart.sum()) / (3 * len(apart))
