"""Two studies side by side: small ones by hand, and the published reproduction to every digit."""

import csv
import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agreement import Estimate
from annotation.models import Item, Study
from estimates.data.rows import Row
from results.studies.conclusions import Statement
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate

CONCLUSIONS = [
    ("The gold explanation ranks the best.", "just", "explain_extr"),
    ("The gold explanation ranks the best.", "just", "explain_mt"),
    ("Explain-MT ranks better than Explain-Extr.", "explain_mt", "explain_extr"),
]


def compare(study: str, against: str) -> dict[str, Any]:
    out = StringIO()
    call_command("report", study, "--against", against, "--json", "--resamples", "0", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    keys = ("metric", "facet", "raters", "group", "aggregation", "consensus")
    names = [json.dumps([row[key] for key in keys]) for row in found["estimates"]]
    assert len(set(names)) == len(names)
    return found


def publish(
    folder: Path, slug: str, figures: Mapping[str, float], metric: str = "mean_rank"
) -> None:
    """Import figures by system as what others published."""
    lines = [f"{slug},{system},all,{metric},{value}" for system, value in figures.items()]
    table = folder / f"{slug}.csv"
    table.write_text("\n".join(["study,system,rater,metric,value", *lines]))
    call_command("import_study", "summary", str(table), slug=slug, verbosity=0, stdout=StringIO())


def conclude(folder: Path, slug: str, stated: Sequence[tuple[str, str, str]]) -> None:
    """Give a study its conclusions, as a study file."""
    file = folder / f"{slug}.yaml"
    conclusions = [
        {"text": text, "metric": "mean_rank", "better": better, "worse": worse}
        for text, better, worse in stated
    ]
    about = {"slug": slug, "title": slug, "blocks": [{"task_type": "ranking"}]}
    file.write_text(json.dumps(about | {"conclusions": conclusions}))  # JSON is YAML
    call_command("apply_study", str(file), verbosity=0, stdout=StringIO())


def published_tables(folder: Path) -> dict[str, dict[str, float]]:
    """Study -> system -> mean average rank of all annotators together."""
    with (folder / "mar_table5.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["annotator"] == "all"]
    systems = ("just", "explain_extr", "explain_mt")
    return {row["study"]: {name: float(row[name]) for name in systems} for row in rows}


def test_the_published_reproduction_to_every_digit(
    db: None, shared_data: Path, tmp_path: Path
) -> None:
    """Tables 2 and 3 from Table 5, and the verdicts of Table 1."""
    folder = shared_data / "reprohum-0087-01"
    for slug, figures in published_tables(folder).items():
        publish(tmp_path, slug, figures)
    conclude(tmp_path, "original_paper", CONCLUSIONS)

    with (folder / "cvstar_table2_spearman_table3.csv").open(encoding="utf-8") as stream:
        for printed in csv.DictReader(stream):
            found = compare(printed["a"], printed["b"])
            rows = {
                (row["metric"], row["group"].get("system", "")): row
                for row in found["estimates"]
                if "against" in row["group"]
            }
            for system in ("just", "explain_extr", "explain_mt"):
                assert f"{rows['cv_star', system]['value']:.2f}" == printed[f"cvstar_{system}"]
            assert f"{rows['spearman', '']['value']:.2f}" == printed["spearman_rho"]

    found = compare("reproduction", "original_paper")
    verdicts = [
        (one["text"], one["holds_against"], one["holds"], one["verdict"])
        for one in found["reproduction"]["conclusions"]
    ]
    assert verdicts == [
        ("The gold explanation ranks the best.", True, False, "opposite"),
        ("Explain-MT ranks better than Explain-Extr.", True, True, "confirmed"),
    ]


def test_the_text_names_both_studies_and_the_verdicts(db: None, tmp_path: Path) -> None:
    publish(tmp_path, "first", {"x": 1.5, "y": 2.5, "z": 3})
    publish(tmp_path, "second", {"x": 2.5, "y": 1.5, "z": 1})
    conclude(tmp_path, "first", [("X is better.", "x", "y")])
    out = StringIO()

    call_command("report", "second", "--against", "first", stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[0] == "second against first"
    assert lines[3].split() == ["System", "second", "first", "CV*"]
    assert lines[4].split() == ["x", "2.500", "1.500", "49.9"]
    assert any(line.startswith("Spearman’s ρ: −1.000 over systems") for line in lines)
    assert any(line.startswith("Only 3 systems: their means") for line in lines)
    assert lines[-1].split("  ")[-1].strip() == "opposite, by published figures alone"


def rated(slug: str, values: Sequence[float], low: float = 20, high: float = 120) -> Study:
    """Utility by one person; sources in turn by Birch and Alder."""
    options = {"low": low, "high": high}
    study = make_study(slug, sources=len(values), blocks=[("slider", options)])
    ada = make_rater(study, f"ada-{slug}")
    for question, value in zip(questions(study), values, strict=True):
        rate(ada, question, value)
    return study


def test_means_are_compared_on_a_scale_that_begins_at_0(db: None) -> None:
    """Birch 30 and 40, on a scale from 20: CV* of 10 and 20. s = 7.0711, c4(2) = 0.797885,
    mean 15: 100 · 9/8 · 8.8623 / 15 = 66.47."""
    rated("here", [30, 50])
    rated("there", [40, 50])

    found = compare("here", "there")

    (comparison,) = found["reproduction"]["comparisons"]
    assert (comparison["metric"], comparison["facet"]) == ("mean", "utility")
    birch = next(one for one in comparison["systems"] if one["system"] == "Birch")
    assert (birch["value"], birch["against"]) == (30, 40)
    assert birch["cv_star"] == pytest.approx(66.467, abs=1e-3)
    assert comparison["spearman"]["undefined"] == "fewer than three systems"
    assert comparison["spearman"]["n_units"] == 2
    assert "krippendorff_alpha_interval" in [
        one["metric"] for one in found["reproduction"]["alphas"]
    ]


def test_it_is_the_same_whichever_study_is_asked(db: None, tmp_path: Path) -> None:
    """Birch 30 here and 40 as published: 10 and 20 from the scale's beginning, as above."""
    rated("here", [30, 50])
    publish(tmp_path, "paper", {"Birch": 40}, metric="mean")

    for pair in (("here", "paper"), ("paper", "here")):
        (comparison,) = compare(*pair)["reproduction"]["comparisons"]
        (birch,) = comparison["systems"]
        assert birch["cv_star"] == pytest.approx(66.467, abs=1e-3)


def test_means_on_two_scales_are_not_measured_against_each_other(db: None) -> None:
    rated("here", [30, 50])
    rated("there", [4, 5], low=0, high=10)

    found = compare("here", "there")

    rows = [row for row in found["estimates"] if row["metric"] == "cv_star"]
    assert {row["undefined"] for row in rows} == {"the two studies asked on different scales"}
    assert {row["value"] for row in rows} == {None}


def test_a_study_with_answers_is_compared_with_published_figures(db: None, tmp_path: Path) -> None:
    rated("here", [30, 50])
    publish(tmp_path, "paper", {"Birch": 30, "Alder": 50}, metric="mean")

    found = compare("here", "paper")

    (comparison,) = found["reproduction"]["comparisons"]
    assert [one["cv_star"] for one in comparison["systems"]] == [0, 0]


def test_without_a_system_in_common_it_says_so(db: None, tmp_path: Path) -> None:
    publish(tmp_path, "first", {"x": 1.5})
    publish(tmp_path, "second", {"y": 1.5})

    found = compare("first", "second")

    reasons = {row["undefined"] for row in found["estimates"] if "against" in row["group"]}
    assert reasons == {"no system in common"}


def test_without_figures_a_conclusion_is_undecided(db: None, tmp_path: Path) -> None:
    publish(tmp_path, "first", {"x": 1.5, "y": 2})
    publish(tmp_path, "second", {"x": 1.5})
    conclude(tmp_path, "first", [("X is better.", "x", "y"), ("X is best.", "x", "q")])

    found = compare("second", "first")["reproduction"]["conclusions"]

    assert [(one["holds_against"], one["holds"], one["verdict"]) for one in found] == [
        (True, None, "undecided"),
        (None, None, "undecided"),
    ]


def test_rounding_confirms_nothing(db: None, tmp_path: Path) -> None:
    for slug in ("first", "second"):
        publish(tmp_path, slug, {"x": 0.1 + 0.2, "y": 0.3})
    conclude(tmp_path, "first", [("Y is better.", "y", "x")])

    (found,) = compare("second", "first")["reproduction"]["conclusions"]

    assert 0.3 < 0.1 + 0.2
    assert (found["holds"], found["verdict"]) == (False, "not settled")


def sources_rated(folder: Path, slug: str, apart: Sequence[int]) -> None:
    """Birch has 50 on every source, Alder so many points more; one person rated both."""
    lines = ["rater,item,system,rating"]
    for at, more in enumerate(apart):
        lines += [f"ann,s{at},Alder,{50 + more}", f"ann,s{at},Birch,50"]
    file = folder / f"{slug}.csv"
    file.write_text("\n".join(lines))
    call_command("import_study", "ratings", str(file), slug=slug, verbosity=0)
    stated = [{"text": "Alder is better.", "metric": "mean", "better": "Alder", "worse": "Birch"}]
    Study.objects.filter(slug=slug).update(conclusions=stated)


@pytest.mark.parametrize(
    ("apart", "outcome", "verdict"),
    [
        ([1, 2, 3, 4, 5, 6], "holds", "confirmed"),  # t = 3.5 / sqrt(3.5 / 6) = 4.6, p = .006
        ([1, 2, 3, 4], "not settled", "not settled"),  # too few sources for a test
        ([0, 0, 1, 4, 5], "not settled", "not settled"),  # t = 2 / sqrt(5.5 / 5) = 1.9, p = .13
        ([-1, -2, -3, -4, -5, -6], "opposite", "opposite"),
        ([5, -6, 7, -4, 3, -2], "not settled", "not settled"),
        ([0, 0, 0, 0, 0, 0], "not settled", "not settled"),
    ],
)
def test_a_conclusion_is_settled_by_the_test_of_its_two_systems(
    db: None, tmp_path: Path, apart: Sequence[int], outcome: str, verdict: str
) -> None:
    sources_rated(tmp_path, "there", [1, 2, 3, 4, 5, 6])
    sources_rated(tmp_path, "here", apart)

    (found,) = compare("here", "there")["reproduction"]["conclusions"]

    assert (found["outcome_against"], found["outcome"]) == ("holds", outcome)
    assert found["verdict"] == verdict
    assert found["holds"] == (sum(apart) > 0)  # by the figures alone, as before
    assert found["by_figures_alone"] is False


def test_where_one_study_is_published_only_the_verdict_says_so(db: None, tmp_path: Path) -> None:
    sources_rated(tmp_path, "here", [1, 2, 3, 4, 5, 6])
    publish(tmp_path, "paper", {"Alder": 52.0, "Birch": 51.0}, metric="mean")

    (found,) = compare("here", "paper")["reproduction"]["conclusions"]

    assert (found["outcome_against"], found["outcome"]) == ("holds", "holds")
    assert (found["verdict"], found["by_figures_alone"]) == ("confirmed", True)


def test_without_a_test_intervals_that_do_not_overlap_settle_it() -> None:
    """Alder 3 (2 to 4) and Birch 1 (0 to 1.5), then up to 2.5; less is better of flags."""

    def outcome(high: float | None, metric: str = "median") -> str:
        figures = {"Alder": (3.0, 2.0, 4.0), "Birch": (1.0, 0.0 if high else None, high)}
        rows = [
            Row(
                metric=metric,
                facet="utility",
                raters="humans",
                group={"system": system},
                aggregation="per_item",
                consensus=None,
                estimate=Estimate(value=value, low=low, high=up),
            )
            for system, (value, low, up) in figures.items()
        ]
        return Statement(metric, better="Alder", worse="Birch").outcome(rows, 0.05)

    assert outcome(1.5) == "holds"
    assert outcome(2.5) == "not settled"
    assert outcome(None) == "not settled"
    assert outcome(1.5, "vital_unsupported") == "opposite"


def test_applying_a_study_file_keeps_what_was_published(db: None, tmp_path: Path) -> None:
    publish(tmp_path, "first", {"x": 1.5})
    conclude(tmp_path, "first", [("X is better.", "x", "y")])
    conclude(tmp_path, "first", [("X is better.", "x", "z")])

    assert len(Study.objects.get().imported["published"]) == 1
    assert Study.objects.get().conclusions[0]["worse"] == "z"
    assert Item.objects.count() == 0


def test_an_unknown_other_study_is_refused(db: None, tmp_path: Path) -> None:
    publish(tmp_path, "first", {"x": 1.5})
    with pytest.raises(CommandError, match="--against: nowhere: no such study"):
        call_command("report", "first", "--against", "nowhere", stdout=StringIO())
