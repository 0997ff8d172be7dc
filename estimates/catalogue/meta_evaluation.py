"""Metrics of judges as classifiers, and of judges as those who order systems and texts."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

BALANCED_ACCURACY, MACRO_F1, MCC = "balanced_accuracy", "macro_f1", "mcc"
RANKING_AREA, LABEL_DIVERGENCE = "ranking_area", "label_divergence"
PAIRWISE_ACCURACY = "pairwise_system_accuracy"
TIED_ACCURACY, TIE_THRESHOLD = "tie_calibrated_accuracy", "tie_threshold"
CORRELATION_DIFFERENCE, CORRELATION_P = "correlation_difference", "correlation_difference_p"
OVERALL, RANKS = (Table.SCORECARD_OVERALL,), (Table.META_EVALUATION,)
JUDGE_PAIRS = (Table.META_EVALUATION_PAIRS,)
WITH_LABELS = "labels, points, sets; a judge with people"
WITH_NUMBERS = "numbers, two labels; a judge with people, also across facets"

META_EVALUATION = (
    Metric(
        BALANCED_ACCURACY,
        _("Balanced accuracy"),
        WITH_LABELS,
        "Mean over people's labels of the share of their units to which the judge gives the label, "
        "too",
        OVERALL,
        "higher",
        help="0 to 1; by chance 1 divided by the number of labels. Every label counts alike, "
        "however rare: of a label with few units it is uncertain.",
    ),
    Metric(
        MACRO_F1,
        _("Macro F1"),
        WITH_LABELS,
        "F1 of each label that people or the judge gave, then their mean",
        OVERALL,
        "higher",
        help="0 to 1. Every label counts alike; a label that the judge never gives counts as 0.",
    ),
    Metric(
        MCC,
        _("Matthews’ correlation"),
        WITH_LABELS,
        "Matthews' correlation coefficient (MCC) of people's and the judge's labels; of more than "
        "two labels Gorodkin's R_K",
        OVERALL,
        "higher",
        help="−1 to 1; 0: chance level. Undefined where people or the judge gave one label only.",
    ),
    Metric(
        RANKING_AREA,
        _("Area under the ROC curve"),
        "two labels; a judge whose scores are in another facet",
        "How often a text with people's yes has a higher score of the judge than one with their "
        "no, ties half (AUROC)",
        OVERALL,
        "higher",
        help="0 to 1; 1/2: chance level. Depends on order alone: it does not say where to draw "
        "the line.",
    ),
    Metric(
        LABEL_DIVERGENCE,
        _("Divergence from people’s spread"),
        "labels; a judge with people",
        "Jensen-Shannon divergence of the judge's answers to a unit from the spread of people's, "
        "in bits, mean over units with two people or more",
        OVERALL,
        "lower",
        help="0 to 1; 0: the same spread. A judge with one answer for each unit cannot reach 0 "
        "where people differ: compare judges, not studies.",
    ),
    Metric(
        PAIRWISE_ACCURACY,
        _("Pairs of systems in people’s order"),
        WITH_NUMBERS,
        "Share of the pairs of systems whose means the judge orders as people do (pairwise system "
        "accuracy). n: systems",
        RANKS,
        "higher",
        help="0 to 1; 1/2: chance level. With few systems it takes few values, and close systems "
        "count as much as distant ones.",
    ),
    Metric(
        TIED_ACCURACY,
        _("Pairs of texts told as people do"),
        WITH_NUMBERS,
        "Share of the pairs of texts of one source that the judge calls better, worse or tied as "
        "people do, its ties calibrated; mean over sources",
        RANKS,
        "higher",
        help="0 to 1. The tie threshold is found on the same texts, so it is a little too high; "
        "where people tie often, a judge that ties everything does well.",
    ),
    Metric(
        TIE_THRESHOLD,
        _("Tie threshold"),
        WITH_NUMBERS,
        "The difference of the judge's numbers up to which two texts count as tied, which makes "
        "that share largest",
        RANKS,
        help="In points of the judge’s scale. No interval.",
    ),
    Metric(
        CORRELATION_DIFFERENCE,
        _("Pearson’s r with people: judge minus other"),
        f"{WITH_NUMBERS}, beside a second judge; by `report --all` alone",
        "Pearson's r of the judge with people minus that of `other_judge` of the group, on the "
        "texts of both, at system and summary level",
        JUDGE_PAIRS,
        help="−2 to 2. No interval: read it with its p.",
        everything=True,
    ),
    Metric(
        CORRELATION_P,
        _("p of that difference"),
        f"{WITH_NUMBERS}, beside a second judge; by `report --all` alone",
        "Two-sided p of that difference by permuting both systems and sources (PERM-BOTH); not "
        "corrected for several pairs of judges",
        JUDGE_PAIRS,
        kind="p",
        help="0 to 1. Of these systems, sources and people. Not corrected for several pairs.",
        everything=True,
    ),
)
