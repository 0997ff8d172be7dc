"""What a ranking question and its answer consist of."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tasktypes.pages.candidates import Candidate, Seed, check_candidates
from tasktypes.pages.criteria import Criterion, CriterionKey, check_distinct
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import EVERYTHING, Parts, Surroundings

Rank = Annotated[int, Field(strict=True)]
Criteria = Annotated[tuple[Criterion, ...], Field(min_length=1)]

OVERALL = Criterion(
    key="overall",
    question="Which explanation is the best overall?",
    definition="Weigh everything that makes an explanation of the verdict good.",
)


class Options(Schema):
    """What a study may set."""

    criteria: Criteria = (OVERALL,)
    """One, `overall`, or the study's own."""
    verdicts: dict[str, str] = {}
    """What each verdict means."""
    numbering: Literal["competition", "as_entered"] = "competition"
    """What ratings hold, ranks renumbered as in a competition or as they were entered."""
    shows: Parts = EVERYTHING
    """The parts of the source to show."""
    seed: Seed = 0
    """Of the order of the candidates where a unit stores none."""

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        return self


class Payload(Surroundings):
    """The candidates in the order shown, and what to rank them by."""

    criteria: Criteria
    verdicts: dict[str, str]
    numbering: Literal["competition", "as_entered"]
    candidates: Annotated[tuple[Candidate, ...], Field(min_length=2)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        check_candidates(self.candidates)
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(criterion.key for criterion in self.criteria)

    @property
    def verdict_means(self) -> str:
        """The definition of the source's verdict, where the study gives one."""
        return self.verdicts.get(self.verdict, "")


class Answer(Schema):
    """Ranks as they were entered, 1 the best: one per item, in the order of the unit's items."""

    ranks: dict[CriterionKey, tuple[Rank, ...]]


class Reply(Schema):
    """Ranks as a machine gives them: by the letters under which it was shown the candidates."""

    ranks: dict[CriterionKey, dict[str, Rank]]
