"""What each metric of a report is for, what it means, and which way is better."""

from typing import Literal, NamedTuple

Better = Literal["higher", "lower", ""]


class Meaning(NamedTuple):
    """Which facets a metric is computed for, what it says, and which way is better."""

    of: str
    text: str
    better: Better = ""


ALPHA = "Krippendorff's α with the {} distance"
PPI = "judge's scores corrected by the sources that people answered"
WORTH = "How many sources with human answers alone would give an interval as narrow"
SAVED = "How many more sources that is than people answered"

MEANINGS: dict[str, Meaning] = {
    "krippendorff_alpha_nominal": Meaning(
        "labels, points of an ordinal scale", ALPHA.format("nominal"), "higher"
    ),
    "krippendorff_alpha_ordinal": Meaning("numbers", ALPHA.format("ordinal"), "higher"),
    "krippendorff_alpha_interval": Meaning("numbers", ALPHA.format("interval"), "higher"),
    "krippendorff_alpha_ratio": Meaning(
        "numbers on a scale from 0 or above", ALPHA.format("ratio"), "higher"
    ),
    "krippendorff_alpha_jaccard": Meaning("sets", ALPHA.format("Jaccard"), "higher"),
    "krippendorff_alpha_masi": Meaning("sets", ALPHA.format("MASI"), "higher"),
    "krippendorff_alpha_kendall": Meaning(
        "ranks of texts by different systems",
        "Krippendorff's α of whole orders. Undefined where units show different systems",
        "higher",
    ),
    "run_to_run_alpha_nominal": Meaning(
        "labels; judges with replicates", "α of a judge's replicates with each other", "higher"
    ),
    "run_to_run_alpha_ordinal": Meaning("the same, ordinal numbers", "the same", "higher"),
    "run_to_run_alpha_interval": Meaning("the same, numbers", "the same", "higher"),
    "run_to_run_alpha_jaccard": Meaning("the same, sets", "the same", "higher"),
    "run_to_run_agreement": Meaning(
        "judges with replicates", "Share of equal answers among the replicates", "higher"
    ),
    "raw_agreement": Meaning(
        "all, but people's mean beside a judge's numbers",
        "Share of equal pairs of ratings, mean over units. Sets agree when they are equal",
        "higher",
    ),
    "cohen_kappa": Meaning(
        "labels, whole points; two raters", "Cohen's κ, without weights", "higher"
    ),
    "cohen_kappa_linear": Meaning(
        "three or more ordered points; two raters", "Cohen's κ with linear weights", "higher"
    ),
    "cohen_kappa_quadratic": Meaning("the same", "Cohen's κ with quadratic weights", "higher"),
    "fleiss_kappa": Meaning(
        "labels, whole points; people together", "Fleiss' κ, missing ratings allowed", "higher"
    ),
    "gwet_ac1": Meaning(
        "labels, whole points; people together, pairs",
        "Gwet's AC1 over all labels that the facet offers",
        "higher",
    ),
    "gwet_ac2": Meaning(
        "three or more ordered points; the same", "Gwet's AC2 with quadratic weights", "higher"
    ),
    "entropy": Meaning(
        "sets; labels and points with several answers a unit",
        "Entropy of the options chosen for a unit, in nats, mean over units. 0: all chose alike. "
        "Population sd",
    ),
    "pearson": Meaning(
        "numbers; pairs of raters",
        "Pearson's r at sample, summary or system level. With `against` in the group: between "
        "the systems' figures of two studies",
        "higher",
    ),
    "spearman": Meaning("the same", "Spearman's ρ, likewise", "higher"),
    "kendall_tau_b": Meaning("numbers; pairs of raters", "Kendall's τ-b, likewise", "higher"),
    "mean_rank": Meaning(
        "ranks, by system",
        "A rater's mean rank over units, then the mean of the raters. Ties as in a competition "
        "(1 2 2)",
        "lower",
    ),
    "precision": Meaning(
        "sets with a reference",
        "Share of the chosen elements that are right, mean within an item, then over items. "
        "Population sd",
        "higher",
    ),
    "recall": Meaning("the same", "Share of the right elements that were chosen", "higher"),
    "f1": Meaning(
        "the same", "Harmonic mean of the two. Both sets empty: 1; one of them: 0", "higher"
    ),
    "mean": Meaning(
        "numbers",
        "Mean within an item, then over items. Sample sd. With `attribution` in the group: over "
        "the units whose citations the same party recovered with F1 = 1, or ≥ 0.9",
    ),
    "share": Meaning(
        "two labels, such as yes and no",
        "Share of the first label, within a text, then over items. Population sd",
    ),
    "win_share": Meaning(
        "comparisons, by system",
        "Share of its comparisons that a system wins, a tie counting half. Population sd",
        "higher",
    ),
    "straight_lining": Meaning(
        "all but ranks and comparisons; single people",
        "Longest run of equal answers, as a share of all. No interval",
        "lower",
    ),
    "transparent_share": Meaning(
        "citation recovery",
        "Share of items of which every unit has an F1 of 0.6 (an option) or more. Items without "
        "citations or with missing answers do not count",
        "higher",
    ),
    "agreement_with_others": Meaning(
        "all but scores of machines; single people",
        "1 minus the person's mean distance to the others over that expected by chance: "
        "the person's part of α. No interval",
        "higher",
    ),
    "dawid_skene_accuracy": Meaning(
        "labels; single people",
        "Probability of a right answer by the model of Dawid and Skene. No interval",
        "higher",
    ),
    "alt_winning_rate": Meaning(
        "labels, numbers, sets; a judge with people",
        "Alternative annotator test: share of people over whom the judge wins at `--epsilon`. "
        "From 0.5 on it may replace a person. Undefined below 30 shared units a person",
        "higher",
    ),
    "alt_advantage_probability": Meaning(
        "the same",
        "Share of units on which the judge is at least as near to the others as the person left "
        "out, mean over people. Ranks judges, whatever ε",
        "higher",
    ),
    "friedman_chi_square": Meaning(
        "all facets of 2 to 20 systems",
        "Friedman's test over complete blocks: of ranks a unit, else a source",
    ),
    "friedman_p": Meaning("the same", "Its p value"),
    "nemenyi_p": Meaning(
        "the same, two systems", "Nemenyi's p, corrected for all pairs of systems"
    ),
    "kendall_w": Meaning(
        "ranks; people together",
        "Kendall's concordance between the raters of a unit, mean over units",
        "higher",
    ),
    "mean_difference": Meaning(
        "numbers, F1, shares; two systems",
        "Mean over shared sources of the first system's mean minus the other's. Sample sd",
    ),
    "wilcoxon_p": Meaning(
        "the same", "Wilcoxon's signed rank test of these differences, two-sided"
    ),
    "wilcoxon_p_holm": Meaning(
        "the same", "The same p corrected by Holm over all pairs of systems: the one to be read"
    ),
    "lower_quartile": Meaning(
        "numbers", "Quartile of the items' means. Beyond 20,000 items without an interval"
    ),
    "median": Meaning("numbers", "Median of the items' means, likewise"),
    "upper_quartile": Meaning("numbers", "Quartile of the items' means, likewise"),
    "mean_z": Meaning(
        "interval numbers; people",
        "Mean of each worker's z-scores (divisor n). Workers who do not vary are left out",
    ),
    "mean_calibrated": Meaning(
        "the same",
        "Mean over items of the calibrated score, in standard deviations of items. Sample sd. "
        "Up to 50,000 ratings",
    ),
    "order_tau_z": Meaning(
        "the same, several systems",
        "Kendall's τ-b between the systems' plain means and their means of z-scores. 1: no two "
        "systems change places",
    ),
    "order_tau_calibrated": Meaning("the same", "The same with calibrated means"),
    "worker_precision": Meaning(
        "the same; single people",
        "1 / variance of the worker's error on the z scale. 3 is expected beforehand",
        "higher",
    ),
    "median_seconds": Meaning(
        "first facet of a block; people",
        "Median of the active seconds of an answer. No interval",
    ),
    "mean_ppi": Meaning(
        "numbers; a judge with people",
        f"Prediction-powered mean over sources: the {PPI}, which must be drawn at random",
    ),
    "mean_ppi_equivalent": Meaning("the same", WORTH, "higher"),
    "mean_ppi_saved": Meaning("the same", SAVED, "higher"),
    "share_ppi": Meaning(
        "two labels; a judge with people", "Prediction-powered share of the first label"
    ),
    "share_ppi_equivalent": Meaning("the same", WORTH, "higher"),
    "share_ppi_saved": Meaning("the same", SAVED, "higher"),
    "difference_ppi": Meaning(
        "the same, two systems", "Prediction-powered difference, paired by source"
    ),
    "difference_ppi_equivalent": Meaning("the same", WORTH, "higher"),
    "difference_ppi_saved": Meaning("the same", SAVED, "higher"),
    "retrieval_precision": Meaning(
        "evidence; raters `selected`",
        "Share of a machine's passages that are in the best human chain, mean over sources. "
        "Population sd",
        "higher",
    ),
    "retrieval_recall": Meaning(
        "the same", "Share of the best human chain that the machine chose", "higher"
    ),
    "retrieval_f1": Meaning("the same", "Best F1 over the human chains", "higher"),
    "evidence_size": Meaning(
        "evidence; raters `selected` or `chains`",
        "Passages chosen for a source, or in its last human chain, mean over sources",
    ),
    "fingract_score": Meaning(
        "actionability",
        "Score of an explanation, 0 to 5. Undefined without listed errors. Population sd",
        "higher",
    ),
    "fingract_errors": Meaning("actionability", "Its part for errors pointed out", "higher"),
    "fingract_corrections": Meaning("actionability", "Its part for corrections", "higher"),
    "fingract_links": Meaning(
        "actionability", "Its part for links; without links undefined, and 0 in the score", "higher"
    ),
    "vital_precision": Meaning(
        "importance",
        "Share of the vital claims that are supported. Undefined without such claims (0 with "
        "`as_published`)",
        "higher",
    ),
    "okay_precision": Meaning("importance", "The same of okay claims", "higher"),
    "less_important_precision": Meaning(
        "importance", "The same of less important claims", "higher"
    ),
    "weighted_precision": Meaning(
        "importance", "Weights of the supported claims over those of all claims", "higher"
    ),
    "linear_decay": Meaning(
        "importance",
        "The same with the weight (n − i)/i for the i-th of n claims in order. One claim alone "
        "has no score",
        "higher",
    ),
    "linear_decay_top5": Meaning("importance", "The same over the first five claims", "higher"),
    "vital_unsupported": Meaning(
        "importance", "Share of responses with an unsupported vital claim (RLP)", "lower"
    ),
    "vital_missing": Meaning(
        "importance", "Share of responses that miss a vital nugget (RLR)", "lower"
    ),
    "nugget_recall": Meaning(
        "importance", "Share of the nuggets that the response holds; partly counts 0", "higher"
    ),
    "vital_nugget_recall": Meaning("importance", "The same of vital nuggets", "higher"),
    "weighted_recall": Meaning(
        "importance", "Weights of the nuggets held over those of all; partly counts half", "higher"
    ),
    "cv_star": Meaning(
        "two studies, by system",
        "Coefficient of variation of the two figures, in percent, corrected for small samples. "
        "Means are moved to a scale from 0",
        "lower",
    ),
    "ego_centric_share": Meaning(
        "numbers on a scale with ends; a judge with people",
        "Share of the judge's scores that lie 2 points or more (of 0 to 5) above people's mean. "
        "Compare the judge's own family with the others",
        "lower",
    ),
    "ego_centric_difference": Meaning(
        "the same, where families are known",
        "That share in the judge's own family minus that in the others. 0: no preference",
    ),
    "length_slope": Meaning(
        "numbers; a judge with people",
        "Points more for a text 100 words longer that people find equally good. 0: no bias",
    ),
    "position_share": Meaning(
        "comparisons, ranks; people together and judges",
        "Share of ordered pairs in which the text shown first is better. 0.5: no bias",
    ),
    "position_consistency": Meaning(
        "the same, texts shown in both orders",
        "Share of pairs with the same verdict in both orders",
        "higher",
    ),
    "control_accuracy": Meaning("all", "Share of control questions answered right", "higher"),
}
