"""How well a response holds up when its claims do not all count alike.

Following "All Claims Are Equal, but Some Claims Are More Equal Than Others: Importance-Sensitive
Factuality Evaluation of LLM Generations" (arXiv 2510.07083). Undefined is None. `as_published`
takes the published files' conventions instead: 0 where there is nothing to divide by, and a
claim that nobody verified counts as unsupported.
"""

from collections.abc import Mapping, Sequence

from tasktypes.importance.schema import Answer, ClaimAnswer, Label, NuggetAnswer, WeightsName
from tasktypes.texts.material import Nugget

Weights = Mapping[Label, float]
WEIGHTS: Mapping[WeightsName, Weights] = {
    "default": {"vital": 1.0, "okay": 0.5, "less-important": 0.1},
    # What the published files of scores were computed with.
    "published": {"vital": 0.5, "okay": 0.3, "less-important": 0.2},
}
# What a nugget that is partly there counts for, where it counts at all.
PARTLY = 0.5


def scores(
    answer: Answer,
    nuggets: Sequence[Nugget] = (),
    *,
    weights: WeightsName = "default",
    as_published: bool = False,
) -> dict[str, float | None]:
    """Every score of a response by name, from 0 to 1; None where it is undefined.

    nuggets: the source's, in the order in which the answer numbers them.
    """
    return {
        "claim_precision": precision(answer, as_published=as_published),
        "vital_precision": precision(answer, "vital", as_published=as_published),
        "okay_precision": precision(answer, "okay", as_published=as_published),
        "less_important_precision": precision(answer, "less-important", as_published=as_published),
        "weighted_precision": weighted_precision(
            answer, WEIGHTS[weights], as_published=as_published
        ),
        "linear_decay": linear_decay(answer, as_published=as_published),
        "linear_decay_top5": linear_decay(answer, top=5, as_published=as_published),
        "claim_unsupported": _number(unsupported(answer, as_published=as_published)),
        "vital_unsupported": _number(unsupported(answer, "vital", as_published=as_published)),
        "nugget_missing": _number(missing(answer.nuggets, nuggets)),
        "vital_missing": _number(missing(answer.nuggets, nuggets, only_vital=True)),
        "nugget_recall": nugget_recall(answer.nuggets, nuggets),
        "vital_nugget_recall": nugget_recall(answer.nuggets, nuggets, only_vital=True),
        "weighted_recall": weighted_recall(answer.nuggets, nuggets, WEIGHTS[weights]),
    }


def precision(
    answer: Answer, label: Label | None = None, *, as_published: bool = False
) -> float | None:
    """The share of the claims with a label that are supported (published: vital precision);
    without a label, of all claims, also of those that nobody labelled (FActScore).

    None without such a claim, and where one of them was not verified.
    """
    supported = _supported(_labelled(answer, label), as_published=as_published)
    if supported is None:
        return None
    return _ratio(sum(supported), len(supported), as_published=as_published)


def weighted_precision(
    answer: Answer, weights: Weights = WEIGHTS["default"], *, as_published: bool = False
) -> float | None:
    """Σ w·s / Σ w over the labelled claims: w the weight of its label, s 1 where supported.

    None where no labelled claim has a weight, and where one was not verified.
    """
    labelled = [
        (claim, claim.importance) for claim in answer.claims if claim.importance is not None
    ]
    supported = _supported([claim for claim, _ in labelled], as_published=as_published)
    if supported is None:
        return None
    weight = [weights[label] for _, label in labelled]
    held = sum(w for w, s in zip(weight, supported, strict=True) if s)
    return _ratio(held, sum(weight), as_published=as_published)


