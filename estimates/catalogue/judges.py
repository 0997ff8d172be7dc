"""Metrics of judges beside people: correlation, replacement, biases, savings."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

PEARSON, SPEARMAN, KENDALL_TAU_B = "pearson", "spearman", "kendall_tau_b"
ALT_WINNING_RATE, ALT_GAP = "alt_winning_rate", "alt_gap"
ALT_ADVANTAGE = "alt_advantage_probability"
UNANSWERED = "no_answer_share"
ANSWERED_DIFFERENCE, SOURCE_CORRELATION = "answered_difference", "source_correlation"
OF_TWO_SYSTEMS = "numbers, two labels; a judge with people, two systems"
STRATIFIED = (
    "The same within strata of the judge's scores, weighted by their size. It holds, too, where "
    "people answered sources that the judge scores higher or lower than the others"
)
SAVINGS_NOTE = _(
    "How many sources with human answers alone would give an equally narrow interval, and "
    "how many more that is. Valid if the sources people answered were drawn at random."
)


def _saving(
    name: str,
    of: str,
    *,
    equivalent: tuple[Table, ...] = (Table.SAVINGS,),
    saved: tuple[Table, ...] = (Table.SAVINGS,),
    more: str = "",
) -> tuple[Metric, Metric]:
    """How many answers of people a prediction-powered figure is worth, and how many it saves, with
    the tables of either. more: what else to know of the second."""
    return (
        Metric(
            f"{name}_equivalent",
            _("Equivalent number of human answers"),
            of,
            "How many sources with human answers alone would give an interval as narrow",
            equivalent,
            "higher",
            help="A number of sources. Depends on how many people answered: not a property of the "
            "judge.",
        ),
        Metric(
            f"{name}_saved",
            _("Human answers saved"),
            of,
            "How many more sources that is than people answered",
            saved,
            "higher",
            help=f"A number of sources; below 0 the judge widens the interval.{more}",
        ),
    )


JUDGES = (
    Metric(
        PEARSON,
        _("Pearson’s r"),
        "numbers; pairs of raters",
        "Pearson's r at sample, summary or system level. With `against` in the group: between "
        "the systems' figures of two studies",
        (Table.CORRELATION, Table.EVALUATORS),
        "higher",
        help="−1 to 1. Linear relations only; one outlier may make or hide one. It ignores "
        "whether the judge is too mild throughout, and with fewer than eight systems it is mostly "
        "chance.",
    ),
    Metric(
        SPEARMAN,
        _("Spearman’s ρ"),
        "numbers; pairs of raters",
        "Spearman's ρ at sample, summary or system level",
        (Table.CORRELATION,),
        "higher",
        help="−1 to 1. Depends on order alone, so scales may differ. With many ties, as on five "
        "points, it is hard to compare between judges.",
    ),
    Metric(
        KENDALL_TAU_B,
        _("Kendall’s τ-b"),
        "numbers, orders; pairs of raters",
        "Kendall's τ-b at sample, summary or system level. Of orders within each unit, mean over "
        "units",
        (Table.CORRELATION, Table.EVALUATORS),
        "higher",
        help="−1 to 1. Depends on order alone, corrected for ties; smaller than Spearman’s ρ of "
        "the same data. A judge with few different scores is favoured.",
    ),
    Metric(
        ALT_WINNING_RATE,
        _("Winning rate over people"),
        "labels, numbers, sets; a judge with people",
        "Alternative annotator test: share of people over whom the judge wins at `--epsilon`. "
        "From 0.5 on it may replace a person. Undefined without three people with 30 shared units "
        "of 15 sources each",
        (Table.REPLACING,),
        "higher",
        help="0 to 1. With few people it takes few values. Where people differ much, a poor judge "
        "passes: read it with the judge’s errors.",
    ),
    Metric(
        ALT_ADVANTAGE,
        _("Advantage probability"),
        "labels, numbers, sets; a judge with people",
        "Share of units on which the judge is at least as near to the others as the person left "
        "out, mean over people. Ranks judges, whatever ε",
        (Table.REPLACING,),
        "higher",
        help="0 to 1. Ranks judges; it does not say that one of them may stand in. A tie counts "
        "for both.",
    ),
    Metric(
        ALT_GAP,
        _("How much more often a person is nearer than the judge"),
        "labels, numbers, sets; a judge with people",
        "Share of units on which only the person left out is the nearer one minus that on which "
        "only the judge is, mean over people. An interval around ε: too few units to tell",
        (Table.REPLACING,),
        "lower",
        help="−1 to 1. Below ε the judge may stand in, above it may not; an interval around ε "
        "leaves it open.",
    ),
    *(
        Metric(
            f"run_to_run_alpha_{distance}",
            title,
            f"{facets}; judges with replicates",
            "α of a judge's replicates with each other",
            (Table.AGAIN,),
            "higher",
            help="1: every run gives the same answers; 0: chance level. A judge that repeats "
            "itself may repeat its errors.",
        )
        for distance, title, facets in (
            ("nominal", _("α from run to run, nominal"), "labels"),
            ("ordinal", _("α from run to run, ordinal"), "ordinal numbers"),
            ("interval", _("α from run to run, interval"), "interval numbers"),
            ("jaccard", _("α from run to run, Jaccard"), "sets"),
        )
    ),
    Metric(
        "run_to_run_agreement",
        _("Same answer from run to run"),
        "all; judges with replicates",
        "Share of equal answers among the replicates",
        (Table.AGAIN,),
        "higher",
        help="0 to 1. Not corrected for chance: high wherever one answer is common.",
    ),
    Metric(
        "ego_centric_share",
        _("Scores far above people’s"),
        "numbers on a scale with ends; a judge with people, also across facets",
        "Share of the judge's scores that lie 2 points or more (of 0 to 5) above people's mean. "
        "Compare the judge's own family with the others",
        (Table.BIASES, Table.FAMILIES, Table.EVALUATORS),
        "lower",
        note=_(
            "Far above: at least two points of five above people’s mean for the same text. A "
            "judge that favours its own family has more of these there."
        ),
        help="0 to 1. Needs people’s mean of several answers: of a single person, chance alone "
        "puts scores far apart.",
    ),
    Metric(
        "ego_centric_difference",
        _("Scores far above people’s: own family minus others"),
        "numbers on a scale with ends, where families are known; a judge with people",
        "That share in the judge's own family minus that in the others. 0: no preference",
        (Table.BIASES,),
        help="−1 to 1. Systems of the judge’s family may also be worse judged by people for good "
        "reasons; few systems tell little.",
    ),
    Metric(
        "length_slope",
        _("Points per 100 words, at equal human scores"),
        "numbers; a judge with people",
        "Points more for a text 100 words longer that people find equally good. 0: no bias",
        (Table.BIASES,),
        note=_("Above 0, the judge favours longer texts more than people do."),
        help="In points of the scale. Length may go with what people’s scores miss: a slope is a "
        "reason to look, not a proof.",
    ),
    Metric(
        UNANSWERED,
        _("Units without an answer"),
        "first facet of a block; judges with calls that led to no answer",
        "Share of the units that the judge was asked about and has no answer to, as a whole and by "
        "system, verdict and evidence source",
        (Table.UNANSWERED,),
        "lower",
        note=_("Failures are rarely random: they leave out some texts more than others."),
        help="0 to 1. Of the units that were asked about; where it differs by system, "
        "comparisons of judges are biased.",
    ),
    Metric(
        "position_share",
        _("First text shown preferred"),
        "comparisons, ranks; people together and judges",
        "Share of ordered pairs in which the text shown first is better. 0.5: no bias",
        (Table.BIASES,),
        note=_("Without a position bias, the first text shown is preferred half the time."),
        help="0 to 1. Meaningful only where the order of texts was drawn at random.",
    ),
    Metric(
        "position_consistency",
        _("Same choice in swapped order"),
        "comparisons, ranks; people together and judges",
        "Share of pairs shown in both orders that have the same verdict in both",
        (Table.BIASES,),
        "higher",
        help="0 to 1. Needs pairs that were shown in both orders; ties in both count as "
        "consistent.",
    ),
    Metric(
        "mean_ppi",
        _("Prediction-powered mean"),
        "numbers; a judge with people",
        "Prediction-powered mean over sources: the judge's scores corrected by the sources that "
        "people answered, which must be drawn at random. No interval below ten of them, or where "
        "fewer than five differ from the commonest answer",
        (Table.SAVINGS,),
        note=SAVINGS_NOTE,
        help="On the scale of the facet. Valid only if the sources that people answered were "
        "drawn at random.",
    ),
    Metric(
        "mean_ppi_stratified",
        _("Prediction-powered mean, by strata"),
        "numbers; a judge with people",
        STRATIFIED,
        (Table.SAVINGS,),
        help="Within the ends of the scale. Corrects for sources chosen by what the judge "
        "sees, not by what it does not see. Coarse with few sources in a stratum.",
    ),
    *_saving(
        "mean_ppi", "numbers; a judge with people", more=" Published trials save about a tenth."
    ),
    Metric(
        "share_ppi",
        _("Prediction-powered share"),
        "two labels; a judge with people",
        "Prediction-powered share of the first label",
        (Table.SAVINGS,),
        note=SAVINGS_NOTE,
        of_label=_("Prediction-powered share of “%(label)s”"),
        help="0 to 1, or a little beyond. Valid only if the sources that people answered were "
        "drawn at random.",
    ),
    Metric(
        "share_ppi_stratified",
        _("Prediction-powered share, by strata"),
        "two labels; a judge with people",
        STRATIFIED,
        (Table.SAVINGS,),
        help="0 to 1. Corrects for sources chosen by what the judge sees, not by what it does not "
        "see. Coarse with few sources in a stratum.",
    ),
    *_saving("share_ppi", "two labels; a judge with people"),
    Metric(
        ANSWERED_DIFFERENCE,
        _("Judge’s mean where people answered, minus elsewhere"),
        "numbers, two labels; a judge with people",
        "The judge's mean over the sources that people answered minus that over the others, with "
        "Welch's interval. Away from 0 they were hardly drawn at random",
        (Table.SAVINGS,),
        help="On the scale of the judge. Around 0 it does not prove that the sources were drawn "
        "at random.",
    ),
    Metric(
        SOURCE_CORRELATION,
        _("Correlation over sources"),
        "numbers, two labels; a judge with people",
        "Pearson's r of people's and the judge's means per source, with Fisher's interval: what a "
        "plan with fewer human answers rests on",
        (Table.SAVINGS,),
        "higher",
        help="−1 to 1. Its square is the most that a judge can save of people’s answers.",
    ),
    Metric(
        "difference_ppi",
        _("Prediction-powered difference"),
        OF_TWO_SYSTEMS,
        "Prediction-powered difference, paired by source",
        (Table.POWERED,),
        help="On the scale of the facet. Valid only if the sources that people answered were "
        "drawn at random.",
    ),
    *_saving("difference_ppi", OF_TWO_SYSTEMS, equivalent=(), saved=(Table.POWERED,)),
)
