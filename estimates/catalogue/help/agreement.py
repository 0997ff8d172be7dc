"""Help on metrics of agreement, and of the quality of people's answers."""

from django.utils.translation import gettext_lazy as _

from tasktypes.pages.choices import Text

HELP_ON_AGREEMENT: dict[str, Text] = {
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
    "icc_2_1": _(
        "Up to 1. Answers whether raters can be exchanged for one another; where texts hardly "
        "differ it is low whatever raters do."
    ),
    "icc_2_k": _(
        "0 to 1. Of the mean, not of one rater: it grows with their number, so that studies "
        "of unequal size do not compare."
    ),
    "icc_1_1": _(
        "Up to 1. Lower than ICC(2,1) where raters differ in severity; not where all rated "
        "the same texts."
    ),
    "variance_share": _(
        "0 to 1, together 1. Of the texts of this study: other texts vary more or less. Few "
        "raters make their part uncertain."
    ),
    "dependability": _("0 to 1. Rests on the raters of the study being like those to come."),
    "commonest_share": _(
        "0 to 1. Not a measure of agreement: it says how much α and κ can be trusted."
    ),
    "prevalence_index": _("−1 to 1. Not a measure of agreement: it says how far κ is pulled down."),
    "bias_index": _("−1 to 1. Not a measure of agreement: it says how far κ is pulled up."),
    "pabak": _(
        "Up to 1; 0: half of the answers equal, with two labels. Hides that raters tell the "
        "rare label badly apart: read it beside κ."
    ),
    "severity": _(
        "In points of the scale, 0 on average. Tells raters apart only where they share texts "
        "with others; a severe rater may be right."
    ),
}
