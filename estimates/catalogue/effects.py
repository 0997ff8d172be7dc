"""Metrics of how large differences of systems are, and of systems on different inputs."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

SUPERIORITY, CLIFF_DELTA, STANDARDISED = "superiority", "cliff_delta", "standardised_difference"
UNPAIRED_DIFFERENCE, UNPAIRED_SUPERIORITY = "unpaired_difference", "unpaired_superiority"
PERMUTATION_P, MANN_WHITNEY_P = "permutation_p_holm", "mann_whitney_p_holm"
SYSTEM_CLUSTER, PLACE_BEST, PLACE_WORST = "system_cluster", "place_best", "place_worst"
PLACES = SYSTEM_CLUSTER, PLACE_BEST, PLACE_WORST
OF_APART = "numbers, F1, shares; two systems without a source of both"
OF_PLACES = "numbers, F1, shares, ranks; 3 to 20 systems of which every two were tested"
OF_PAIRS = "numbers, F1, shares; two systems"

EFFECTS = (
    Metric(
        SUPERIORITY,
        _("Probability of superiority"),
        OF_PAIRS,
        "Share of shared sources on which the first system's mean is higher than the other's, ties "
        "half: the common language effect size of paired figures",
        (Table.EFFECTS,),
        help="0 to 1; 1/2: neither is higher more often. It says how often, not by how much. "
        "Raters are held fixed.",
    ),
    Metric(
        CLIFF_DELTA,
        _("Cliff’s δ"),
        OF_PAIRS,
        "Share of pairs of a source of the first and one of the other system in which the first "
        "is higher, minus that in which it is lower; over the shared sources",
        (Table.EFFECTS,),
        help="−1 to 1; 0: none is higher more often. Not paired by source: where sources differ "
        "much it is smaller than the probability of superiority suggests.",
    ),
    Metric(
        STANDARDISED,
        _("Standardised difference (d)"),
        OF_PAIRS,
        "Cohen's d_av: difference of means on shared sources over the mean of both standard "
        "deviations between sources",
        (Table.EFFECTS,),
        help="In standard deviations; any number. Of means of several raters it is larger than of "
        "single ratings: compare only within a design.",
    ),
    Metric(
        UNPAIRED_DIFFERENCE,
        _("Difference of means, different sources"),
        OF_APART,
        "Mean over the first system's sources minus that over the other's, with a t interval over "
        "sources",
        (Table.UNPAIRED,),
        help="In points of the scale. What differs may be the sources and not the systems.",
    ),
    Metric(
        UNPAIRED_SUPERIORITY,
        _("Probability of superiority, different sources"),
        OF_APART,
        "Share of pairs of a source of the first and one of the other system in which the first's "
        "mean is higher, ties half: Mann and Whitney's U over the number of pairs",
        (Table.UNPAIRED,),
        help="0 to 1; 1/2: neither is higher more often. Raters are held fixed.",
    ),
    Metric(
        PERMUTATION_P,
        _("p, permutation of sources, corrected"),
        OF_APART,
        "Sources with all their ratings are dealt out to the two systems at random many times; "
        "Holm over all such pairs",
        (Table.UNPAIRED,),
        kind="p",
        help="0 to 1. Takes sources to be drawn alike for both systems, and raters as fixed.",
    ),
    Metric(
        MANN_WHITNEY_P,
        _("p, Mann–Whitney over sources, corrected"),
        OF_APART,
        "Mann and Whitney's test of the sources' means; Holm over all such pairs",
        (Table.UNPAIRED,),
        kind="p",
        help="0 to 1. Depends on order alone: outliers count little. Raters are held fixed.",
    ),
    Metric(
        SYSTEM_CLUSTER,
        _("Cluster"),
        OF_PLACES,
        "Significance cluster, 1 the best, as WMT has them: each system of it differs from each "
        "of the others, by `difference_p_these_holm` below 0.05",
        (Table.PLACES,),
        "lower",
        help="From 1. Systems of one cluster need not be equal. For these raters.",
    ),
    Metric(
        PLACE_BEST,
        _("Best place"),
        OF_PLACES,
        "One more than there are systems that are shown to be better",
        (Table.PLACES,),
        "lower",
        help="From 1 to the number of systems. For these raters.",
    ),
    Metric(
        PLACE_WORST,
        _("Worst place"),
        OF_PLACES,
        "The number of systems minus those that are shown to be worse",
        (Table.PLACES,),
        "lower",
        help="From 1 to the number of systems. For these raters.",
    ),
)
