"""The works that metrics rest on, by their keys in the bibliography; none where a metric is plain
arithmetic.
"""

from collections.abc import Mapping, Sequence

Keys = Sequence[str]
PPI = ("angelopoulos2023", "angelopoulos2023ppi")
ICC = ("shrout1979", "mcgraw1996")
RETRIEVAL = ("vanrijsbergen1979",)
CALIBRATED = ("xing2025", "minka2001")
ALT = ("calderon2025",)
RATES = ("yerushalmy1947",)
PAIRS_OF_SYSTEMS = ("holm1979",)
RANKS = ("friedman1937", "demsar2006")

WORKS: Mapping[str, Keys] = {
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
    "source_correlation": ("pearson1896", *PPI),
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
    "best_worst": ("kiritchenko2017",),
    "best_worst_reliability": ("kiritchenko2017",),
    "friedman_chi_square": RANKS,
    "friedman_p": RANKS,
    "min_f": ("clark1973",),
    "min_f_p": ("clark1973",),
    "kendall_w": ("kendall1939",),
    "difference_p_holm": PAIRS_OF_SYSTEMS,
    "difference_p_these_holm": ("holm1979",),
    "wilcoxon_p": ("wilcoxon1945",),
    "wilcoxon_p_holm": ("wilcoxon1945", "holm1979"),
    "nemenyi_p": ("nemenyi1963", "demsar2006"),
    "mean_z": ("xing2025",),
    "mean_calibrated": CALIBRATED,
    "order_tau_calibrated": CALIBRATED,
    "retrieval_f1": ("xing2025",),
    "cv_star": ("belz2022",),
}
