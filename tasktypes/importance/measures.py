"""What is measured of a response by the importance of its claims, as figures name it."""

from django.utils.translation import gettext_lazy

from tasktypes.measures import Measure

_NO_CLAIM = "no claim, or one was not verified"
_NO_VITAL = "no vital claim, or one was not verified"
_NO_ORDER = "no order, one claim alone, or one was not verified"
_NO_NUGGET = "no nuggets, or one was not judged"
_NO_VITAL_NUGGET = "no vital nuggets, or one was not judged"
MEASURES = (
    Measure(
        "claim_precision",
        gettext_lazy("Claim precision"),
        "Share of all claims that are supported, whatever their labels: all claims count alike",
        _NO_CLAIM,
    ),
    Measure(
        "vital_precision",
        gettext_lazy("Vital precision"),
        "Share of the vital claims that are supported. Population sd. 0, not undefined, with "
        "`as_published`",
        _NO_VITAL,
    ),
    Measure(
        "okay_precision",
        gettext_lazy("Okay precision"),
        "Share of the okay claims that are supported",
        "no okay claim, or one was not verified",
    ),
    Measure(
        "less_important_precision",
        gettext_lazy("Less important precision"),
        "Share of the less important claims that are supported",
        "no less important claim, or one was not verified",
    ),
    Measure(
        "weighted_precision",
        gettext_lazy("Weighted precision"),
        "Weights of the supported claims over those of all labelled claims",
        "no labelled claim, or one was not verified",
    ),
    Measure(
        "linear_decay",
        gettext_lazy("Linear decay"),
        "Weights (n − i)/i of the supported claims over those of all; i: place in the order of n",
        _NO_ORDER,
    ),
    Measure(
        "linear_decay_top5",
        gettext_lazy("Linear decay, first five"),
        "Linear decay over the first five claims of the order",
        _NO_ORDER,
    ),
    Measure(
        "claim_unsupported",
        gettext_lazy("Claim unsupported"),
        "Share of responses with an unsupported claim, whatever its label: RLP where all claims "
        "count alike",
        _NO_CLAIM,
        better="lower",
        flag=True,
    ),
    Measure(
        "vital_unsupported",
        gettext_lazy("Vital claim unsupported"),
        "Share of responses with an unsupported vital claim (RLP)",
        _NO_VITAL,
        better="lower",
        flag=True,
    ),
    Measure(
        "nugget_missing",
        gettext_lazy("Nugget missing"),
        "Share of responses that miss a nugget, vital or not: RLR where all nuggets count alike",
        _NO_NUGGET,
        better="lower",
        flag=True,
    ),
    Measure(
        "vital_missing",
        gettext_lazy("Vital nugget missing"),
        "Share of responses that miss a vital nugget (RLR)",
        _NO_VITAL_NUGGET,
        better="lower",
        flag=True,
    ),
    Measure(
        "nugget_recall",
        gettext_lazy("Nugget recall"),
        "Share of the nuggets that the response holds; partly counts 0",
        _NO_NUGGET,
    ),
    Measure(
        "vital_nugget_recall",
        gettext_lazy("Vital nugget recall"),
        "Share of the vital nuggets that the response holds; partly counts 0",
        _NO_VITAL_NUGGET,
    ),
    Measure(
        "weighted_recall",
        gettext_lazy("Weighted recall"),
        "Weights of the nuggets held over those of all; partly counts half",
        _NO_NUGGET,
    ),
)
