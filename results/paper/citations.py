"""Which works a metric, a kind of interval and a judge method rest on."""

import re
from collections.abc import Iterable, Mapping, Sequence

from results.data.rows import Row
from results.metrics.catalogue import ALPHA

Keys = Sequence[str]
PPI = ("angelopoulos2023", "angelopoulos2023ppi")
ICC = ("shrout1979", "mcgraw1996")
RETRIEVAL = ("vanrijsbergen1979",)
CALIBRATED = ("xing2025", "minka2001")
ALT = ("calderon2025",)
RATES = ("yerushalmy1947",)
PAIRS_OF_SYSTEMS = ("holm1979",)
RANKS = ("friedman1937", "demsar2006")

# Works behind a distance of α beside α itself.
DISTANCES: Mapping[str, Keys] = {
    "jaccard": ("jaccard1912",),
    "masi": ("passonneau2006",),
    "kendall": ("kemeny1959",),
}
METRICS: Mapping[str, Keys] = {
    "cohen_kappa": ("cohen1960",),
    "cohen_kappa_linear": ("cohen1968",),
    "cohen_kappa_quadratic": ("cohen1968",),
    "fleiss_kappa": ("fleiss1971",),
    "gwet_ac1": ("gwet2008",),
    "gwet_ac2": ("gwet2008",),
    "entropy": ("shannon1948",),
    "agreement_with_others": ("krippendorff2011",),
    "dawid_skene_accuracy": ("dawid1979",),
    "icc_2_1": ICC,
    "icc_2_k": ICC,
    "icc_1_1": ICC,
    "variance_share": ("brennan2001",),
    "dependability": ("brennan2001",),
    "prevalence_index": ("byrt1993",),
    "bias_index": ("byrt1993",),
    "pabak": ("byrt1993",),
    "limit_low": ("bland1986",),
    "limit_high": ("bland1986",),
    "equivalence_p": ("schuirmann1987",),
    "equivalence_p_holm": ("schuirmann1987", "holm1979"),
    "pearson": ("pearson1896",),
    "spearman": ("spearman1904",),
    "kendall_tau_b": ("kendall1945",),
    "alt_winning_rate": (*ALT, "benjamini2001"),
    "alt_advantage_probability": ALT,
    "alt_advantage_difference": ALT,
    "alt_gap": ALT,
    "mean_ppi": PPI,
    "mean_ppi_equivalent": PPI,
    "mean_ppi_saved": PPI,
    "share_ppi": PPI,
    "share_ppi_equivalent": PPI,
    "share_ppi_saved": PPI,
    "difference_ppi": PPI,
    "difference_ppi_saved": PPI,
    "true_positive_rate": RATES,
    "true_negative_rate": RATES,
    "agreement_gap": ("nili2014",),
    "corrected_rate": ("rogan1978",),
    "judge_difference_p": PAIRS_OF_SYSTEMS,
    "slice_p": PAIRS_OF_SYSTEMS,
    "brier_score": ("brier1950",),
    "calibration_error": ("naeini2015",),
    "precision": RETRIEVAL,
    "recall": RETRIEVAL,
    "f1": RETRIEVAL,
    "strength": ("bradley1952",),
    "friedman_chi_square": RANKS,
    "friedman_p": RANKS,
    "min_f": ("clark1973",),
    "min_f_p": ("clark1973",),
    "kendall_w": ("kendall1939",),
    "difference_p_holm": PAIRS_OF_SYSTEMS,
    "wilcoxon_p": ("wilcoxon1945",),
    "wilcoxon_p_holm": ("wilcoxon1945", "holm1979"),
    "nemenyi_p": ("nemenyi1963", "demsar2006"),
    "mean_z": ("xing2025",),
    "mean_calibrated": CALIBRATED,
    "order_tau_calibrated": CALIBRATED,
    "retrieval_f1": ("xing2025",),
    "cv_star": ("belz2022",),
}
# How a description of an interval begins or what it holds, and the works behind it.
INTERVALS: Mapping[str, Keys] = {
    r"^jackknife over": ("mackinnon2023",),
    r"^jackknife over .* and \d+ raters": ("cameron2011", "satterthwaite1946"),
    r"^percentile bootstrap": ("efron1979",),
    r"^confidence sequence by betting": ("waudbysmith2024",),
    r"^confidence sequence, Student": ("lai1976", "wang2025", "waudbysmith2024limit"),
    r"^Wilson": ("wilson1927",),
    r"^Newcombe": ("newcombe1998",),
    r"Bonett and Wright": ("bonett2000",),
    r"^Student, error over": ("liang1986",),
}
JUDGE_METHODS: Mapping[str, Keys] = {
    "geval": ("liu2023",),
    "prometheus": ("kim2024",),
    "unieval": ("zhong2022",),
    "nli": ("honovich2022",),
}


def of_metric(name: str) -> Keys:
    """The works behind a metric; none where it is plain arithmetic."""
    if name.startswith(ALPHA):
        return ("krippendorff2011", *DISTANCES.get(name.removeprefix(ALPHA), ()))
    return METRICS.get(name, ())


def of_metrics(names: Iterable[str]) -> list[str]:
    """The works behind these metrics, each once."""
    return list(dict.fromkeys(key for name in names for key in of_metric(name)))


def of_intervals(rows: Iterable[Row]) -> list[str]:
    """The works behind the intervals that these rows have."""
    methods = {row.estimate.interval_method or "" for row in rows if row.estimate.low is not None}
    return [
        key
        for pattern, keys in INTERVALS.items()
        if any(re.search(pattern, method) for method in methods)
        for key in keys
    ]
