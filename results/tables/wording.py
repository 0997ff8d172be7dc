"""How names and numbers of a report are said on a page."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import RESAMPLES, Estimate
from results.data.options import Options
from results.data.parties import HUMANS, SIMULATED
from results.data.rows import Group

METRICS = {
    "krippendorff_alpha_nominal": gettext_lazy("α, nominal"),
    "krippendorff_alpha_ordinal": gettext_lazy("α, ordinal"),
    "krippendorff_alpha_interval": gettext_lazy("α, interval"),
    "krippendorff_alpha_ratio": gettext_lazy("α, ratio"),
    "krippendorff_alpha_jaccard": gettext_lazy("α, Jaccard"),
    "krippendorff_alpha_masi": gettext_lazy("α, MASI"),
    "krippendorff_alpha_kendall": gettext_lazy("α of orders, Kendall"),
    "run_to_run_alpha_nominal": gettext_lazy("α from run to run, nominal"),
    "run_to_run_alpha_ordinal": gettext_lazy("α from run to run, ordinal"),
    "run_to_run_alpha_interval": gettext_lazy("α from run to run, interval"),
    "run_to_run_alpha_jaccard": gettext_lazy("α from run to run, Jaccard"),
    "run_to_run_agreement": gettext_lazy("Same answer from run to run"),
    "raw_agreement": gettext_lazy("Same answer"),
    "cohen_kappa": gettext_lazy("κ"),
    "cohen_kappa_linear": gettext_lazy("κ, linear weights"),
    "cohen_kappa_quadratic": gettext_lazy("κ, quadratic weights"),
    "fleiss_kappa": gettext_lazy("Fleiss’ κ"),
    "gwet_ac1": gettext_lazy("Gwet’s AC1"),
    "gwet_ac2": gettext_lazy("Gwet’s AC2"),
    "entropy": gettext_lazy("Entropy of choices"),
    "pearson": gettext_lazy("Pearson’s r"),
    "spearman": gettext_lazy("Spearman’s ρ"),
    "kendall_tau_b": gettext_lazy("Kendall’s τ-b"),
    "mean_rank": gettext_lazy("Mean rank"),
    "precision": gettext_lazy("Precision"),
    "recall": gettext_lazy("Recall"),
    "f1": gettext_lazy("F1"),
    "mean": gettext_lazy("Mean"),
    "share": gettext_lazy("Share of the first label"),
    "win_share": gettext_lazy("Comparisons won"),
    "straight_lining": gettext_lazy("Longest run of one answer, as a share"),
    "transparent_share": gettext_lazy("Transparent"),
    "agreement_with_others": gettext_lazy("Agreement with the others"),
    "dawid_skene_accuracy": gettext_lazy("Accuracy by Dawid and Skene"),
    "alt_winning_rate": gettext_lazy("Winning rate over people"),
    "alt_advantage_probability": gettext_lazy("Advantage probability"),
    "friedman_chi_square": gettext_lazy("Friedman’s χ²"),
    "friedman_p": gettext_lazy("p, Friedman"),
    "nemenyi_p": gettext_lazy("p, Nemenyi"),
    "kendall_w": gettext_lazy("Kendall’s W"),
    "mean_difference": gettext_lazy("Difference of means"),
    "wilcoxon_p": gettext_lazy("p, Wilcoxon"),
    "wilcoxon_p_holm": gettext_lazy("p, Wilcoxon with Holm"),
    "lower_quartile": gettext_lazy("Lower quartile"),
    "median": gettext_lazy("Median"),
    "upper_quartile": gettext_lazy("Upper quartile"),
    "mean_z": gettext_lazy("Mean z-score"),
    "mean_calibrated": gettext_lazy("Calibrated mean"),
    "order_tau_z": gettext_lazy("Order of systems, z"),
    "order_tau_calibrated": gettext_lazy("Order of systems, calibrated"),
    "worker_precision": gettext_lazy("Precision of the worker"),
    "median_seconds": gettext_lazy("Seconds per answer, median"),
    "mean_ppi": gettext_lazy("Prediction-powered mean"),
    "mean_ppi_equivalent": gettext_lazy("Human answers worth as much"),
    "mean_ppi_saved": gettext_lazy("Human answers saved"),
    "share_ppi": gettext_lazy("Prediction-powered share"),
    "share_ppi_equivalent": gettext_lazy("Human answers worth as much"),
    "share_ppi_saved": gettext_lazy("Human answers saved"),
    "difference_ppi": gettext_lazy("Prediction-powered difference"),
    "difference_ppi_equivalent": gettext_lazy("Human answers worth as much"),
    "difference_ppi_saved": gettext_lazy("Human answers saved"),
    "retrieval_precision": gettext_lazy("Evidence precision"),
    "retrieval_recall": gettext_lazy("Evidence recall"),
    "retrieval_f1": gettext_lazy("Evidence F1"),
    "evidence_size": gettext_lazy("Passages of evidence"),
    "fingract_score": gettext_lazy("FinGrAct score"),
    "fingract_errors": gettext_lazy("Errors pointed out, 0–2"),
    "fingract_corrections": gettext_lazy("Corrections given, 0–2"),
    "fingract_links": gettext_lazy("Links, 0–2"),
    "vital_precision": gettext_lazy("Vital precision"),
    "okay_precision": gettext_lazy("Okay precision"),
    "less_important_precision": gettext_lazy("Less important precision"),
    "weighted_precision": gettext_lazy("Weighted precision"),
    "linear_decay": gettext_lazy("Linear decay"),
    "linear_decay_top5": gettext_lazy("Linear decay, first five"),
    "vital_unsupported": gettext_lazy("Vital claim unsupported"),
    "vital_missing": gettext_lazy("Vital nugget missing"),
    "nugget_recall": gettext_lazy("Nugget recall"),
    "vital_nugget_recall": gettext_lazy("Vital nugget recall"),
    "weighted_recall": gettext_lazy("Weighted recall"),
    "cv_star": gettext_lazy("CV*"),
    "ego_centric_share": gettext_lazy("Scores far above people’s"),
    "ego_centric_difference": gettext_lazy("The same, own family against others"),
    "length_slope": gettext_lazy("Points per 100 words, people held fixed"),
    "position_share": gettext_lazy("First one shown preferred"),
    "position_consistency": gettext_lazy("Same choice with the order turned"),
    "control_accuracy": gettext_lazy("Right on controls"),
}
P_VALUES = {"friedman_p", "nemenyi_p", "wilcoxon_p", "wilcoxon_p_holm"}
LEAST_P = 0.001
KEYS = {
    "system": gettext_lazy("System"),
    "evidence_source": gettext_lazy("Evidence chosen by"),
    "setting": gettext_lazy("Subset"),
    "label": gettext_lazy("Verdict"),
    "condition": gettext_lazy("Condition"),
    "family": gettext_lazy("Family"),
    "round": gettext_lazy("Round"),
    "judge": gettext_lazy("Judge"),
    "attribution": gettext_lazy("Citations recovered"),
    "study": gettext_lazy("Study"),
}


def metric_title(name: str) -> str:
    """The metric's name on a page."""
    return str(METRICS.get(name, name.replace("_", " ")))


