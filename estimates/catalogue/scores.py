"""Metrics of what is judged: scores and evidence."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import BY_SYSTEM, Metric, Table

PRECISION, RECALL, F1 = "precision", "recall", "f1"
MEAN, MEAN_RANK, CV_STAR = "mean", "mean_rank", "cv_star"
SHARE, WIN_SHARE, STRENGTH, HEAD_TO_HEAD = "share", "win_share", "strength", "head_to_head"
STRENGTH_FIT = "strength_fit_p"
BEST_WORST, BEST_WORST_RELIABILITY = "best_worst", "best_worst_reliability"

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
        help="0 to 1. Undefined without a reference. High for a rater who chooses little: read "
        "it with recall.",
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
        help="0 to 1. High for a rater who chooses everything: read it with precision.",
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
        help="0 to 1. Two empty sets count as 1, so that many empty references raise it.",
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
        help="Within the ends of the scale. On few ordered points the mean hides the shape: look "
        "at the distribution as well.",
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
        help="0 to 1. Of what raters said, not of what is true.",
    ),
    Metric(
        STRENGTH,
        _("Strength (Bradley–Terry)"),
        "comparisons, by system",
        "Chance to win against a system of average strength, by the model of Bradley and Terry "
        "with ties after Davidson, one counting half: opponents are accounted for. From 0 to 1, "
        "0.5 is average. Undefined for who won or lost all comparisons, and where systems fall "
        "into groups that never met",
        BY_SYSTEM,
        "higher",
        headline=True,
        note=_(
            "Strength accounts for the opponents that a system met: a win over a strong one counts "
            "for more. The share of comparisons won does not."
        ),
        help="From 0 to 1; 0.5 is an average system. Not across studies: the average is that of "
        "the systems here.",
    ),
    Metric(
        STRENGTH_FIT,
        _("p, fit of strengths"),
        "comparisons of three systems or more",
        "Hotelling's test over sources of who won against whom beside what strengths let expect",
        (Table.OMNIBUS,),
        kind="p",
        help="0 to 1. Small where no order fits, as where three systems beat each other in a "
        "circle: read the comparisons of two.",
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
        help="0 to 1; 0.5: as often as not. Depends on whom a system was compared with: only for "
        "balanced pairs.",
    ),
    Metric(
        HEAD_TO_HEAD,
        _("Won of their own comparisons"),
        "comparisons; two systems",
        "Share of the comparisons of the two systems with each other that the first won, a tie "
        "counting half",
        (Table.HEADS,),
        note=_("Intervals are for one pair each, and not corrected for their number."),
        help="From 0 to 1; 0.5 is a draw. Of the two systems alone: read it beside the strengths.",
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
        help="From 1 to the number of systems. Comparable only among systems that were ranked "
        "together.",
    ),
    Metric(
        BEST_WORST,
        _("Best–worst score"),
        "ranks of three systems or more, by system",
        "How often a system is ranked first minus how often last, over the rankings that it is in; "
        "a shared place counts in equal parts",
        BY_SYSTEM,
        "higher",
        help="−1 to 1. Places between the first and the last do not count. Comparable only among "
        "systems that were ranked together.",
    ),
    Metric(
        BEST_WORST_RELIABILITY,
        _("Reliability of best–worst scores"),
        "ranks of three systems or more; people together",
        "Split-half reliability: Pearson's r of the scores by two random halves of each unit's "
        "raters, mean of 100 splits. Without interval",
        (Table.AMONG,),
        "higher",
        help="−1 to 1. Not stepped up to all raters. Of few systems it varies much.",
    ),
    Metric(
        "lower_quartile",
        _("Lower quartile"),
        "numbers",
        "Quartile of the items' means. Beyond 20,000 items without an interval",
        help="Within the ends of the scale. With few points it jumps from one to the next.",
    ),
    Metric(
        "median",
        _("Median"),
        "numbers",
        "Median of the items' means. Beyond 20,000 items without an interval",
        (Table.TOGETHER,),
        help="Within the ends of the scale. With few points it jumps from one to the next, and its "
        "interval is coarse.",
    ),
    Metric(
        "upper_quartile",
        _("Upper quartile"),
        "numbers",
        "Quartile of the items' means. Beyond 20,000 items without an interval",
        help="Within the ends of the scale. With few points it jumps from one to the next.",
    ),
)

EVIDENCE = (
    Metric(
        "mean_z",
        _("Mean z-score"),
        "interval numbers; people",
        "Mean of each worker's z-scores (divisor n). Workers who do not vary are left out",
        (Table.CALIBRATED,),
        help="Around 0, in standard deviations. Only where workers rated comparable texts: else "
        "real differences are taken out as well.",
    ),
    Metric(
        "mean_calibrated",
        _("Calibrated mean"),
        "interval numbers; people",
        "Mean over items of the calibrated score, in standard deviations of items. Sample sd. "
        "Up to 50,000 ratings",
        (Table.CALIBRATED,),
        help="Around 0, in standard deviations of items. Needs workers who overlap; of few "
        "answers each it hardly differs from the mean.",
    ),
    Metric(
        "order_tau_z",
        _("Order of systems, z"),
        "interval numbers of several systems; people",
        "Kendall's τ-b between the systems' plain means and their means of z-scores. 1: no two "
        "systems change places",
        (Table.ORDERS,),
        help="−1 to 1. With few systems it takes few values.",
    ),
    Metric(
        "order_tau_calibrated",
        _("Order of systems, calibrated"),
        "interval numbers of several systems; people",
        "Kendall's τ-b between the systems' plain and calibrated means",
        (Table.ORDERS,),
        help="−1 to 1. With few systems it takes few values.",
    ),
    Metric(
        "retrieval_precision",
        _("Evidence precision"),
        "evidence; raters `selected`",
        "Share of a machine's passages that are in the best human chain, mean over sources; 0 "
        "where it chose none. Population sd",
        (Table.EVIDENCE,),
        "higher",
        help="0 to 1. Against the best chain of several, so that many chains raise it.",
    ),
    Metric(
        "retrieval_recall",
        _("Evidence recall"),
        "evidence; raters `selected`",
        "Share of the best human chain that the machine chose",
        (Table.EVIDENCE,),
        "higher",
        help="0 to 1. Against the best chain of several. High for a rater who chooses everything.",
    ),
    Metric(
        "retrieval_f1",
        _("Evidence F1"),
        "evidence; raters `selected`",
        "Best F1 over the human chains",
        (Table.EVIDENCE,),
        "higher",
        help="0 to 1. The best over the chains: not the F1 of the two means beside it.",
    ),
    Metric(
        "evidence_size",
        _("Evidence size (passages)"),
        "evidence; raters `selected` or `chains`",
        "Passages chosen for a source, or in its last human chain, mean over sources",
        (Table.EVIDENCE,),
        help="A number of passages. Neither more nor less is better by itself.",
    ),
    Metric(
        CV_STAR,
        _("CV*"),
        "two studies, by system",
        "Coefficient of variation of the two figures, in percent, corrected for small samples. "
        "Means are moved to a scale from 0",
        better="lower",
        help="From 0, in percent. Only for scales from 0: near 0 it has no upper end. Of two "
        "studies it is coarse.",
    ),
)
