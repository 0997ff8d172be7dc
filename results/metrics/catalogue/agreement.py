"""Metrics of agreement, and of the quality of people's answers."""

from django.utils.translation import gettext_lazy as _

from results.metrics.catalogue.metric import Metric, Table

# Before the name of a distance.
ALPHA = "krippendorff_alpha_"
CONTROL_ACCURACY = "control_accuracy"
JUDGE_SIMILARITY, JUDGE_SIMILARITY_Q = "judge_likeness", "judge_likeness_q"
SIMILARITY_TO_JUDGE, SIMILARITY_TO_PEOPLE = "likeness_to_judge", "likeness_to_people"
RAW_AGREEMENT, WITH_OTHERS = "raw_agreement", "agreement_with_others"
BOTH = (Table.AMONG, Table.BETWEEN)

AGREEMENT = (
    Metric(
        f"{ALPHA}nominal",
        _("α, nominal"),
        "labels, points of an ordinal scale",
        "Krippendorff's α with the nominal distance",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        f"{ALPHA}ordinal",
        _("α, ordinal"),
        "numbers",
        "Krippendorff's α with the ordinal distance",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        f"{ALPHA}interval",
        _("α, interval"),
        "numbers",
        "Krippendorff's α with the interval distance",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        f"{ALPHA}ratio",
        _("α, ratio"),
        "numbers on a scale that begins at 0",
        "Krippendorff's α with the ratio distance: four is twice two",
        BOTH,
        "higher",
        live=True,
        everything=True,
    ),
    Metric(
        f"{ALPHA}jaccard",
        _("α, Jaccard"),
        "sets",
        "Krippendorff's α with the Jaccard distance",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        f"{ALPHA}masi",
        _("α, MASI"),
        "sets",
        "Krippendorff's α with the MASI distance",
        BOTH,
        "higher",
        live=True,
        everything=True,
    ),
    Metric(
        f"{ALPHA}kendall",
        _("α of orders, Kendall"),
        "ranks of texts by different systems",
        "Krippendorff's α of whole orders. Undefined where units show different systems",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        RAW_AGREEMENT,
        _("Same answer"),
        "all, but people's mean beside a judge's numbers",
        "Share of equal pairs of ratings, mean over units. Sets agree when they are equal",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        "cohen_kappa",
        _("κ"),
        "labels, whole points; two raters",
        "Cohen's κ, without weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
    ),
    Metric(
        "cohen_kappa_linear",
        _("κ, linear weights"),
        "three or more ordered points; two raters",
        "Cohen's κ with linear weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
        everything=True,
    ),
    Metric(
        "cohen_kappa_quadratic",
        _("κ, quadratic weights"),
        "three or more ordered points; two raters",
        "Cohen's κ with quadratic weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
    ),
    Metric(
        "fleiss_kappa",
        _("Fleiss’ κ"),
        "labels, whole points; people together",
        "Fleiss' κ, missing ratings allowed",
        (Table.AMONG,),
        "higher",
        live=True,
        everything=True,
    ),
    Metric(
        "gwet_ac1",
        _("Gwet’s AC1"),
        "labels, whole points; people together, pairs",
        "Gwet's AC1 over all labels that the facet offers",
        BOTH,
        "higher",
        live=True,
    ),
    Metric(
        "gwet_ac2",
        _("Gwet’s AC2"),
        "three or more ordered points; people together, pairs",
        "Gwet's AC2 with quadratic weights",
        BOTH,
        "higher",
        live=True,
        everything=True,
    ),
    Metric(
        "entropy",
        _("Entropy of choices"),
        "sets; labels and points with several answers a unit",
        "Entropy of the options chosen for a unit, in nats, mean over units. 0: all chose alike. "
        "Population sd",
        (Table.AMONG,),
        note=_("Entropy of choices measures disagreement: 0 where everyone chose the same."),
    ),
    Metric(
        CONTROL_ACCURACY,
        _("Control accuracy"),
        "all",
        "Share of control questions answered right",
        (Table.QUALITY, Table.CONTROLS),
        "higher",
    ),
    Metric(
        WITH_OTHERS,
        _("Agreement with the others"),
        "all but scores of machines; single people",
        "1 minus the person's mean distance to the others over that expected by chance: the "
        "person's part of α. No interval",
        (Table.QUALITY,),
        "higher",
    ),
    Metric(
        JUDGE_SIMILARITY,
        _("Similarity to the judge beyond expectation"),
        "all but scores of machines; single people beside a judge, by `report --likeness` alone",
        "A person's similarity to the judge minus what is expected of somebody as like "
        "other people. 0 is expected of answers that owe nothing to the judge; more proves nothing",
    ),
    Metric(
        JUDGE_SIMILARITY_Q,
        _("q, similarity to the judge beyond expectation"),
        "likewise",
        "Its one-sided p value, adjusted by Benjamini and Hochberg over all people, judges and "
        "facets of the study",
        kind="p",
    ),
    Metric(
        SIMILARITY_TO_JUDGE,
        _("Similarity to the judge"),
        "likewise",
        "How much nearer the answers are on the same unit than on different ones. 0: unrelated, "
        "about 1: equal. No interval",
    ),
    Metric(
        SIMILARITY_TO_PEOPLE,
        _("Similarity to other people"),
        "likewise",
        "The same with the other people of each unit, on the units that the judge answered, too",
    ),
    Metric(
        "dawid_skene_accuracy",
        _("Accuracy by Dawid and Skene"),
        "labels; single people",
        "Probability of a right answer by the model of Dawid and Skene. No interval",
        (Table.QUALITY,),
        "higher",
    ),
    Metric(
        "worker_precision",
        _("Precision of the worker"),
        "interval numbers; single people",
        "1 / variance of the worker's error on the z scale. 3 is expected beforehand",
        (Table.QUALITY,),
        "higher",
    ),
    Metric(
        "straight_lining",
        _("Longest streak (share of answers)"),
        "all but ranks and comparisons; single people",
        "Longest run of equal answers, as a share of all. No interval",
        (Table.QUALITY,),
        "lower",
    ),
    Metric(
        "equal_answers",
        _("Equal answers"),
        "all but scores of machines; two people",
        "Given, as 1, for two people whose answers to the 30 or more questions that both answered "
        "are all equal, where that is hardly chance. No interval",
        (Table.COPIES,),
    ),
    Metric(
        "median_seconds",
        _("Seconds per answer, median"),
        "first facet of a block; people",
        "Median of the active seconds of an answer. No interval",
        (Table.QUALITY,),
    ),
)