def key_title(name: str) -> str:
    """The name of what something is grouped by."""
    return str(KEYS.get(name, name.replace("_", " ")))


def party_title(name: str) -> str:
    """The name of a party or pair on a page. Simulated raters are called so wherever they are."""
    spoken = {HUMANS: _("Humans"), SIMULATED: _("Simulated raters")}
    first, _tilde, second = name.rpartition("~")
    if not first:
        return spoken.get(name, name)
    with_whom = {HUMANS: _("humans"), SIMULATED: _("simulated raters")}.get(first, first)
    return _("%(judge)s with %(others)s") % {"judge": second, "others": with_whom}


def group_text(group: Group) -> str:
    """The part of the study, such as "System: Alder, Subset: full"; empty for the whole."""
    return ", ".join(f"{key_title(key)}: {name}" for key, name in group.items())


def options_text(options: Options) -> str:
    """Which answers count where others do than usual; empty where none do."""
    said = [
        _("only %(name)s and judges") % {"name": options.only} if options.only else "",
        _("without %(name)s") % {"name": options.without} if options.without else "",
        _("excluded answers count") if options.excluded else "",
        _("intervals over sources and raters") if options.resample != RESAMPLES[0] else "",
    ]
    return ", ".join(filter(None, said))


def number_text(value: float, like: float | None = None) -> str:
    """Three decimals for what lies around 1, one for ratings on a long scale; `like` says which
    of the two where one number goes with another."""
    size = abs(value if like is None else like)
    text = f"{value:.1f}" if size >= 10 else f"{value:.3f}"
    return text.replace("-", "−")


def value_text(metric: str, value: float) -> str:
    """A figure as it is said: a p value too small for three decimals is not 0."""
    if metric in P_VALUES and value < LEAST_P:
        return f"< {LEAST_P}"
    return number_text(value)


def interval_text(estimate: Estimate) -> str:
    """The bounds, empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (number_text(bound, estimate.value) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"
