"""Metrics of how large differences of systems are, and of systems on different inputs."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

SUPERIORITY, CLIFF_DELTA, STANDARDISED = "superiority", "cliff_delta", "standardised_difference"
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
)
