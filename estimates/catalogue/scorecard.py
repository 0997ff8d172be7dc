"""Metrics of a judge's scorecard: what it lets pass, how far it falls short of people."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

TRUE_POSITIVE_RATE, TRUE_NEGATIVE_RATE = "true_positive_rate", "true_negative_rate"
RATE_BIAS, CORRECTED_RATE, CONFUSION = "rate_bias", "corrected_rate", "confusion"
AGREEMENT_GAP = "agreement_gap"
AGREEMENT_AMONG_PEOPLE, AGREEMENT_WITH_PEOPLE = "agreement_among_people", "agreement_with_people"
JUDGE_DIFFERENCE, JUDGE_DIFFERENCE_P = "judge_difference", "judge_difference_p"
ALT_ADVANTAGE_DIFFERENCE = "alt_advantage_difference"
BRIER, CALIBRATION_ERROR = "brier_score", "calibration_error"
PREDICTED, OBSERVED = "predicted_share", "observed_share"
SLICE_DIFFERENCE, SLICE_P = "slice_difference", "slice_p"
CURVE = (Table.SCORECARD_CALIBRATION,)
OF_PROBABILITIES = "two labels; a judge whose scores in another facet go from 0 to 1"
CARD, JUDGES, SLICES = (Table.SCORECARD,), (Table.SCORECARD_PAIRS,), (Table.SCORECARD_SLICES,)
WITH_LABELS = "labels, points, sets; a judge with people"
EVERY_KIND = "all but scores on a scale of their own; a judge with people"

SCORECARD = (
    Metric(
        TRUE_POSITIVE_RATE,
        _("True positive rate"),
        WITH_LABELS,
        "Share of the units with people's yes that have the judge's. Positive: yes, or the first "
        "of two labels; of more labels each in turn, named by `label` in the group. Sets: every "
        "part that could be chosen. n: the units with people's yes",
        CARD,
        "higher",
        help="0 to 1. Alone it favours a judge that says yes to everything: read it with the "
        "true negative rate.",
    ),
    Metric(
        TRUE_NEGATIVE_RATE,
        _("True negative rate"),
        WITH_LABELS,
        "Share of the units with people's no, the failures, that have the judge's; it passes the "
        "others. n: the units with people's no",
        CARD,
        "higher",
        note=_(
            "Yes is the positive answer: the true negative rate is the share of what people fail "
            "that the judge fails too; it passes the rest."
        ),
        help="0 to 1. Where few units fail, it rests on few answers: look at its n.",
    ),
    Metric(
        RATE_BIAS,
        _("Bias: judge minus people"),
        "labels, points, sets, numbers; a judge with people",
        "The judge's share of yes minus the people's, over the units that both answered; of "
        "numbers the difference of means",
        CARD,
        help="−1 to 1, or points of the scale. 0 also where errors in both directions cancel.",
    ),
    Metric(
        AGREEMENT_GAP,
        _("Agreement among people minus with judge"),
        EVERY_KIND,
        "Mean agreement of two people minus that of the judge with one person, leaving one person "
        "out at a time. 0: the judge is as near to a person as another person is",
        CARD,
        "lower",
        note=_(
            "The gap holds judge and person against the same people, one left out at a time: at 0 "
            "the judge agrees with people as well as they do with each other."
        ),
        help="−1 to 1. Below 0 the judge is nearer to people than they are to each other, as a "
        "judge close to the consensus is; that is no proof of quality.",
    ),
    Metric(
        CORRECTED_RATE,
        _("Corrected share of yes"),
        "two labels, sets; a judge who answered more than people",
        "Share of yes that people would give to all units of the judge, after Rogan and Gladen. "
        "Holds where the judge errs on the others as often as on those that people answered",
        CARD,
        help="0 to 1. Not where the judge’s rates are near chance, nor where other units are "
        "harder than those people answered.",
    ),
    Metric(
        CONFUSION,
        _("Units by label of people and judge"),
        "labels, points, sets, orders; a judge with people",
        "How many units people gave the label `people` of the group and the judge the label "
        "`judge`, of n",
        CARD,
        help="A number of units. Rates depend on how common each label is: read shares within "
        "people’s label.",
    ),
    Metric(
        AGREEMENT_AMONG_PEOPLE,
        _("Agreement of one person with another"),
        EVERY_KIND,
        "Mean agreement of two people, 1 for equal answers, over the units of `agreement_gap`",
        CARD,
        "higher",
        help="0 to 1. Not corrected for chance; of two people it is what one of them does.",
    ),
    Metric(
        AGREEMENT_WITH_PEOPLE,
        _("Agreement of the judge with one person"),
        EVERY_KIND,
        "Mean agreement of the judge with one person, over the same units",
        CARD,
        "higher",
        help="0 to 1. Not corrected for chance: compare it only with people among themselves.",
    ),
    Metric(
        JUDGE_DIFFERENCE,
        _("Agreement with people: judge minus other"),
        f"{EVERY_KIND}, beside a second judge or an older version",
        "Mean agreement with people of the judge minus that of `other_judge` of the group, on the "
        "units of both",
        JUDGES,
        help="−1 to 1. Only over units that both judges answered: failures of one leave its hard "
        "units out.",
    ),
    Metric(
        JUDGE_DIFFERENCE_P,
        _("p, corrected"),
        f"{EVERY_KIND}, beside a second judge",
        "The p value of that difference, Holm over the pairs of judges of a facet",
        JUDGES,
        kind="p",
        note=_("p values are corrected for all pairs of judges here, after Holm."),
        help="0 to 1. A large p is no proof that two judges are equal.",
    ),
    Metric(
        ALT_ADVANTAGE_DIFFERENCE,
        _("Advantage probability: judge minus other"),
        "labels, numbers, sets; a judge with people, beside a second judge",
        "Advantage probability of the judge minus that of `other_judge`, on the units of both. An "
        "interval that holds 0: their advantages overlap",
        JUDGES,
        help="−1 to 1. Only over units that both judges answered.",
    ),
    Metric(
        SLICE_DIFFERENCE,
        _("Agreement with people: here minus elsewhere"),
        f"{EVERY_KIND}, by system, verdict, length, round",
        "Mean agreement with people in the part minus that on all other units",
        SLICES,
        "higher",
        help="−1 to 1. Parts may be harder for people as well: compare with people among "
        "themselves.",
    ),
    Metric(
        SLICE_P,
        _("p, corrected"),
        f"{EVERY_KIND}, by system, verdict, length, round",
        "The p value of that difference, Holm over all parts of a judge in a facet",
        SLICES,
        kind="p",
        note=_("p values are corrected for all parts of a judge here, after Holm."),
        help="0 to 1. With many parts some differ by chance; Holm’s correction allows for that.",
    ),
    Metric(
        BRIER,
        _("Brier score"),
        OF_PROBABILITIES,
        "Mean squared difference of the judge's score, read as the probability of yes, and "
        "people's share of yes for the same text",
        CURVE,
        "lower",
        help="0 to 1; 0: always right and certain. Depends on how common yes is: not between "
        "studies.",
    ),
    Metric(
        CALIBRATION_ERROR,
        _("Expected calibration error"),
        OF_PROBABILITIES,
        "Mean over texts of how far people's share of yes lies from the mean score, in ten bins of "
        "equal width",
        CURVE,
        "lower",
        note=_("Scores from 0 to 1 are read as probabilities of yes."),
        help="0 to 1; 0: scores are shares. It depends on the bins, and of few units it is above "
        "0 by chance. A judge that always says the average is calibrated and useless.",
    ),
    Metric(
        PREDICTED,
        _("Mean score"),
        OF_PROBABILITIES,
        "Mean score of the texts in a `bin` of scores",
        CURVE,
        help="0 to 1. Read it beside people’s share in the same bin.",
    ),
    Metric(
        OBSERVED,
        _("People’s share of yes"),
        OF_PROBABILITIES,
        "People's share of yes over the texts in a `bin` of scores",
        CURVE,
        help="0 to 1. Of the units in a bin: where these are few it is uncertain.",
    ),
)
