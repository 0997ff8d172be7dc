"""Metrics of reliability: intraclass correlation, prevalence, limits of agreement, severity."""

from django.utils.translation import gettext_lazy as _

from results.metrics.catalogue.metric import Metric, Table

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
    ),
    Metric(
        "icc_2_k",
        _("ICC(2,k)"),
        "numbers that everybody gives on one scale; people together",
        "The same of the mean of as many ratings as texts have (their harmonic mean). From 0 to 1",
        (Table.AMONG,),
        "higher",
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
    ),
    Metric(
        "variance_share",
        _("Share of the variance"),
        "numbers that everybody gives on one scale; people together, by component",
        "Share of the variance of a rating that is due to texts (`units`), to the severity of "
        "raters (`raters`) and to all else (`residual`). From 0 to 1; Henderson's first method, "
        "parts below 0 taken as 0",
        (Table.VARIANCE,),
    ),
    Metric(
        "dependability",
        _("Reliability of the mean of raters"),
        "numbers that everybody gives on one scale; people together, by raters per unit",
        "What ICC(2,k) would be with that many raters for each text (decision study). From 0 to 1",
        (Table.DECISION,),
        "higher",
        note=_("0.8 is a common aim; it says nothing of whether raters are right."),
    ),
    Metric(
        COMMONEST,
        _("Commonest answer"),
        "labels, whole points; people together, a judge with people",
        "Share of the commonest answer among the answers compared. Where it is near 1, α and κ "
        "can be low although raters agree, since they then rest on the few other answers",
        BOTH,
    ),
    Metric(
        "prevalence_index",
        _("Prevalence index"),
        "two labels; people together, a judge with people",
        "Share of the first label minus that of the second, from -1 to 1. Far from 0, κ is low "
        "for the same agreement",
        BOTH,
    ),
    Metric(
        "bias_index",
        _("Bias index"),
        "two labels; a judge with people",
        "Share of the first label among people's answers minus that among the judge's, from -1 "
        "to 1. Far from 0, κ is higher for the same agreement",
        (Table.BETWEEN,),
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
    ),
    Metric(
        "judge_difference",
        _("Judge minus people, mean"),
        "numbers that everybody gives on one scale; a judge with people",
        "Mean of the judge's number minus people's mean, over texts. Sample sd. 0: no bias",
        (Table.LIMITS,),
        kind="average",
        note=LIMITS,
    ),
    Metric(
        "limit_low",
        _("Lower limit of agreement"),
        "numbers that everybody gives on one scale; a judge with people",
        "That mean minus 1.96 standard deviations of the differences",
        (Table.LIMITS,),
    ),
    Metric(
        "limit_high",
        _("Upper limit of agreement"),
        "numbers that everybody gives on one scale; a judge with people",
        "That mean plus 1.96 standard deviations of the differences",
        (Table.LIMITS,),
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
    ),
)
