"""Agreement between raters, in pure numbers: no Django, no database, no network."""

from .bootstrap.intervals import RESAMPLES, Bootstrap
from .chance_corrected.distances import DISTANCES, Distance
from .chance_corrected.gwet import fleiss_kappa, gwet_ac
from .chance_corrected.kappa import cohen_kappa
from .chance_corrected.krippendorff import alpha
from .chance_corrected.prevalence import PrevalenceAndBias, prevalence_and_bias
from .chance_corrected.raw import raw_agreement
from .chance_corrected.weights import WEIGHTS
from .labels.classification import ClassificationRates, classification_rates
from .labels.ranking_area import ranking_area
from .labels.soft_labels import label_divergence
from .meta_evaluation.permutation import CorrelationDifference, correlation_difference
from .meta_evaluation.system_pairs import pairwise_accuracy
from .meta_evaluation.ties import TiedAccuracy, tie_calibrated_accuracy
from .raters.advantages import advantage_difference
from .raters.alternative import (
    AlternativeAnnotatorTest,
    ComparedAnnotator,
    alternative_annotator_test,
)
from .raters.biases import ego_centric_difference, ego_centric_share, length_slope
from .raters.calibration import Calibration, calibrate
from .raters.carelessness import (
    reading_rate,
    relative_speed,
    resemblance,
    run_p_value,
    shingles,
)
from .raters.closeness import AgreementGap, Closeness, agreement_gap, closeness
from .raters.copies import EqualPair, equal_pairs
from .raters.dawid_skene import DawidSkene, dawid_skene
from .raters.drift import PairedShares, confidence_at_look, excess_change, paired_shares
from .raters.false_discovery import benjamini_hochberg
from .raters.limits import LimitsOfAgreement, limits_of_agreement
from .raters.probabilities import ProbabilityScores, probability_scores
from .raters.quality import agreement_with_others, straight_lining
from .raters.rates import YesNoRates, corrected_rate, yes_no_rates
from .raters.severity import severity
from .raters.similarity import JudgeSimilarity, judge_similarity
from .raters.uncertainty import posterior_uncertainty
from .reliability.decision_study import decision_study, mean_of_raters
from .reliability.intraclass import Reliability, reliability
from .scores.audits import audited_error
from .scores.best_worst import BestWorst, best_worst
from .scores.consensus import CONSENSUS, DEFAULT_CONSENSUS, consensus, fold_outside
from .scores.contrasts import Contrast, contrast
from .scores.entropy import choice_entropy
from .scores.equivalence import equivalence_p
from .scores.means import mean_by
from .scores.monotone import MonotoneCurve, monotone_curve
from .scores.prediction_powered import (
    PredictionPowered,
    ppi_difference,
    ppi_mean,
    ppi_proportion,
)
from .scores.quantiles import quantile_by
from .scores.selection import ppi_selection
from .scores.set_scores import (
    SetScoreArrays,
    SetScores,
    best_chain_scores,
    best_chain_scores_each,
    set_scores,
    set_scores_each,
)
from .scores.stratified import ppi_stratified
from .scores.verified import VerifiedRates, verified_rates
from .scores.z_scores import z_scores
from .systems.allocation import (
    Allocation,
    Allocations,
    allocations,
    allocations_from,
    source_correlation,
)
from .systems.bradley_terry import BradleyTerry, bradley_terry
from .systems.clusters import Place, significance_clusters
from .systems.coefficients import CORRELATIONS
from .systems.concordance import kendall_w
from .systems.correlation import LEVELS, correlation, order_tau
from .systems.detectable import (
    RaterPart,
    detectable_difference,
    raters_for_difference,
    sources_for_difference,
    sources_for_replacement,
)
from .systems.differences import SystemDifference, system_differences
from .systems.effect_sizes import EffectSizes, effect_sizes, superiority_of
from .systems.friedman import FriedmanTest, critical_difference, friedman
from .systems.min_f import MinF, min_f
from .systems.power import Pilot, interval_width, pilot_from, pilot_with, units_needed
from .systems.ranks import TIES, MeanRanks, mean_ranks, rank_within
from .systems.reproduction import cv_star
from .systems.signed_rank import holm, wilcoxon_signed_rank
from .systems.unpaired import UnpairedComparison, unpaired_comparison
from .values.coding import Coded
from .values.estimate import Estimate

