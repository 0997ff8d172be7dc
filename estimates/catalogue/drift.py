"""Metrics of a judge that is asked the same questions again after a while."""

from django.utils.translation import gettext_lazy as _

from estimates.catalogue.metric import Metric, Table
from judges.probes.drift import ACCURACY, ACCURACY_P, CHANGE, MEAN

AT_A_LOOK = _(
    "The intervals of one asking hold together with all earlier and later ones: the more askings, "
    "the wider they are."
)

DRIFT = (
    Metric(
        CHANGE,
        _("Answers changed, beyond those that differ at once"),
        "all; a judge with a probe set",
        "Share of the answers to a probe set that differ from the first ones at the newest asking, "
        "minus the share that differed at once. 0: no drift",
        (Table.DRIFT,),
        "lower",
        note=AT_A_LOOK,
        help="−1 to 1. Of continuous scores nearly all answers may differ at once, so that no "
        "more can change: read the mean difference there.",
    ),
    Metric(
        MEAN,
        _("Mean difference: newest minus first asking"),
        "ordered labels, numbers; a judge with a probe set",
        "Mean of the newest answers to a probe set minus the first; of ordered labels in steps, "
        "upwards",
        (Table.DRIFT,),
        help="In points of the scale, or steps of the labels. 0 where answers change as often up "
        "as down: it tells the direction of a drift and misses one without.",
    ),
    Metric(
        ACCURACY,
        _("Right answers: newest minus first asking"),
        "all with right answers; a judge with a probe set",
        "Share of the probe set's questions that are answered right at the newest asking, minus "
        "the share at the first. Right: as adjudicated, else as the reference",
        (Table.DRIFT,),
        "higher",
        help="−1 to 1, over the questions of the block with a gold answer or a reference. Where "
        "few have one, a change is easily missed.",
    ),
    Metric(
        ACCURACY_P,
        _("p of no change in right answers"),
        "all with right answers; a judge with a probe set",
        "McNemar's exact test of the same questions at both askings; not corrected for looks",
        (Table.DRIFT,),
        kind="p",
        help="0 to 1, of one asking alone: after many askings a small one is to be expected. Of "
        "a drift it has to be as small as the error of the interval, which is corrected.",
    ),
)