def linear_decay(
    answer: Answer, *, top: int | None = None, as_published: bool = False
) -> float | None:
    """Σ w_i·s_i / Σ w_i over the order, most important first, with w_i = (n - i)/i, i = 1..n.

    top: only so many of the first claims, which are then the n. The last one weighs nothing, so
    the score is undefined for one claim alone; also without an order, or where a claim was not
    verified.
    """
    if answer.order is None:
        return None
    claims = {claim.claim: claim for claim in answer.claims}
    supported = _supported([claims[i] for i in answer.order[:top]], as_published=as_published)
    if supported is None:
        return None
    n = len(supported)
    weight = [(n - i) / i for i in range(1, n + 1)]
    held = sum(w for w, s in zip(weight, supported, strict=True) if s)
    return _ratio(held, sum(weight), as_published=as_published)


def unsupported(
    answer: Answer, label: Label | None = None, *, as_published: bool = False
) -> bool | None:
    """Whether a claim with a label is unsupported (published: RLP, of vital claims); without a
    label, any claim.

    None without such a claim (published: no), and where only an unverified one could be it.
    """
    claims = _labelled(answer, label)
    if any(claim.support == "unsupported" for claim in claims):
        return True
    supported = _supported(claims, as_published=as_published)
    if supported is None or not (claims or as_published):
        return None
    return not all(supported)


def missing(
    answers: Sequence[NuggetAnswer], nuggets: Sequence[Nugget], *, only_vital: bool = False
) -> bool | None:
    """Whether a nugget is missing (published: RLR, of vital ones). One that is partly there is
    not.

    None without nuggets (with `only_vital`, vital ones), and where one was not judged.
    """
    per_nugget = _nugget_scores(answers, nuggets, partly=PARTLY)
    counted = [score for score, vital in per_nugget or () if vital or not only_vital]
    return any(score == 0 for score in counted) if counted else None


def nugget_recall(
    answers: Sequence[NuggetAnswer], nuggets: Sequence[Nugget], *, only_vital: bool = False
) -> float | None:
    """The share of the nuggets that the response holds, strictly: partly counts as 0.

    None without nuggets (with `only_vital`, vital ones), and where one was not judged.
    """
    per_nugget = _nugget_scores(answers, nuggets, partly=0.0)
    counted = [score for score, vital in per_nugget or () if vital or not only_vital]
    return sum(counted) / len(counted) if counted else None


def weighted_recall(
    answers: Sequence[NuggetAnswer],
    nuggets: Sequence[Nugget],
    weights: Weights = WEIGHTS["default"],
    *,
    partly: float = PARTLY,
) -> float | None:
    """(w_v·s_v + w_o·s_o) / (w_v·n_v + w_o·n_o): v the vital nuggets, o the others (okay).

    partly: what a nugget that is partly there adds to s. None without nuggets, and where one
    was not judged.
    """
    per_nugget = _nugget_scores(answers, nuggets, partly=partly)
    if not per_nugget:
        return None
    weight = [weights["vital" if vital else "okay"] for _, vital in per_nugget]
    held = sum(w * score for w, (score, _) in zip(weight, per_nugget, strict=True))
    return held / sum(weight)


def _labelled(answer: Answer, label: Label | None) -> list[ClaimAnswer]:
    return [claim for claim in answer.claims if label in (None, claim.importance)]


def _supported(claims: Sequence[ClaimAnswer], *, as_published: bool) -> list[bool] | None:
    """Whether each claim is supported; None where that is not known of every one."""
    if not as_published and any(claim.support is None for claim in claims):
        return None
    return [claim.support == "supported" for claim in claims]


def _ratio(part: float, whole: float, *, as_published: bool) -> float | None:
    if whole == 0:
        return 0.0 if as_published else None
    return part / whole


def _nugget_scores(
    answers: Sequence[NuggetAnswer], nuggets: Sequence[Nugget], *, partly: float
) -> list[tuple[float, bool]] | None:
    """Per nugget how far it is there, and whether it is vital; None where one is not judged."""
    worth = {"supported": 1.0, "partly": partly, "not": 0.0}
    judged = {answer.nugget: worth[answer.support] for answer in answers}
    if judged.keys() != set(range(len(nuggets))):
        return None
    return [(judged[i], nugget.vital) for i, nugget in enumerate(nuggets)]


def _number(flag: bool | None) -> float | None:
    return None if flag is None else float(flag)
