"""Agreement between raters, in pure numbers: no Django, no database, no network."""

from agreement.alternative import (
    AlternativeAnnotatorTest,
    ComparedAnnotator,
    alternative_annotator_test,
)
from agreement.biases import ego_centric_difference, ego_centric_share, length_slope
from agreement.calibration import Calibration, calibrate
from agreement.chance import fleiss_kappa, gwet_ac
from agreement.coding import Coded
from agreement.coefficients import CORRELATIONS
from agreement.consensus import CONSENSUS, DEFAULT_CONSENSUS, consensus, fold_outside
from agreement.correlation import LEVELS, correlation, order_tau
from agreement.dawidskene import DawidSkene, dawid_skene
from agreement.distances import DISTANCES, Distance
from agreement.entropy import choice_entropy
from agreement.estimate import Estimate
from agreement.friedman import FriedmanTest, critical_difference, friedman
from agreement.intervals import RESAMPLES, Bootstrap
from agreement.kappa import cohen_kappa
from agreement.krippendorff import alpha
from agreement.means import mean_by
from agreement.power import Pilot, interval_width, pilot_from, units_needed
from agreement.predictionpowered import (
    PredictionPowered,
    ppi_difference,
    ppi_mean,
    ppi_proportion,
)
from agreement.quantiles import quantile_by
from agreement.ranks import TIES, MeanRanks, kendall_w, mean_ranks, rank_within
from agreement.raw import raw_agreement
from agreement.reproduction import cv_star
from agreement.setscores import (
    SetScoreArrays,
    SetScores,
    best_chain_scores,
    best_chain_scores_each,
    set_scores,
    set_scores_each,
)
from agreement.signedrank import holm, wilcoxon_signed_rank
from agreement.standardise import z_scores
from agreement.weights import WEIGHTS
from agreement.workers import agreement_with_others, straight_lining

__all__ = [
    "CONSENSUS",
    "CORRELATIONS",
    "DEFAULT_CONSENSUS",
    "DISTANCES",
    "LEVELS",
    "RESAMPLES",
    "TIES",
    "WEIGHTS",
    "AlternativeAnnotatorTest",
    "Bootstrap",
    "Calibration",
    "Coded",
    "ComparedAnnotator",
    "DawidSkene",
    "Distance",
    "Estimate",
    "FriedmanTest",
    "MeanRanks",
    "Pilot",
    "PredictionPowered",
    "SetScoreArrays",
    "SetScores",
    "agreement_with_others",
    "alpha",
    "alternative_annotator_test",
    "best_chain_scores",
    "best_chain_scores_each",
    "calibrate",
    "choice_entropy",
    "cohen_kappa",
    "consensus",
    "correlation",
    "critical_difference",
    "cv_star",
    "dawid_skene",
    "ego_centric_difference",
    "ego_centric_share",
    "fleiss_kappa",
    "fold_outside",
    "friedman",
    "gwet_ac",
    "holm",
    "interval_width",
    "kendall_w",
    "length_slope",
    "mean_by",
    "mean_ranks",
    "order_tau",
    "pilot_from",
    "ppi_difference",
    "ppi_mean",
    "ppi_proportion",
    "quantile_by",
    "rank_within",
    "raw_agreement",
    "set_scores",
    "set_scores_each",
    "straight_lining",
    "units_needed",
    "wilcoxon_signed_rank",
    "z_scores",
]
