"""Metrics of reliability: intraclass correlation, prevalence, limits of agreement, severity."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

ICC_AGREEMENT, COMMONEST, EQUIVALENCE_P = "icc_2_1", "commonest_share", "equivalence_p"
# In a group: a part of the variance of ratings, and a number of raters.
COMPONENT, RATERS_PER_UNIT = "component", "raters_per_unit"
BOTH = (Table.AMONG, Table.BETWEEN)
FIXED = _(
    "Intervals of intraclass correlations count raters as drawn at random only where every rater "
    "rated every text of a source of its own; else they speak of these raters on other sources."
)
SEVERE = _(
    "Severity: points that a person gives below the average rater of the same texts; an additive "
    "model, not a Rasch model. Intervals are for one person at a time: of twenty alike, one is "
    "expected to leave out 0."
)
LIMITS = _(
    "Judge minus people’s mean, text by text. Nineteen of twenty differences are expected to lie "
    "between the two limits (Bland and Altman)."
)
EQUIVALENT = _(
    "A small p of equivalence shows that the mean difference lies within the study’s margin; a "
    "large p of a test of difference does not."
)

RELIABILITY = (
    Metric(
        ICC_AGREEMENT,
        _("ICC(2,1)"),
        "numbers that everybody gives on one scale; people together, a judge with people",
        "Intraclass correlation of one rating, raters drawn at random, absolute agreement: the "
        "share of the variance that is due to texts. At most 1; missing ratings allowed, by "
        "variance components. With few texts of one quality it is low although raters agree",
        BOTH,
        "higher",
        note=FIXED,
        help="At most 1; 0.5 to 0.75 is called moderate, above that good. Low where texts hardly "
        "differ, however well people agree: read the limits of agreement then.",
    ),
    Metric(
        "icc_2_k",
        _("ICC(2,k)"),
        "numbers that everybody gives on one scale; people together",
        "The same of the mean of as many ratings as texts have (their harmonic mean). From 0 to 1",
        (Table.AMONG,),
        "higher",
        help="From 0 to 1. Of the mean of several ratings, so not to be compared with α or "
        "ICC(2,1), which speak of one.",
    ),
    Metric(
        "icc_1_1",
        _("ICC(1,1)"),
        "numbers that everybody gives on one scale; people together",
        "Intraclass correlation of one rating where each text has raters of its own: the one to "
        "read where hardly anybody rated two texts, and ICC(2,1) has no value",
        (Table.AMONG,),
        "higher",
        everything=True,
        help="At most 1. For texts with raters of their own; where raters share texts, ICC(2,1) "
        "says more.",
    ),
    Metric(
        "variance_share",
        _("Share of the variance"),
        "numbers that everybody gives on one scale; people together, by component",
        "Share of the variance of a rating that is due to texts (`units`), to the severity of "
        "raters (`raters`) and to all else (`residual`). From 0 to 1; Henderson's first method, "
        "parts below 0 taken as 0",
        (Table.VARIANCE,),
        help="From 0 to 1, adding up to 1. A large share of raters: train them or use their "
        "z-scores. Uncertain with few raters.",
    ),
    Metric(
        "dependability",
        _("Reliability of the mean of raters"),
        "numbers that everybody gives on one scale; people together, by raters per unit",
        "What ICC(2,k) would be with that many raters for each text (decision study). From 0 to 1",
        (Table.DECISION,),
        "higher",
        note=_("0.8 is a common aim; it says nothing about whether raters are right."),
        help="From 0 to 1. What more raters for each text would bring; more texts do not raise it.",
    ),
    Metric(
        COMMONEST,
        _("Commonest answer"),
        "labels, whole points; people together, a judge with people",
        "Share of the commonest answer among the answers compared. Where it is near 1, α and κ "
        "can be low although raters agree, since they then rest on the few other answers",
        BOTH,
        help="From 0 to 1. Above 0.9, do not read α or κ without it.",
    ),
    Metric(
        "prevalence_index",
        _("Prevalence index"),
        "two labels; people together, a judge with people",
        "Share of the first label minus that of the second, from -1 to 1. Far from 0, κ is low "
        "for the same agreement",
        BOTH,
        help="From −1 to 1; 0 where both labels are as common. Not an agreement.",
    ),
    Metric(
        "bias_index",
        _("Bias index"),
        "two labels; a judge with people",
        "Share of the first label among people's answers minus that among the judge's, from -1 "
        "to 1. Far from 0, κ is higher for the same agreement",
        (Table.BETWEEN,),
        help="From −1 to 1; 0 where both say the first label as often. Not an agreement.",
    ),
    Metric(
        "pabak",
        _("κ for equal shares (PABAK)"),
        "labels, whole points; people together, a judge with people",
        "Prevalence- and bias-adjusted κ: (q p − 1) / (q − 1) with the share p of equal pairs and "
        "q labels. What κ would be if all labels were as common. At most 1",
        BOTH,
        "higher",
        everything=True,
        help="At most 1. An equal share of labels is assumed, whatever they are: do not compare "
        "it between questions.",
    ),
    Metric(
        "severity",
        _("Severity"),
        "numbers that everybody gives on one scale; single people",
        "Points that the person gives below the average rater of the same texts, by an additive "
        "model of texts and raters. 0 on average. Undefined without a chain of shared texts to "
        "most others",
        (Table.SEVERITY,),
        note=SEVERE,
        help="In points of the scale, 0 on average. Above 0: stricter than others. Not to be "
        "read without its interval.",
    ),
    Metric(
        "difference_from_people",
        _("Judge minus people, mean"),
        "numbers that everybody gives on one scale; a judge with people",
        "Mean of the judge's number minus people's mean, over texts. Sample sd. 0: no bias",
        (Table.LIMITS,),
        kind="average",
        note=LIMITS,
        help="In points of the scale; 0 is no bias. It hides differences that cancel out: read "
        "the limits.",
    ),
    Metric(
        "limit_low",
        _("Lower limit of agreement"),
        "numbers that everybody gives on one scale; a judge with people",
        "That mean minus 1.96 standard deviations of the differences",
        (Table.LIMITS,),
        help="In points of the scale. Not for scales where differences grow with the number.",
    ),
    Metric(
        "limit_high",
        _("Upper limit of agreement"),
        "numbers that everybody gives on one scale; a judge with people",
        "That mean plus 1.96 standard deviations of the differences",
        (Table.LIMITS,),
        help="In points of the scale. Not for scales where differences grow with the number.",
    ),
    Metric(
        EQUIVALENCE_P,
        _("p, equivalence with people"),
        "numbers that everybody gives on one scale, with a margin in the study file; a judge with "
        "people",
        "Two one-sided tests over sources that the mean difference lies within the study's "
        "`margins`. Undefined below ten sources",
        (Table.LIMITS,),
        kind="p",
        note=EQUIVALENT,
        help="From 0 to 1; below .05 shows equivalence within the margin. Choose the margin "
        "before looking.",
    ),
)
