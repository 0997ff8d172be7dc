"""Metrics of judges beside people: correlation, replacement, biases, savings."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table

PEARSON, SPEARMAN, KENDALL_TAU_B = "pearson", "spearman", "kendall_tau_b"
ALT_WINNING_RATE, ALT_GAP = "alt_winning_rate", "alt_gap"
ALT_ADVANTAGE = "alt_advantage_probability"
UNANSWERED = "no_answer_share"
ANSWERED_DIFFERENCE = "answered_difference"
WORTH = "How many sources with human answers alone would give an interval as narrow"
SAVED = "How many more sources that is than people answered"
STRATIFIED = (
    "The same within strata of the judge's scores, weighted by their size. It holds, too, where "
    "people answered sources that the judge scores higher or lower than the others"
)
SAVINGS_NOTE = _(
    "How many sources with human answers alone would give an equally narrow interval, and "
    "how many more that is. Valid if the sources people answered were drawn at random."
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
    ),
    Metric(
        SPEARMAN,
        _("Spearman’s ρ"),
        "numbers; pairs of raters",
        "Spearman's ρ at sample, summary or system level",
        (Table.CORRELATION,),
        "higher",
    ),
    Metric(
        KENDALL_TAU_B,
        _("Kendall’s τ-b"),
        "numbers, orders; pairs of raters",
        "Kendall's τ-b at sample, summary or system level. Of orders within each unit, mean over "
        "units",
        (Table.CORRELATION, Table.EVALUATORS),
        "higher",
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
    ),
    Metric(
        ALT_ADVANTAGE,
        _("Advantage probability"),
        "labels, numbers, sets; a judge with people",
        "Share of units on which the judge is at least as near to the others as the person left "
        "out, mean over people. Ranks judges, whatever ε",
        (Table.REPLACING,),
        "higher",
    ),
    Metric(
        ALT_GAP,
        _("People’s lead over the judge"),
        "labels, numbers, sets; a judge with people",
        "Share of units on which only the person left out is the nearer one minus that on which "
        "only the judge is, mean over people. An interval around ε: too few units to tell",
        (Table.REPLACING,),
        "lower",
    ),
    *(
        Metric(
            f"run_to_run_alpha_{distance}",
            title,
            f"{facets}; judges with replicates",
            "α of a judge's replicates with each other",
            (Table.AGAIN,),
            "higher",
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
    ),
    Metric(
        "ego_centric_difference",
        _("Scores far above people’s: own family minus others"),
        "numbers on a scale with ends, where families are known; a judge with people",
        "That share in the judge's own family minus that in the others. 0: no preference",
        (Table.BIASES,),
    ),
    Metric(
        "length_slope",
        _("Points per 100 words, at equal human scores"),
        "numbers; a judge with people",
        "Points more for a text 100 words longer that people find equally good. 0: no bias",
        (Table.BIASES,),
        note=_("Above 0, the judge favours longer texts more than people do."),
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
    ),
    Metric(
        "position_share",
        _("First text shown preferred"),
        "comparisons, ranks; people together and judges",
        "Share of ordered pairs in which the text shown first is better. 0.5: no bias",
        (Table.BIASES,),
        note=_("Without a position bias, the first text shown is preferred half the time."),
    ),
    Metric(
        "position_consistency",
        _("Same choice in swapped order"),
        "comparisons, ranks; people together and judges",
        "Share of pairs shown in both orders that have the same verdict in both",
        (Table.BIASES,),
        "higher",
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
    ),
    Metric(
        "mean_ppi_stratified",
        _("Prediction-powered mean, by strata"),
        "numbers; a judge with people",
        STRATIFIED,
        (Table.SAVINGS,),
    ),
    Metric(
        "mean_ppi_equivalent",
        _("Equivalent number of human answers"),
        "numbers; a judge with people",
        WORTH,
        (Table.SAVINGS,),
        "higher",
    ),
    Metric(
        "mean_ppi_saved",
        _("Human answers saved"),
        "numbers; a judge with people",
        SAVED,
        (Table.SAVINGS,),
        "higher",
    ),
    Metric(
        "share_ppi",
        _("Prediction-powered share"),
        "two labels; a judge with people",
        "Prediction-powered share of the first label",
        (Table.SAVINGS,),
        note=SAVINGS_NOTE,
        of_label=_("Prediction-powered share of “%(label)s”"),
    ),
    Metric(
        "share_ppi_stratified",
        _("Prediction-powered share, by strata"),
        "two labels; a judge with people",
        STRATIFIED,
        (Table.SAVINGS,),
    ),
    Metric(
        "share_ppi_equivalent",
        _("Equivalent number of human answers"),
        "two labels; a judge with people",
        WORTH,
        (Table.SAVINGS,),
        "higher",
    ),
    Metric(
        "share_ppi_saved",
        _("Human answers saved"),
        "two labels; a judge with people",
        SAVED,
        (Table.SAVINGS,),
        "higher",
    ),
    Metric(
        ANSWERED_DIFFERENCE,
        _("Judge’s mean where people answered, minus elsewhere"),
        "numbers, two labels; a judge with people",
        "The judge's mean over the sources that people answered minus that over the others, with "
        "Welch's interval. Away from 0 they were hardly drawn at random",
        (Table.SAVINGS,),
    ),
    Metric(
        "difference_ppi",
        _("Prediction-powered difference"),
        "numbers, two labels; a judge with people, two systems",
        "Prediction-powered difference, paired by source",
        (Table.POWERED,),
    ),
    Metric(
        "difference_ppi_equivalent",
        _("Equivalent number of human answers"),
        "numbers, two labels; a judge with people, two systems",
        WORTH,
        better="higher",
    ),
    Metric(
        "difference_ppi_saved",
        _("Human answers saved"),
        "numbers, two labels; a judge with people, two systems",
        SAVED,
        (Table.POWERED,),
        "higher",
    ),
)
