"""Help on metrics of scores, systems and evidence."""

from django.utils.translation import gettext_lazy as _

from tasktypes.pages.choices import Text

HELP_ON_SCORES: dict[str, Text] = {
    "precision": _(
        "0 to 1. Undefined without a reference. High for a rater who chooses little: read it "
        "with recall."
    ),
    "recall": _("0 to 1. High for a rater who chooses everything: read it with precision."),
    "f1": _("0 to 1. Two empty sets count as 1, so that many empty references raise it."),
    "mean": _(
        "Within the ends of the scale. On few ordered points the mean hides the shape: look "
        "at the distribution as well."
    ),
    "share": _("0 to 1. Of what raters said, not of what is true."),
    "win_share": _(
        "0 to 1; 0.5: as often as not. Depends on whom a system was compared with: only for "
        "balanced pairs."
    ),
    "mean_rank": _(
        "From 1 to the number of systems. Comparable only among systems that were ranked together."
    ),
    "lower_quartile": _(
        "Within the ends of the scale. Of few points it jumps from one to the next."
    ),
    "median": _(
        "Within the ends of the scale. Of few points it jumps from one to the next, and its "
        "interval is coarse."
    ),
    "upper_quartile": _(
        "Within the ends of the scale. Of few points it jumps from one to the next."
    ),
    "friedman_chi_square": _(
        "From 0. Grows with the number of sources: not a measure of how far systems differ."
    ),
    "friedman_p": _(
        "0 to 1. A small p says that some systems differ, not which; needs complete blocks."
    ),
    "kendall_w": _(
        "0 to 1. 1: all give the same order. Never below 0, so that few raters of few systems "
        "look concordant by chance."
    ),
    "mean_difference": _(
        "In points of the scale. Over shared sources alone; its interval is not corrected for "
        "the number of pairs."
    ),
    "min_f": _(
        "From 0. Grows with the number of sources and raters: not a measure of how far systems "
        "differ. Needs three raters of every system."
    ),
    "min_f_p": _(
        "0 to 1. A small p says that some systems differ, not which. Errs to the safe side where "
        "raters hardly differ."
    ),
    "difference_p": _("0 to 1. Not corrected for the number of pairs: read the corrected one."),
    "difference_p_holm": _(
        "0 to 1. A large p is no proof that two systems are equal. Of one or two people it speaks "
        "of these people only."
    ),
    "wilcoxon_p": _("0 to 1. Not corrected for the number of pairs: read the corrected one."),
    "wilcoxon_p_holm": _(
        "0 to 1. A large p is no proof that two systems are equal. Speaks of these raters only."
    ),
    "nemenyi_p": _("0 to 1. Compares ranks among all systems, so that adding a system changes it."),
    "mean_z": _(
        "Around 0, in standard deviations. Only where workers rated comparable texts: else "
        "real differences are taken out as well."
    ),
    "mean_calibrated": _(
        "Around 0, in standard deviations of items. Needs workers who overlap; of few answers "
        "each it hardly differs from the mean."
    ),
    "order_tau_z": _("−1 to 1. Of few systems it takes few values."),
    "order_tau_calibrated": _("−1 to 1. Of few systems it takes few values."),
    "retrieval_precision": _(
        "0 to 1. Against the best chain of several, so that many chains raise it."
    ),
    "retrieval_recall": _(
        "0 to 1. Against the best chain of several. High for who chooses everything."
    ),
    "retrieval_f1": _("0 to 1. The best over the chains: not the F1 of the two means beside it."),
    "evidence_size": _("A number of passages. Neither more nor less is better by itself."),
    "cv_star": _(
        "From 0, in percent. Only for scales from 0: near 0 it has no upper end. Of two "
        "studies it is coarse."
    ),
    "strength": _(
        "0 to 1; 0.5: an average system. Depends on which systems were compared, and rests on "
        "few comparisons between groups that seldom met."
    ),
    "head_to_head": _(
        "0 to 1; 0.5: as often as not. Three systems may beat each other in a circle."
    ),
    "shared_source_share": _(
        "0 to 1. Not a score: it says whether means by system are of the same texts."
    ),
    "equivalence_p_holm": _(
        "0 to 1. Only as good as the margins, which are to be set before the data are seen."
    ),
}
