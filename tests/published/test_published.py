"""Published data sets through `import_study` and `report --json`, to every digit that was printed,
with what the page of reproduced figures does not hold: see `test_reproduced`. Intervals are left
out; they change no value."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Study
from tests.published.cases import repeated

MAPS = Path(settings.BASE_DIR, "examples", "column-maps")
CORRELATIONS = ("pearson", "spearman", "kendall_tau_b")

Rows = list[dict[str, Any]]


def rows_of(
    format_name: str, *files: Path, reported: dict[str, Any] | None = None, **options: Any
) -> Rows:
    """Import the files and report on them, with the options of both commands."""
    call_command("import_study", format_name, *map(str, files), slug="s", verbosity=0, **options)
    out = StringIO()
    call_command("report", "s", "--json", "--resamples", "0", stdout=out, **(reported or {}))
    rows: Rows = json.loads(out.getvalue())["estimates"]
    assert repeated(rows) == []
    return rows


def one(rows: Rows, metric: str, facet: str, raters: str, **about: Any) -> dict[str, Any]:
    """The one row that is about this."""
    about = {"group": {}, "aggregation": "pooled"} | about
    (row,) = [
        row
        for row in rows
        if (row["metric"], row["facet"], row["raters"]) == (metric, facet, raters)
        and all(row[key] == value for key, value in about.items())
    ]
    return row


def value(rows: Rows, metric: str, facet: str, raters: str, **about: Any) -> float:
    return float(one(rows, metric, facet, raters, **about)["value"])


def correlations(rows: Rows, facet: str, raters: str, aggregation: str) -> list[float]:
    return [
        round(value(rows, name, facet, raters, aggregation=aggregation), 6) for name in CORRELATIONS
    ]


def test_qags_votes_and_predictions(db: None, shared_data: Path) -> None:
    folder = shared_data / "qags-cnndm"
    rows = rows_of(
        "qags", folder / "mturk_cnndm.jsonl.gz", folder / "unieval_qags_cnndm_result.json.gz"
    )
    alpha = one(rows, "krippendorff_alpha_nominal", "consistency", "humans")
    assert round(alpha["value"], 4) == 0.5135
    assert (alpha["n_units"], alpha["n_raters"], alpha["n_ratings"]) == (714, 162, 2142)
    pooled = correlations(rows, "consistency", "humans~unieval", "pooled")
    assert pooled == [0.681681, 0.662255, 0.531636]


# kappa, agreement in percent, tau, its deviation, labels compared
VITAL = {
    ("gpt-4o", "llama-3.3-70b"): (0.541, 64.1, 0.625, 0.213, 1266),
    ("gpt-4o", "qwen3-235b"): (0.573, 66.8, 0.639, 0.250, 1266),
    ("gpt-4o", "gpt-oss-120b"): (0.517, 61.9, 0.604, 0.200, 1266),
    ("gpt-4o", "human-eval"): (0.443, 58.5, 0.569, 0.202, 1264),
    ("llama-3.3-70b", "qwen3-235b"): (0.527, 64.6, 0.641, 0.222, 1266),
    ("llama-3.3-70b", "gpt-oss-120b"): (0.484, 59.6, 0.681, 0.174, 1266),
    ("llama-3.3-70b", "human-eval"): (0.404, 54.6, 0.556, 0.186, 1264),
    ("qwen3-235b", "gpt-oss-120b"): (0.509, 61.7, 0.642, 0.224, 1266),
    ("qwen3-235b", "human-eval"): (0.411, 56.3, 0.554, 0.241, 1264),
    ("gpt-oss-120b", "human-eval"): (0.416, 56.6, 0.556, 0.228, 1264),
}


def test_vital_labels_and_orders_of_ten_pairs(db: None, shared_data: Path) -> None:
    rows = rows_of("vitalerrors", *sorted((shared_data / "vitalerrors-nq").glob("*.jsonl.gz")))

    def figures(pair: str) -> tuple[float, float, float, float, int]:
        kappa = one(rows, "cohen_kappa_linear", "importance", pair)
        tau = one(rows, "kendall_tau_b", "order", pair, aggregation="per_item")
        assert (tau["n_units"], tau["sd_ddof"]) == (50, 0)
        return (
            round(kappa["value"], 3),
            round(100 * value(rows, "raw_agreement", "importance", pair), 1),
            round(tau["value"], 3),
            round(tau["sd"], 3),
            kappa["n_units"],
        )

    assert {pair: figures("~".join(sorted(pair))) for pair in VITAL} == VITAL
    assert figures("humans~gpt-4o") == VITAL["gpt-4o", "human-eval"]


def test_utility_means_by_system(db: None, shared_data: Path) -> None:
    rows = rows_of(
        "ratings",
        shared_data / "utility-ratings" / "ratings.csv",
        columns=MAPS / "utility.yaml",
    )
    means = {
        system: one(
            rows, "mean", "utility", "humans", group={"system": system}, aggregation="per_item"
        )
        for system in ("gpt4", "gpt35", "llama2-70b")
    }
    assert {system: round(row["value"], 2) for system, row in means.items()} == {
        "gpt4": 66.87,
        "gpt35": 72.52,
        "llama2-70b": 65.12,
    }
    assert (round(means["gpt4"]["sd"], 2), means["gpt4"]["sd_ddof"]) == (19.40, 1)


@pytest.mark.parametrize(
    ("name", "level", "counts"),
    [("wax", "nominal", (8, 2856)), ("cebab_stars", "ordinal", (10, 6459))],
)
def test_the_raters_of_the_alternative_annotator_test(
    db: None, shared_data: Path, name: str, level: str, counts: tuple[int, int]
) -> None:
    people, answers = counts
    folder = shared_data / "alt-test"
    files = [folder / f"{name}_{kind}.json.gz" for kind in ("human", "llm")]
    rows = rows_of("raters", *files, reported={"epsilon": 0.1}, level=level)
    metric = f"krippendorff_alpha_{level}"
    assert one(rows, metric, "rating", "humans")["n_raters"] == people
    kappas = [row for row in rows if row["metric"] == "cohen_kappa" and "@" not in row["raters"]]
    assert len(kappas) >= people * 6
    assert Study.objects.get().annotations.count() == answers
    rate = one(rows, "alt_winning_rate", "rating", "humans~gemini_flash")
    assert "epsilon 0.1," in rate["interval_method"]
    assert (rate["low"], rate["undefined"]) == (None, None)


def test_published_estimates_are_labelled_as_such(db: None, tmp_path: Path) -> None:
    table = tmp_path / "paper.csv"
    table.write_text("study,system,rater,metric,value\npaper,just,all,mean_rank,1.48\n")
    (row,) = rows_of("summary", table)
    assert (row["metric"], row["raters"], row["group"]) == (
        "mean_rank",
        "humans",
        {"system": "just"},
    )
    assert (row["value"], row["aggregation"], row["n_units"]) == (1.48, "published", None)
    assert row["interval_method"].startswith("published")
    out = StringIO()
    call_command("report", "s", stdout=out)
    assert "published by others" in out.getvalue()


def test_mean_ranks_of_a_table_of_ranks(db: None, tmp_path: Path) -> None:
    """By a: x 1, 2 and y 2, 1; by b: x 1, y 1. Overall the mean of the two raters' means:
    x (3/2 + 1)/2 = 5/4, y (3/2 + 1)/2 = 5/4. Tau of the one shared unit is undefined: b ties."""
    table = tmp_path / "ranks.csv"
    table.write_text("item,rater,x,y\n1,a,1,2\n2,a,2,1\n1,b,1,1\n")
    rows = rows_of("ranks", table)
    about = {"group": {"system": "x"}, "aggregation": "per_item"}
    assert value(rows, "mean_rank", "rank", "humans", **about) == 1.25
    assert value(rows, "mean_rank", "rank", "a", **about) == 1.5
    tau = one(rows, "kendall_tau_b", "rank", "a~b", aggregation="per_item")
    assert tau["undefined"] == "no source in which both sides vary"
