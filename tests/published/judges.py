"""Models as judges: how far they agree with people, and whether they may replace them."""

from tasktypes.importance import FACETS
from tests.published.cases import PER_ITEM, Case, Figure, Step, report, row

_IMPORTANCE, _ORDER = (facet.name for facet in list(FACETS.values())[:2])

# Linearly weighted kappa, agreement, tau and its deviation.
_PAIRS = {
    "gpt-4o~llama-3.3-70b": "0.541 64.1% 0.625 0.213",
    "gpt-4o~qwen3-235b": "0.573 66.8% 0.639 0.250",
    "gpt-4o~gpt-oss-120b": "0.517 61.9% 0.604 0.200",
    "gpt-4o~human-eval": "0.443 58.5% 0.569 0.202",
    "llama-3.3-70b~qwen3-235b": "0.527 64.6% 0.641 0.222",
    "gpt-oss-120b~llama-3.3-70b": "0.484 59.6% 0.681 0.174",
    "human-eval~llama-3.3-70b": "0.404 54.6% 0.556 0.186",
    "gpt-oss-120b~qwen3-235b": "0.509 61.7% 0.642 0.224",
    "human-eval~qwen3-235b": "0.411 56.3% 0.554 0.241",
    "gpt-oss-120b~human-eval": "0.416 56.6% 0.556 0.228",
}


def _pair(pair: str, printed: str) -> tuple[Figure, ...]:
    kappa, same, tau, deviation = printed.split()
    label = pair.replace("~", " and ")
    return (
        Figure(f"{label}, κ", kappa, row("cohen_kappa_linear", _IMPORTANCE, pair)),
        Figure(f"{label}, same label", same, row("raw_agreement", _IMPORTANCE, pair, times=100)),
        Figure(f"{label}, τ", tau, row("kendall_tau_b", _ORDER, pair, aggregation=PER_ITEM)),
        Figure(
            f"{label}, τ, deviation",
            deviation,
            row("kendall_tau_b", _ORDER, pair, field="sd", aggregation=PER_ITEM),
        ),
    )


_SCORES = {
    "weighted_precision": ("weighted precision", "0.6541"),
    "vital_precision": ("vital precision", "0.6145"),
    "linear_decay": ("linear decay precision", "0.6278"),
    "vital_unsupported": ("RLP", "0.56"),
}
VITAL = Case(
    key="vitalerrors-nq",
    title="VITAL: importance of claims, by people and four models",
    source="the repository of the VITAL paper (arXiv 2510.07083)",
    steps=(
        Step(
            (
                "import_study vitalerrors "
                + " ".join(
                    f"{{data}}/vitalerrors-nq/{name}_normal.jsonl.gz"
                    for name in (
                        "gpt-4o",
                        "gpt-oss-120b",
                        "human-eval",
                        "llama-3.3-70b",
                        "qwen3-235b",
                    )
                )
                + " --slug vital",
                report("vital"),
            ),
            (
                *(figure for pair, printed in _PAIRS.items() for figure in _pair(pair, printed)),
                *(
                    Figure(
                        f"gpt-4o, {title}",
                        printed,
                        row(metric, _IMPORTANCE, "gpt-4o", aggregation=PER_ITEM),
                    )
                    for metric, (title, printed) in _SCORES.items()
                ),
            ),
        ),
    ),
)

_JUDGES = ("gemini_flash", "gemini_pro", "gpt-4o", "llama-31", "gpt-4o-mini", "mistral-v03")
# Per judge the winning rate and the advantage probability.
_ALTERNATIVES = {
    ("wax", "nominal", "0.1"): "0.38 0.69 0.50 0.74 0.50 0.73 0.00 0.57 0.00 0.59 0.00 0.50",
    ("lgbteen", "nominal", "0.2"): "0.25 0.71 0.00 0.67 0.75 0.77 0.00 0.72 0.75 0.76 0.25 0.75",
    (
        "10k_prompts",
        "ordinal",
        "0.15",
    ): "0.31 0.67 0.08 0.63 0.69 0.76 0.15 0.67 0.92 0.80 0.15 0.67",
    (
        "cebab_stars",
        "ordinal",
        "0.1",
    ): "0.60 0.82 0.80 0.87 0.90 0.90 0.60 0.85 0.90 0.89 0.50 0.83",
}


def _alternative(name: str, level: str, epsilon: str, printed: str) -> Step:
    figures, values = [], iter(printed.split())
    for judge in _JUDGES:
        for metric in ("alt_winning_rate", "alt_advantage_probability"):
            what = f"{name}, {judge}, {metric.removeprefix('alt_').replace('_', ' ')}"
            figures.append(Figure(what, next(values), row(metric, "rating", f"humans~{judge}")))
    slug = name.replace("_", "-")
    files = " ".join(f"{{data}}/alt-test/{name}_{kind}.json.gz" for kind in ("human", "llm"))
    return Step(
        (
            f"import_study raters {files} --level {level} --slug {slug}",
            report(slug, f"--epsilon {epsilon}"),
        ),
        tuple(figures),
    )


ALT_TEST = Case(
    key="alt-test",
    title="The alternative annotator test of six models",
    source="Calderon, Reichart and Dror (2025), the authors’ notebook",
    steps=tuple(_alternative(*about, printed) for about, printed in _ALTERNATIVES.items()),
)
