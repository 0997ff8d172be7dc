"""Metrics of agreement, and of the quality of people's answers."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

# Before the name of a distance.
ALPHA = "krippendorff_alpha_"
CONTROL_ACCURACY = "control_accuracy"
MEDIAN_SECONDS = "median_seconds"
JUDGE_SIMILARITY, JUDGE_SIMILARITY_Q = "judge_likeness", "judge_likeness_q"
SIMILARITY_TO_JUDGE, SIMILARITY_TO_PEOPLE = "likeness_to_judge", "likeness_to_people"
RAW_AGREEMENT, WITH_OTHERS = "raw_agreement", "agreement_with_others"
BOTH = (Table.AMONG, Table.BETWEEN)

AGREEMENT = (
    Metric(
        f"{ALPHA}nominal",
        _("α, nominal"),
        "labels, points of an ordinal scale",
        "Krippendorff's α with the nominal distance",
        BOTH,
        "higher",
        live=True,
        help="1: all agree; 0: chance level; below 0: less than by chance. Near 0 where one "
        "label is rare, however often raters agree: read it beside the share of equal answers.",
    ),
    Metric(
        f"{ALPHA}ordinal",
        _("α, ordinal"),
        "numbers",
        "Krippendorff's α with the ordinal distance",
        BOTH,
        "higher",
        live=True,
        help="1: all agree; 0: chance level. It counts the points between two answers by how "
        "often they are given: not for scales whose points are equally far apart by design.",
    ),
    Metric(
        f"{ALPHA}interval",
        _("α, interval"),
        "numbers",
        "Krippendorff's α with the interval distance",
        BOTH,
        "higher",
        live=True,
        help="1: all agree; 0: chance level. For numbers whose differences mean the same along "
        "the scale; one rater with another sense of the scale lowers it.",
    ),
    Metric(
        f"{ALPHA}ratio",
        _("α, ratio"),
        "numbers on a scale that begins at 0",
        "Krippendorff's α with the ratio distance: four is twice two",
        BOTH,
        "higher",
        live=True,
        everything=True,
        help="1: all agree; 0: chance level. For amounts with a true zero, such as counts; not "
        "for ratings.",
    ),
    Metric(
        f"{ALPHA}jaccard",
        _("α, Jaccard"),
        "sets",
        "Krippendorff's α with the Jaccard distance",
        BOTH,
        "higher",
        live=True,
        help="1: all agree; 0: chance level. Sets that share some of their members agree in "
        "part; many empty sets make it unstable.",
    ),
    Metric(
        f"{ALPHA}masi",
        _("α, MASI"),
        "sets",
        "Krippendorff's α with the MASI distance",
        BOTH,
        "higher",
        live=True,
        everything=True,
        help="1: all agree; 0: chance level. Stricter than Jaccard: sets that overlap without "
        "one holding the other count little.",
    ),
    Metric(
        f"{ALPHA}kendall",
        _("α of orders, Kendall"),
        "ranks of texts by different systems",
        "Krippendorff's α of whole orders. Undefined where units show different systems",
        BOTH,
        "higher",
        live=True,
        help="1: all give one order; 0: chance level. Only where every unit shows the same "
        "systems.",
    ),
    Metric(
        RAW_AGREEMENT,
        _("Same answer"),
        "all, but people's mean beside a judge's numbers",
        "Share of equal pairs of ratings, mean over units. Sets agree when they are equal",
        BOTH,
        "higher",
        live=True,
        help="0 to 1. Not corrected for chance: where nearly all answers are the same it is high "
        "although raters may tell nothing apart.",
    ),
    Metric(
        "cohen_kappa",
        _("κ"),
        "labels, whole points; two raters",
        "Cohen's κ, without weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
        help="−1 to 1; 0: chance level. Falls where one label is rare, and where the two use the "
        "labels unequally often; of two raters alone.",
    ),
    Metric(
        "cohen_kappa_linear",
        _("κ, linear weights"),
        "three or more ordered points; two raters",
        "Cohen's κ with linear weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
        everything=True,
        help="−1 to 1; 0: chance level. Being a point apart counts half as much as two. "
        "Comparable only between scales with as many points.",
    ),
    Metric(
        "cohen_kappa_quadratic",
        _("κ, quadratic weights"),
        "three or more ordered points; two raters",
        "Cohen's κ with quadratic weights",
        (Table.BETWEEN,),
        "higher",
        live=True,
        help="−1 to 1; 0: chance level. Rises with the number of points, and hardly notices "
        "small differences; close to a correlation.",
    ),
    Metric(
        "fleiss_kappa",
        _("Fleiss’ κ"),
        "labels, whole points; people together",
        "Fleiss' κ, missing ratings allowed",
        (Table.AMONG,),
        "higher",
        live=True,
        everything=True,
        help="Up to 1; 0: chance level. Takes the raters of a unit as drawn anew each time. "
        "Falls where one label is rare.",
    ),
    Metric(
        "gwet_ac1",
        _("Gwet’s AC1"),
        "labels, whole points; people together, pairs",
        "Gwet's AC1 over all labels that the facet offers",
        BOTH,
        "higher",
        live=True,
        help="Up to 1; 0: chance level. Stays high where one label is rare, so that a rater who "
        "always says the common one agrees well.",
    ),
    Metric(
        "gwet_ac2",
        _("Gwet’s AC2"),
        "three or more ordered points; people together, pairs",
        "Gwet's AC2 with quadratic weights",
        BOTH,
        "higher",
        live=True,
        everything=True,
        help="Up to 1; 0: chance level. As AC1, for points in order; a high value may come from "
        "a narrow use of the scale.",
    ),
    Metric(
        "entropy",
        _("Entropy of choices"),
        "sets; labels and points with several answers a unit",
        "Entropy of the options chosen for a unit, in nats, mean over units. 0: all chose alike. "
        "Population sd",
        (Table.AMONG,),
        note=_("Entropy of choices measures disagreement: 0 where everyone chose the same."),
        help="From 0, where everyone chose the same, to the logarithm of the number of options. "
        "Says nothing about who is right, and is not corrected for chance.",
    ),
    Metric(
        CONTROL_ACCURACY,
        _("Control accuracy"),
        "all",
        "Share of control questions answered right",
        (Table.QUALITY, Table.CONTROLS),
        "higher",
        help="0 to 1. With few controls a single one changes it much, and controls are often "
        "easier than the rest.",
    ),
    Metric(
        WITH_OTHERS,
        _("Agreement with the others"),
        "all but scores of machines; single people",
        "1 minus the person's mean distance to the others over that expected by chance: the "
        "person's part of α. No interval",
        (Table.QUALITY,),
        "higher",
        help="1: always as the others; 0: chance level; below 0: against them. With few answers "
        "it says little; a careful rater among careless ones looks odd as well.",
    ),
    Metric(
        JUDGE_SIMILARITY,
        _("Similarity to the judge beyond expectation"),
        "all but scores of machines; single people beside a judge, by `report --likeness` alone",
        "A person's similarity to the judge minus what is expected of somebody as like "
        "other people. 0 is expected of answers that owe nothing to the judge; more proves nothing",
        help="Around 0 for a person who does not use the judge. Evidence to be looked into "
        "beside other evidence, never a proof: people and judges may be near each other for good "
        "reasons.",
    ),
    Metric(
        JUDGE_SIMILARITY_Q,
        _("q, similarity to the judge beyond expectation"),
        "likewise",
        "Its one-sided p value, adjusted by Benjamini and Hochberg over all people, judges and "
        "facets of the study",
        kind="p",
        help="0 to 1, corrected for all workers. Of many honest workers some are below .05 by "
        "chance before correction; a large q does not clear a worker.",
    ),
    Metric(
        SIMILARITY_TO_JUDGE,
        _("Similarity to the judge"),
        "likewise",
        "How much nearer the answers are on the same unit than on different ones. 0: unrelated, "
        "about 1: equal. No interval",
        help=(
            "Up to 1; 0: chance level. High for every good worker beside a good judge: "
            "read it beside the similarity to other people."
        ),
    ),
    Metric(
        SIMILARITY_TO_PEOPLE,
        _("Similarity to other people"),
        "likewise",
        "The same with the other people of each unit, on the units that the judge answered, too",
        help="Up to 1; 0: chance level. Low also for a careful worker among careless ones.",
    ),
    Metric(
        "dawid_skene_accuracy",
        _("Accuracy by Dawid and Skene"),
        "labels; single people",
        "Probability of a right answer by the model of Dawid and Skene. No interval",
        (Table.QUALITY,),
        "higher",
        help="0 to 1. Rests on the assumption that errors are independent; where most are wrong "
        "together, they are taken to be right.",
    ),
    Metric(
        "worker_precision",
        _("Precision of the worker"),
        "interval numbers; single people",
        "1 / variance of the worker's error on the z scale. 3 is expected beforehand",
        (Table.QUALITY,),
        "higher",
        help="Above 0; 3 before anything is known. Only relative: it compares raters of the same "
        "units.",
    ),
    Metric(
        "straight_lining",
        _("Longest streak (share of answers)"),
        "all but ranks and comparisons; single people",
        "Longest run of equal answers, as a share of all. No interval",
        (Table.QUALITY,),
        "lower",
        help="Above 0 to 1. High also where the right answer hardly changes from unit to unit: "
        "compare raters of the same units.",
    ),
    Metric(
        "equal_answers",
        _("Equal answers"),
        "all but scores of machines; two people",
        "Given, as 1, for two people whose answers to the 30 or more questions that both answered "
        "are all equal, where that is hardly chance. No interval",
        (Table.COPIES,),
        help="1 wherever it is given. Equal answers also come from a rater who was imported "
        "twice, or from very easy questions: look before you accuse.",
    ),
    Metric(
        MEDIAN_SECONDS,
        _("Seconds per answer, median"),
        "first facet of a block; people",
        "Median of the active seconds of an answer. No interval",
        (Table.QUALITY,),
        help="Seconds in which the page was in view and somebody was active. Short texts are "
        "read fast: compare raters of the same units.",
    ),
)
