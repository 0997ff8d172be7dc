"""The score of an explanation for people who want to act on it, from the rubric filled in.

Following "FinGrAct: A Framework for FINe-GRrained Evaluation of ACTionability in Explainable
Automatic Fact-Checking" (arXiv 2504.05229): three parts of 0 to 2 points each, stretched to 0–5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext_lazy

from tasktypes.actionability.schema import Answer, LinkAnswer, LinkScore
from tasktypes.measures import Measure

BEST = 5.0
_NO_ERRORS = "the claim has no listed error"
MEASURES = (
    Measure(
        "fingract_score",
        gettext_lazy("FinGrAct score"),
        "Score of an explanation, 0 to 5. Population sd",
        _NO_ERRORS,
    ),
    Measure(
        "fingract_errors",
        gettext_lazy("Errors pointed out, 0–2"),
        "The part of the score for errors pointed out",
        _NO_ERRORS,
    ),
    Measure(
        "fingract_corrections",
        gettext_lazy("Corrections given, 0–2"),
        "The part of the score for corrections",
        _NO_ERRORS,
    ),
    Measure(
        "fingract_links",
        gettext_lazy("Links, 0–2"),
        "The part of the score for links, where it counts 0 without links",
        "the explanation gives no link",
    ),
)


@dataclass(frozen=True)
class Score:
    """The parts of a score, each from 0 to 2, and the score they make.

    value: 0 to 5, or None where the claim has no listed error: there was nothing to point out.
    has_links: False where the explanation gives no link, so that `links` is 0 for want of any.
    """

    errors: int | None
    corrections: int | None
    links: float
    has_links: bool

    @property
    def value(self) -> float | None:
        """(errors + corrections + links) · 5/6."""
        if self.errors is None or self.corrections is None:
            return None
        return (self.errors + self.corrections + self.links) * 5 / 6

    @property
    def measures(self) -> dict[str, float | None]:
        """The score and its parts by name. The part of links is 0 in the score where there are
        none, and undefined by itself."""
        return {
            "fingract_score": self.value,
            "fingract_errors": None if self.errors is None else float(self.errors),
            "fingract_corrections": None if self.corrections is None else float(self.corrections),
            "fingract_links": self.links if self.has_links else None,
        }


def score(answer: Answer, *, link_score: LinkScore) -> Score:
    """The score that a rubric amounts to.

    link_score: "tiers" counts all the yes answers about links, of three per link: none 0,
    some 1, all 2. "weighted" is the reading of a summary of the paper, exists + relevant/2 +
    supports/2, with the share of links for each.
    """
    return Score(
        errors=tier([error.points_out for error in answer.errors]),
        corrections=tier([error.corrects for error in answer.errors]),
        links=_links(answer.links, link_score),
        has_links=bool(answer.links),
    )


def tier(answers: Sequence[bool]) -> int | None:
    """0 where none of the answers is yes, 2 where all are, 1 between; None without answers."""
    if not answers:
        return None
    return 2 if all(answers) else int(any(answers))


def _links(links: Sequence[LinkAnswer], link_score: LinkScore) -> float:
    if not links:
        return 0.0
    if link_score == "weighted":
        halves = sum(2 * link.exists + link.relevant + link.supports for link in links)
        return float(Fraction(halves, 2 * len(links)))
    every = [yes for link in links for yes in (link.exists, link.relevant, link.supports)]
    return float(tier(every) or 0)
