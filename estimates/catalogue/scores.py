"""Metrics of what is judged: scores, systems compared, evidence."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import BY_SYSTEM, Metric, Table
from estimates.catalogue.reliability import EQUIVALENT

PRECISION, RECALL, F1 = "precision", "recall", "f1"
MEAN, MEAN_RANK, CV_STAR = "mean", "mean_rank", "cv_star"
SHARE, WIN_SHARE, STRENGTH, HEAD_TO_HEAD = "share", "win_share", "strength", "head_to_head"
SHARED_SOURCES = "shared_source_share"
MEAN_DIFFERENCE, DIFFERENCE_P = "mean_difference", "difference_p"
DIFFERENCE_P_HOLM = f"{DIFFERENCE_P}_holm"
CORRECTED = _(
    "p values are corrected for all pairs of systems of this facet and party, after Holm and after "
    "Nemenyi. Intervals beside them are for one pair each, and not corrected."
)

SCORES = (
    Metric(
        PRECISION,
        _("Precision"),
        "sets with a reference; labels, points, sets of a judge with people",
        "Share of the chosen elements that are right, mean within an item, then over items. "
        "Population sd. Of a judge with people: share of the units with the judge's yes that have "
        "people's, n being those units",
        (Table.SCORES, *BY_SYSTEM, Table.SCORECARD),
        "higher",
        kind="average",
        live=True,
    ),
    Metric(
        RECALL,
        _("Recall"),
        "sets with a reference",
        "Share of the right elements that were chosen, mean within an item, then over items",
        (Table.SCORES, *BY_SYSTEM),
        "higher",
        kind="average",
        live=True,
    ),
    Metric(
        F1,
        _("F1"),
        "sets with a reference",
        "Harmonic mean of precision and recall, mean within an item, then over items. Both sets "
        "empty: 1; one of them: 0",
        (Table.SCORES, *BY_SYSTEM),
        "higher",
        kind="average",
        headline=True,
        live=True,
    ),
    Metric(
        MEAN,
        _("Mean"),
        "numbers",
        "Mean within an item, then over items. Sample sd. With `attribution` in the group: over "
        "the units whose citations the same party recovered with F1 = 1, or ≥ 0.9",
        (Table.SCORES, *BY_SYSTEM, Table.CALIBRATED),
        kind="average",
        beside=("median",),
        headline=True,
        live=True,
    ),
    Metric(
        SHARE,
        _("Share of the first label"),
        "two labels, such as yes and no",
        "Share of the first label, within a text, then over items. Population sd",
        BY_SYSTEM,
        headline=True,
        live=True,
        of_label=_("Share of “%(label)s”"),
    ),
    Metric(
        STRENGTH,
        _("Strength (Bradley–Terry)"),
        "comparisons, by system",
        "Chance to win against a system of average strength, by the model of Bradley and Terry, "
        "a tie counting half: opponents are accounted for. From 0 to 1, 0.5 is average. "
        "Undefined for who won or lost all comparisons, and where systems fall into groups that "
        "never met",
        BY_SYSTEM,
        "higher",
        headline=True,
        note=_(
            "Strength accounts for the opponents that a system met: a win over a strong one counts "
            "for more. The share of comparisons won does not."
        ),
        help=_(
            "From 0 to 1; 0.5 is an average system. Not across studies: the average is that "
            "of the systems here."
        ),
    ),
    Metric(
        WIN_SHARE,
        _("Comparisons won"),
        "comparisons, by system",
        "Share of its comparisons that a system wins, a tie counting half. Population sd. Not "
        "comparable where systems met different opponents",
        BY_SYSTEM,
        "higher",
        headline=True,
        live=True,
    ),
    Metric(
        HEAD_TO_HEAD,
        _("Won of their own comparisons"),
        "comparisons; two systems",
        "Share of the comparisons of the two systems with each other that the first won, a tie "
        "counting half",
        (Table.HEADS,),
        note=_("Intervals are for one pair each, and not corrected for their number."),
        help=_(
            "From 0 to 1; 0.5 is a draw. Of the two systems alone: read it beside the strengths."
        ),
    ),
    Metric(
        MEAN_RANK,
        _("Mean rank"),
        "ranks, by system",
        "A rater's mean rank over units, then the mean of the raters. Ties as in a competition "
        "(1 2 2)",
        BY_SYSTEM,
        "lower",
        note=_("Lower is better."),
    ),
    Metric(
        "lower_quartile",
        _("Lower quartile"),
        "numbers",
        "Quartile of the items' means. Beyond 20,000 items without an interval",
    ),
    Metric(
        "median",
        _("Median"),
        "numbers",
        "Median of the items' means. Beyond 20,000 items without an interval",
        (Table.TOGETHER,),
    ),
    Metric(
        "upper_quartile",
        _("Upper quartile"),
        "numbers",
        "Quartile of the items' means. Beyond 20,000 items without an interval",
    ),
    Metric(
        "friedman_chi_square",
        _("Friedman’s χ²"),
        "all facets of 2 to 20 systems",
        "Friedman's test over sources with every system, of these raters",
        (Table.OMNIBUS,),
    ),
    Metric(
        "friedman_p",
        _("p, Friedman, these raters"),
        "all facets of 2 to 20 systems",
        "The p value of Friedman's test",
        (Table.OMNIBUS,),
        kind="p",
    ),
    Metric(
        "min_f",
        _("min F′"),
        "all facets of 2 to 20 systems; people together",
        "Clark's min F′: whether the systems differ for other sources and other raters",
        (Table.OMNIBUS,),
    ),
    Metric(
        "min_f_p",
        _("p, min F′"),
        "all facets of 2 to 20 systems; people together",
        "The p value of min F′: the one to be read of people",
        (Table.OMNIBUS,),
        kind="p",
    ),
    Metric(
        "kendall_w",
        _("Kendall’s W"),
        "ranks; people together",
        "Kendall's concordance between the raters of a unit, mean over units",
        (Table.AMONG, Table.OMNIBUS),
        "higher",
    ),
    Metric(
        MEAN_DIFFERENCE,
        _("Difference of means"),
        "numbers, F1, shares, ranks; two systems",
        "Mean over shared sources of the first system's mean minus the other's. Sample sd",
        (Table.PAIRS,),
        live=True,
    ),
    Metric(
        SHARED_SOURCES,
        _("Sources with all systems"),
        "numbers, F1, shares of 2 to 20 systems, where it is not all of them",
        "Share of the sources on which every system was rated. Below 1, means by system are of "
        "different texts: read the differences on the same sources",
        (Table.OMNIBUS,),
        help=_("From 0 to 1. Below 1, do not compare means by system."),
    ),
    Metric(
        DIFFERENCE_P,
        _("p"),
        "numbers, F1, shares, ranks; two systems",
        "Student's t of this difference for other sources, and of people for other raters too, "
        "two-sided",
        kind="p",
    ),
    Metric(
        DIFFERENCE_P_HOLM,
        _("p with Holm"),
        "numbers, F1, shares, ranks; two systems",
        "The same p corrected by Holm over all pairs of systems of this facet and party: the one "
        "to be read",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
    ),
    Metric(
        "wilcoxon_p",
        _("p, Wilcoxon"),
        "numbers, F1, shares; two systems",
        "Wilcoxon's signed rank test of these differences over sources, of these raters, two-sided",
        kind="p",
    ),
    Metric(
        "wilcoxon_p_holm",
        _("p, Wilcoxon with Holm, these raters"),
        "numbers, F1, shares; two systems",
        "The same p corrected by Holm over all pairs of systems of this facet and party",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
    ),
    Metric(
        "equivalence_p_holm",
        _("p, equivalence with Holm"),
        "numbers, F1, shares, with a margin in the study file; two systems",
        "Two one-sided tests over sources, of these raters, that the difference lies within the "
        "study's `margins`, corrected by Holm over all pairs of systems. Undefined below ten "
        "sources",
        (Table.PAIRS,),
        kind="p",
        note=EQUIVALENT,
        help=_(
            "From 0 to 1; below .05 shows equivalence within the margin. Choose the margin "
            "before looking."
        ),
    ),
    Metric(
        "nemenyi_p",
        _("p, Nemenyi"),
        "all facets of 2 to 20 systems; two systems",
        "Nemenyi's p, corrected for all pairs of systems",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
        everything=True,
    ),
    Metric(
        "mean_z",
        _("Mean z-score"),
        "interval numbers; people",
        "Mean of each worker's z-scores (divisor n). Workers who do not vary are left out",
        (Table.CALIBRATED,),
    ),
    Metric(
        "mean_calibrated",
        _("Calibrated mean"),
        "interval numbers; people",
        "Mean over items of the calibrated score, in standard deviations of items. Sample sd. "
        "Up to 50,000 ratings",
        (Table.CALIBRATED,),
    ),
    Metric(
        "order_tau_z",
        _("Order of systems, z"),
        "interval numbers of several systems; people",
        "Kendall's τ-b between the systems' plain means and their means of z-scores. 1: no two "
        "systems change places",
        (Table.ORDERS,),
    ),
    Metric(
        "order_tau_calibrated",
        _("Order of systems, calibrated"),
        "interval numbers of several systems; people",
        "Kendall's τ-b between the systems' plain and calibrated means",
        (Table.ORDERS,),
    ),
    Metric(
        "retrieval_precision",
        _("Evidence precision"),
        "evidence; raters `selected`",
        "Share of a machine's passages that are in the best human chain, mean over sources; 0 "
        "where it chose none. Population sd",
        (Table.EVIDENCE,),
        "higher",
    ),
    Metric(
        "retrieval_recall",
        _("Evidence recall"),
        "evidence; raters `selected`",
        "Share of the best human chain that the machine chose",
        (Table.EVIDENCE,),
        "higher",
    ),
    Metric(
        "retrieval_f1",
        _("Evidence F1"),
        "evidence; raters `selected`",
        "Best F1 over the human chains",
        (Table.EVIDENCE,),
        "higher",
    ),
    Metric(
        "evidence_size",
        _("Evidence size (passages)"),
        "evidence; raters `selected` or `chains`",
        "Passages chosen for a source, or in its last human chain, mean over sources",
        (Table.EVIDENCE,),
    ),
    Metric(
        CV_STAR,
        _("CV*"),
        "two studies, by system",
        "Coefficient of variation of the two figures, in percent, corrected for small samples. "
        "Means are moved to a scale from 0",
        better="lower",
    ),
)
