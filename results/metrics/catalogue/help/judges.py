"""Help on metrics of judges beside people."""

from django.utils.translation import gettext_lazy as _

from tasktypes.choices import Text

RUN_TO_RUN = _(
    "1: every run gives the same answers; 0: as by chance. A judge that repeats itself may "
    "repeat its errors."
)
HELP_ON_JUDGES: dict[str, Text] = {
    "pearson": _(
        "−1 to 1. Of straight relations; one outlier may make or hide it. It ignores whether "
        "the judge is too mild throughout, and of fewer than eight systems it is mostly "
        "chance."
    ),
    "spearman": _(
        "−1 to 1. Of order alone, so that scales may differ. With many ties, as on five "
        "points, it is hard to compare between judges."
    ),
    "kendall_tau_b": _(
        "−1 to 1. Of order alone, corrected for ties; smaller than Spearman’s ρ of the same "
        "data. A judge with few different scores is favoured."
    ),
    "alt_winning_rate": _(
        "0 to 1. Of few people it takes few values. Where people differ much, a poor judge "
        "passes: read it with the judge’s errors."
    ),
    "alt_advantage_probability": _(
        "0 to 1. Ranks judges; it does not say that one of them may stand in. A tie counts "
        "for both."
    ),
    "alt_gap": _(
        "−1 to 1. Below ε the judge may stand in, above it may not; an interval around ε "
        "leaves it open."
    ),
    "run_to_run_alpha_nominal": RUN_TO_RUN,
    "run_to_run_alpha_ordinal": RUN_TO_RUN,
    "run_to_run_alpha_interval": RUN_TO_RUN,
    "run_to_run_alpha_jaccard": RUN_TO_RUN,
    "run_to_run_agreement": _(
        "0 to 1. Not corrected for chance: high wherever one answer is common."
    ),
    "ego_centric_share": _(
        "0 to 1. Needs people’s mean of several answers: of a single person, chance alone "
        "puts scores far apart."
    ),
    "ego_centric_difference": _(
        "−1 to 1. Systems of the judge’s family may also be worse judged by people for good "
        "reasons; few systems tell little."
    ),
    "length_slope": _(
        "In points of the scale. Length may go with what people’s scores miss: a slope is a "
        "reason to look, not a proof."
    ),
    "no_answer_share": _(
        "0 to 1. Of the units that were asked about; where it differs by system, comparisons "
        "of judges are biased."
    ),
    "position_share": _("0 to 1. Meaningful only where the order of texts was drawn at random."),
    "position_consistency": _(
        "0 to 1. Needs pairs that were shown in both orders; ties in both count as consistent."
    ),
    "mean_ppi": _(
        "On the scale of the facet. Valid only if the sources that people answered were drawn "
        "at random."
    ),
    "mean_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "mean_ppi_saved": _(
        "A number of sources; below 0 the judge widens the interval. Published trials save "
        "about a tenth."
    ),
    "share_ppi": _(
        "0 to 1, or a little beyond. Valid only if the sources that people answered were "
        "drawn at random."
    ),
    "share_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "share_ppi_saved": _("A number of sources; below 0 the judge widens the interval."),
    "answered_difference": _(
        "On the scale of the judge. Around 0 it does not prove that the sources were drawn at "
        "random."
    ),
    "difference_ppi": _(
        "On the scale of the facet. Valid only if the sources that people answered were drawn "
        "at random."
    ),
    "difference_ppi_equivalent": _(
        "A number of sources. Depends on how many people answered: not a property of the judge."
    ),
    "difference_ppi_saved": _("A number of sources; below 0 the judge widens the interval."),
    "limit_low": _(
        "In points of the scale. For differences that do not grow with the score: look at the "
        "scatter first."
    ),
    "limit_high": _(
        "In points of the scale. For differences that do not grow with the score: look at the "
        "scatter first."
    ),
    "equivalence_p": _(
        "0 to 1. Only as good as the margins, which are to be set before the data are seen."
    ),
    "true_positive_rate": _(
        "0 to 1. Alone it favours a judge that says yes to everything: read it with the true "
        "negative rate."
    ),
    "true_negative_rate": _("0 to 1. Where few units fail it rests on few: look at its n."),
    "rate_bias": _(
        "−1 to 1, or points of the scale. 0 also where errors in both directions cancel."
    ),
    "corrected_rate": _(
        "0 to 1. Not where the judge’s rates are near chance, nor where other units are "
        "harder than those people answered."
    ),
    "confusion": _(
        "A number of units. Rates depend on how common each label is: read shares within "
        "people’s label."
    ),
    "agreement_among_people": _(
        "0 to 1. Not corrected for chance; of two people it is what one of them does."
    ),
    "agreement_with_people": _(
        "0 to 1. Not corrected for chance: compare it only with people among themselves."
    ),
    "agreement_gap": _(
        "−1 to 1. Below 0 the judge is nearer to people than they are to each other, as a "
        "judge close to the consensus is; that is no proof of quality."
    ),
    "judge_difference": _(
        "−1 to 1. Only over units that both judges answered: failures of one leave its hard "
        "units out."
    ),
    "judge_difference_p": _("0 to 1. A large p is no proof that two judges are equal."),
    "alt_advantage_difference": _("−1 to 1. Only over units that both judges answered."),
    "slice_difference": _(
        "−1 to 1. Parts may be harder for people as well: compare with people among themselves."
    ),
    "slice_p": _(
        "0 to 1. Of many parts some differ by chance, which Holm’s correction allows for."
    ),
    "judge_likeness": _(
        "Around 0 for a person who does not use the judge. Evidence to be looked into beside other "
        "evidence, never a proof: people and judges may be near each other for good reasons."
    ),
    "judge_likeness_q": _(
        "0 to 1, corrected for all workers. Of many honest workers some are below .05 by chance "
        "before correction; a large q clears nobody."
    ),
    "likeness_to_judge": _(
        "Up to 1; 0: as by chance. High for every good worker beside a good judge: read it beside "
        "the similarity to other people."
    ),
    "likeness_to_people": _(
        "Up to 1; 0: as by chance. Low also for a careful worker among careless ones."
    ),
    "brier_score": _(
        "0 to 1; 0: always right and certain. Depends on how common yes is: not between studies."
    ),
    "calibration_error": _(
        "0 to 1; 0: scores are shares. It depends on the bins, and of few units it is above 0 by "
        "chance. A judge that always says the average is calibrated and useless."
    ),
    "predicted_share": _("0 to 1. Read it beside people’s share in the same bin."),
    "observed_share": _("0 to 1. Of the units in a bin: where these are few it is uncertain."),
    "mean_ppi_stratified": _(
        "Within the ends of the scale. Mends a choice of sources by what the judge sees; not one "
        "by what it does not see. Of few sources in a stratum it is coarse."
    ),
    "share_ppi_stratified": _(
        "0 to 1. Mends a choice of sources by what the judge sees; not one by what it does not "
        "see. Of few sources in a stratum it is coarse."
    ),
}