__all__ = [
    "CONSENSUS",
    "CORRELATIONS",
    "DEFAULT_CONSENSUS",
    "DISTANCES",
    "LEVELS",
    "RESAMPLES",
    "TIES",
    "WEIGHTS",
    "AgreementGap",
    "Allocation",
    "Allocations",
    "AlternativeAnnotatorTest",
    "BestWorst",
    "Bootstrap",
    "BradleyTerry",
    "Calibration",
    "ClassificationRates",
    "Closeness",
    "Coded",
    "ComparedAnnotator",
    "Contrast",
    "CorrelationDifference",
    "DawidSkene",
    "Distance",
    "EffectSizes",
    "EqualPair",
    "Estimate",
    "FriedmanTest",
    "JudgeSimilarity",
    "LimitsOfAgreement",
    "MeanRanks",
    "MinF",
    "MonotoneCurve",
    "PairedShares",
    "Pilot",
    "Place",
    "PredictionPowered",
    "PrevalenceAndBias",
    "ProbabilityScores",
    "RaterPart",
    "Reliability",
    "SetScoreArrays",
    "SetScores",
    "SystemDifference",
    "TiedAccuracy",
    "UnpairedComparison",
    "VerifiedRates",
    "YesNoRates",
    "advantage_difference",
    "agreement_gap",
    "agreement_with_others",
    "allocations",
    "allocations_from",
    "alpha",
    "alternative_annotator_test",
    "audited_error",
    "benjamini_hochberg",
    "best_chain_scores",
    "best_chain_scores_each",
    "best_worst",
    "bradley_terry",
    "calibrate",
    "choice_entropy",
    "classification_rates",
    "closeness",
    "cohen_kappa",
    "confidence_at_look",
    "consensus",
    "contrast",
    "corrected_rate",
    "correlation",
    "correlation_difference",
    "critical_difference",
    "cv_star",
    "dawid_skene",
    "decision_study",
    "detectable_difference",
    "effect_sizes",
    "ego_centric_difference",
    "ego_centric_share",
    "equal_pairs",
    "equivalence_p",
    "excess_change",
    "fleiss_kappa",
    "fold_outside",
    "friedman",
    "gwet_ac",
    "holm",
    "interval_width",
    "judge_similarity",
    "kendall_w",
    "label_divergence",
    "length_slope",
    "limits_of_agreement",
    "mean_by",
    "mean_of_raters",
    "mean_ranks",
    "min_f",
    "monotone_curve",
    "order_tau",
    "paired_shares",
    "pairwise_accuracy",
    "pilot_from",
    "pilot_with",
    "posterior_uncertainty",
    "ppi_difference",
    "ppi_mean",
    "ppi_proportion",
    "ppi_selection",
    "ppi_stratified",
    "prevalence_and_bias",
    "probability_scores",
    "quantile_by",
    "rank_within",
    "ranking_area",
    "raters_for_difference",
    "raw_agreement",
    "reading_rate",
    "relative_speed",
    "reliability",
    "resemblance",
    "run_p_value",
    "set_scores",
    "set_scores_each",
    "severity",
    "shingles",
    "significance_clusters",
    "source_correlation",
    "sources_for_difference",
    "sources_for_replacement",
    "straight_lining",
    "superiority_of",
    "system_differences",
    "tie_calibrated_accuracy",
    "units_needed",
    "unpaired_comparison",
    "verified_rates",
    "wilcoxon_signed_rank",
    "yes_no_rates",
    "z_scores",
]
