"""Metrics of systems compared with each other."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table
from estimates.catalogue.reliability import EQUIVALENT

SHARED_SOURCES = "shared_source_share"
MEAN_DIFFERENCE, DIFFERENCE_P = "mean_difference", "difference_p"
DIFFERENCE_P_HOLM = f"{DIFFERENCE_P}_holm"
THESE_P = f"{DIFFERENCE_P}_these"
THESE_P_HOLM = f"{THESE_P}_holm"
RATERS_BY_SYSTEMS = "raters_by_systems_sd"
CORRECTED = _(
    "p values are corrected for all pairs of systems of this facet and party, after Holm and after "
    "Nemenyi. The interval of a difference is for raters like these where several answered, and "
    "goes with their p after Holm: it leaves 0 out just where that p is below .05."
)

SYSTEMS = (
    Metric(
        "friedman_chi_square",
        _("Friedman’s χ²"),
        "all facets of 2 to 20 systems",
        "Friedman's test over sources with every system, of these raters",
        (Table.OMNIBUS,),
        help="From 0. Grows with the number of sources: not a measure of how far systems differ.",
    ),
    Metric(
        "friedman_p",
        _("p, Friedman, these raters"),
        "all facets of 2 to 20 systems",
        "The p value of Friedman's test",
        (Table.OMNIBUS,),
        kind="p",
        help="0 to 1. A small p says that some systems differ, not which; needs complete blocks.",
    ),
    Metric(
        "min_f",
        _("min F′"),
        "all facets of 2 to 20 systems; people together",
        "Clark's min F′: whether the systems differ for other sources and other raters",
        (Table.OMNIBUS,),
        help="From 0. Grows with the number of sources and raters: not a measure of how far "
        "systems differ. Needs three raters of every system.",
    ),
    Metric(
        "min_f_p",
        _("p, min F′"),
        "all facets of 2 to 20 systems; people together",
        "The p value of min F′: the one to read for people",
        (Table.OMNIBUS,),
        kind="p",
        help="0 to 1. A small p says that some systems differ, not which. Errs to the safe side "
        "where raters hardly differ.",
    ),
    Metric(
        RATERS_BY_SYSTEMS,
        _("Spread of raters × systems"),
        "all facets of 2 to 20 systems; people together",
        "How much more some raters like one system than others do: a standard deviation",
        (Table.OMNIBUS,),
        help="In the unit of the ratings. 0: raters differ in how strict they are, not in which "
        "systems they like. More units do not make its part of the error smaller, more people do.",
    ),
    Metric(
        "kendall_w",
        _("Kendall’s W"),
        "ranks; people together",
        "Kendall's concordance between the raters of a unit, mean over units",
        (Table.AMONG, Table.OMNIBUS),
        "higher",
        help="0 to 1. 1: all give the same order. Never below 0, so that few raters of few "
        "systems look concordant by chance.",
    ),
    Metric(
        MEAN_DIFFERENCE,
        _("Difference of means"),
        "numbers, F1, shares, ranks; two systems",
        "Mean over shared sources of the first system's mean minus the other's. Sample sd",
        (Table.PAIRS,),
        live=True,
        help="In points of the scale. Over shared sources alone; its interval is corrected for "
        "the number of pairs, as Holm’s p is.",
    ),
    Metric(
        SHARED_SOURCES,
        _("Sources with all systems"),
        "numbers, F1, shares of 2 to 20 systems, where it is not all of them",
        "Share of the sources on which every system was rated. Below 1, means by system are of "
        "different texts: read the differences on the same sources",
        (Table.OMNIBUS,),
        help="From 0 to 1. Below 1, do not compare means by system.",
    ),
    Metric(
        THESE_P,
        _("p, these raters"),
        "numbers, F1, shares, ranks; two systems",
        "Student's paired t over sources of this difference, of these raters, two-sided",
        kind="p",
        help="0 to 1. Not corrected for the number of pairs: read the corrected one.",
    ),
    Metric(
        THESE_P_HOLM,
        _("p with Holm, these raters"),
        "numbers, F1, shares, ranks; two systems",
        "The same p corrected by Holm over all pairs of systems of this facet and party",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
        help="0 to 1. Says whether these raters would rate the two alike on other sources, and "
        "nothing about other raters.",
    ),
    Metric(
        DIFFERENCE_P,
        _("p, raters like these"),
        "numbers, F1, shares, ranks; two systems",
        "Student's t of this difference for other sources and other raters, two-sided, with the "
        "variances of sources and of raters by system pooled over all pairs",
        kind="p",
        help="0 to 1. Not corrected for the number of pairs: read the corrected one.",
    ),
    Metric(
        DIFFERENCE_P_HOLM,
        _("p with Holm, raters like these"),
        "numbers, F1, shares, ranks; two systems",
        "The same p corrected by Holm over all pairs of systems of this facet and party: the one "
        "to read for other raters",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
        help="0 to 1. A large p is no proof that two systems are equal. Undefined for one rater.",
    ),
    Metric(
        "wilcoxon_p",
        _("p, Wilcoxon"),
        "numbers, F1, shares; two systems",
        "Wilcoxon's signed rank test of these differences over sources, of these raters, two-sided",
        kind="p",
        help="0 to 1. Not corrected for the number of pairs: read the corrected one.",
    ),
    Metric(
        "wilcoxon_p_holm",
        _("p, Wilcoxon with Holm, these raters"),
        "numbers, F1, shares; two systems",
        "The same p corrected by Holm over all pairs of systems of this facet and party",
        (Table.PAIRS,),
        kind="p",
        note=CORRECTED,
        help="0 to 1. A large p is no proof that two systems are equal. Speaks of these raters "
        "only.",
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
        help="From 0 to 1; below .05 shows equivalence within the margin. Choose the margin "
        "before looking.",
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
        help="0 to 1. Compares ranks among all systems, so that adding a system changes it.",
    ),
)
