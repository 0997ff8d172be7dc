"""The range of each metric and when not to use it: the `help` of entries of the catalogue, here
because of its length."""

from django.utils.translation import gettext_lazy as _

from tasktypes.choices import Text

RUN_TO_RUN = _(
    "1: every run gives the same answers; 0: as by chance. A judge that repeats itself may "
    "repeat its errors."
)
HELP: dict[str, Text] = {
    "krippendorff_alpha_nominal": _(
        "1: all agree; 0: as by chance; below 0: less than by chance. Near 0 where one label "
        "is rare, however often raters agree: read it beside the share of equal answers."
    ),
    "krippendorff_alpha_ordinal": _(
        "1: all agree; 0: as by chance. It counts the points between two answers by how often "
        "they are given: not for scales whose points are equally far apart by design."
    ),
    "krippendorff_alpha_interval": _(
        "1: all agree; 0: as by chance. For numbers whose differences mean the same along the "
        "scale; one rater with another sense of the scale lowers it."
    ),
    "krippendorff_alpha_ratio": _(
        "1: all agree; 0: as by chance. For amounts with a true zero, such as counts; not for "
        "ratings."
    ),
    "krippendorff_alpha_jaccard": _(
        "1: all agree; 0: as by chance. Sets that share some of their members agree in part; "
        "many empty sets make it unstable."
    ),
    "krippendorff_alpha_masi": _(
        "1: all agree; 0: as by chance. Stricter than Jaccard: sets that overlap without one "
        "holding the other count little."
    ),
    "krippendorff_alpha_kendall": _(
        "1: all give one order; 0: as by chance. Only where every unit shows the same systems."
    ),
    "raw_agreement": _(
        "0 to 1. Not corrected for chance: where nearly all answers are the same it is high "
        "although raters may tell nothing apart."
    ),
    "cohen_kappa": _(
        "−1 to 1; 0: as by chance. Falls where one label is rare, and where the two use the "
        "labels unequally often; of two raters alone."
    ),
    "cohen_kappa_linear": _(
        "−1 to 1; 0: as by chance. Being a point apart counts half as much as two. Comparable "
        "only between scales with as many points."
    ),
    "cohen_kappa_quadratic": _(
        "−1 to 1; 0: as by chance. Rises with the number of points, and hardly notices small "
        "differences; close to a correlation."
    ),
    "fleiss_kappa": _(
        "Up to 1; 0: as by chance. Takes the raters of a unit as drawn anew each time. Falls "
        "where one label is rare."
    ),
    "gwet_ac1": _(
        "Up to 1; 0: as by chance. Stays high where one label is rare, so that a rater who "
        "always says the common one agrees well."
    ),
    "gwet_ac2": _(
        "Up to 1; 0: as by chance. As AC1, for points in order; a high value may come from a "
        "narrow use of the scale."
    ),
    "entropy": _(
        "From 0, where everyone chose the same, to the logarithm of the number of options. "
        "Says nothing of who is right, and is not corrected for chance."
    ),
    "control_accuracy": _(
        "0 to 1. Over few controls a single one moves it far, and controls are often easier "
        "than the rest."
    ),
    "agreement_with_others": _(
        "1: always as the others; 0: as by chance; below 0: against them. Of few answers it "
        "tells little; a careful rater among careless ones looks odd as well."
    ),
    "dawid_skene_accuracy": _(
        "0 to 1. Rests on the assumption that errors are independent; where most are wrong "
        "together, they are taken to be right."
    ),
    "worker_precision": _(
        "Above 0; 3 before anything is known. Only relative: it compares raters of the same units."
    ),
    "straight_lining": _(
        "Above 0 to 1. High also where the right answer hardly changes from unit to unit: "
        "compare raters of the same units."
    ),
    "equal_answers": _(
        "1 wherever it is given. Equal answers also come from a rater who was imported twice, "
        "or from very easy questions: look before you accuse."
    ),
    "median_seconds": _(
        "Seconds in which the page was in view and somebody was active. Short texts are read "
        "fast: compare raters of the same units."
    ),
    "pearson": _(
        "−1 to 1. Of straight relations; one outlier may make or hide it. It ignores whether "
        "the judge is too mild throughout, and of fewer than eight systems it is mostly "
        "chance."
    ),
    "spearman": _(
        "−1 to 1. Of order alone, so that scales may differ. With many ties, as on five "
        "points, it is hard to compare between judges."
    ),
    "kendall_tau_b": _(
        "−1 to 1. Of order alone, corrected for ties; smaller than Spearman’s ρ of the same "
        "data. A judge with few different scores is favoured."
    ),
    "alt_winning_rate": _(
        "0 to 1. Of few people it takes few values. Where people differ much, a poor judge "
        "passes: read it with the judge’s errors."
    ),
    "alt_advantage_probability": _(
        "0 to 1. Ranks judges; it does not say that one of them may stand in. A tie counts "
        "for both."
    ),
    "alt_gap": _(
        "−1 to 1. Below ε the judge may stand in, above it may not; an interval around ε "
        "leaves it open."
    ),
    "run_to_run_alpha_nominal": RUN_TO_RUN,
    "run_to_run_alpha_ordinal": RUN_TO_RUN,
    "run_to_run_alpha_interval": RUN_TO_RUN,
    "run_to_run_alpha_jaccard": RUN_TO_RUN,
    "run_to_run_agreement": _(
        "0 to 1. Not corrected for chance: high wherever one answer is common."
    ),
    "ego_centric_share": _(
        "0 to 1. Needs people’s mean of several answers: of a single person, chance alone "
        "puts scores far apart."
    ),
    "ego_centric_difference": _(
        "−1 to 1. Systems of the judge’s family may also be worse judged by people for good "
        "reasons; few systems tell little."
    ),
    "length_slope": _(
        "In points of the scale. Length may go with what people’s scores miss: a slope is a "
        "reason to look, not a proof."
    ),
    "no_answer_share": _(
        "0 to 1. Of the units that were asked about; where it differs by system, comparisons "
        "of judges are biased."
    ),
    "position_share": _("0 to 1. Meaningful only where the order of texts was drawn at random."),
    "position_consistency": _(
        "0 to 1. Needs pairs that were shown in both orders; ties in both count as consistent."
    ),
    "mean_ppi": _(
        "On the scale of the facet. Valid only if the sources that people answered were drawn "
        "at random."
    ),
    "mean_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "mean_ppi_saved": _(
        "A number of sources; below 0 the judge widens the interval. Published trials save "
        "about a tenth."
    ),
    "share_ppi": _(
        "0 to 1, or a little beyond. Valid only if the sources that people answered were "
        "drawn at random."
    ),
    "share_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "share_ppi_saved": _("A number of sources; below 0 the judge widens the interval."),
    "answered_difference": _(
        "On the scale of the judge. Around 0 it does not prove that the sources were drawn at "
        "random."
    ),
    "difference_ppi": _(
        "On the scale of the facet. Valid only if the sources that people answered were drawn "
        "at random."
    ),
    "difference_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "difference_ppi_saved": _("A number of sources; below 0 the judge widens the interval."),
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
    "wilcoxon_p": _("0 to 1. Not corrected for the number of pairs: read the corrected one."),
    "wilcoxon_p_holm": _("0 to 1. A large p is no proof that two systems are equal."),
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
}
