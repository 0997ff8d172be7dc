"""People's agreement, and judges' with people, as it was published."""

import csv
import json
from pathlib import Path

from tests.published.cases import ELSEWHERE, Case, Figure, Step, report, row

CORRELATIONS = ("pearson", "spearman", "kendall_tau_b")


def _long_ratings(data: Path, made: Path) -> None:
    """The reliability data, one observer per row and one unit per column, as both formats."""
    with (data / "reliability_data.csv").open(encoding="utf-8") as stream:
        head, *rows = list(csv.reader(stream))
    values = {
        one[0]: {unit: int(cell) for unit, cell in zip(head[1:], one[1:], strict=True) if cell}
        for one in rows
    }
    (made / "observers.json").write_text(json.dumps(values))
    with (made / "ratings.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["rater", "item", "rating"])
        for rater, given in values.items():
            table.writerows([rater, unit, value] for unit, value in given.items())


KRIPPENDORFF = Case(
    key="krippendorff-2011",
    title="Krippendorff’s worked example",
    source="Krippendorff (2011), Computing Krippendorff’s Alpha-Reliability",
    prepared="`MADE/observers.json` holds the codes of each observer by unit, `MADE/ratings.csv` "
    "the same as a long table.",
    prepare=_long_ratings,
    steps=(
        Step(
            (
                "import_study raters {made}/observers.json --level ordinal --slug observers",
                report("observers"),
            ),
            tuple(
                Figure(
                    f"α, {level}",
                    printed,
                    row(f"krippendorff_alpha_{level}", "rating", "humans"),
                )
                for level, printed in (
                    ("nominal", "0.743"),
                    ("ordinal", "0.815"),
                    ("interval", "0.849"),
                )
            ),
        ),
        Step(
            ("import_study ratings {made}/ratings.csv --slug ratings", report("ratings", "--all")),
            (Figure("α, ratio", "0.797", row("krippendorff_alpha_ratio", "rating", "humans")),),
        ),
    ),
)


def _three(
    label: str, printed: str, facet: str, raters: str, level: str = "pooled"
) -> tuple[Figure, ...]:
    """Pearson, Spearman and Kendall, printed as one line."""
    return tuple(
        Figure(f"{label}, {name}", value, row(name, facet, raters, aggregation=level))
        for name, value in zip(CORRELATIONS, printed.split(), strict=True)
    )


QAGS = Case(
    key="qags-cnndm",
    title="QAGS: votes on the sentences of summaries, and UniEval",
    source="Wang, Cho and Lewis (2020); Zhong et al. (2022)",
    steps=(
        Step(
            (
                (
                    "import_study qags {data}/qags-cnndm/mturk_cnndm.jsonl.gz "
                    "{data}/qags-cnndm/unieval_qags_cnndm_result.json.gz --slug qags"
                ),
                report("qags"),
            ),
            (
                Figure(
                    "α of the workers",
                    "0.51",
                    row("krippendorff_alpha_nominal", "consistency", "humans"),
                ),
                Figure(
                    "α of the workers, two more digits",
                    "0.5135",
                    row("krippendorff_alpha_nominal", "consistency", "humans"),
                ),
                *_three(
                    "UniEval with people",
                    "0.681681 0.662255 0.531636",
                    "consistency",
                    "humans~unieval",
                ),
            ),
        ),
    ),
)
SFRES = Case(
    key="unieval-sfres",
    title="SFRES: scores of people and of UniEval",
    source="Zhong et al. (2022), the repository’s table",
    steps=(
        Step(
            (
                "import_study unieval {data}/unieval-sfres/sfres_result.json.gz --slug sfres",
                report("sfres"),
            ),
            tuple(
                figure
                for facet, printed in (
                    ("naturalness", "0.367252 0.333399 0.247094"),
                    ("informativeness", "0.282079 0.224918 0.169297"),
                    ("overall", "0.370815 0.291593 0.214708"),
                )
                for figure in _three(facet, printed, facet, "humans~unieval")
            ),
        ),
    ),
)
DIALSUMMEVAL = Case(
    key="dialsummeval-ratings",
    title="DialSummEval: three raters, fourteen systems, automatic metrics",
    source="Gao and Wan (2022); the figures to be reached are not theirs, but were computed from "
    "their ratings by other programs",
    steps=(
        Step(
            (
                (
                    "import_study ratings {data}/dialsummeval-ratings/ratings_and_metrics.csv "
                    "--columns examples/column-maps/dialsummeval.yaml --slug dialsumm"
                ),
                report("dialsumm", "--tie-tolerance 0"),
            ),
            (
                *(
                    Figure(
                        f"{facet}, α {distance}",
                        value,
                        row(f"krippendorff_alpha_{distance}", facet, "humans"),
                    )
                    for facet, printed in (
                        ("coherence", "0.475048 0.553426 0.273823"),
                        ("consistency", "0.406711 0.492763 0.106180"),
                        ("fluency", "0.009946 0.133613 -0.079789"),
                        ("relevance", "0.312097 0.386720 0.099459"),
                    )
                    for distance, value in zip(
                        ("ordinal", "interval", "nominal"), printed.split(), strict=True
                    )
                ),
                *(
                    figure
                    for metric, facet, levels in (
                        (
                            "bartscore_s_h",
                            "consistency",
                            (
                                "0.465649 0.393474 0.289294",
                                "0.471827 0.373314 0.294255",
                                "0.636426 0.6 0.538462",
                            ),
                        ),
                        (
                            "bartscore_s_h",
                            "relevance",
                            (
                                "0.470198 0.384952 0.281774",
                                "0.474549 0.368044 0.292661",
                                "0.633071 0.582418 0.516484",
                            ),
                        ),
                        (
                            "rouge_l",
                            "coherence",
                            (
                                "0.329514 0.32809 0.246386",
                                "0.279752 0.230371 0.186733",
                                "0.493697 0.362637 0.274725",
                            ),
                        ),
                        (
                            "rouge_l",
                            "fluency",
                            (
                                "0.247757 0.285161 0.214359",
                                "0.273659 0.305428 0.241765",
                                "0.488809 0.723077 0.494505",
                            ),
                        ),
                    )
                    for level, printed in zip(("pooled", "summary", "system"), levels, strict=True)
                    for figure in _three(
                        f"{metric} with {facet}, {'sample' if level == 'pooled' else level}",
                        printed,
                        facet,
                        f"humans~{metric}",
                        level,
                    )
                ),
            ),
            expected=ELSEWHERE,
        ),
    ),
)
