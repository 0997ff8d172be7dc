"""A jury: one answer from the answers of other judges."""

import time
from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from judges.backends.contract import Failure, Reply
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method
from tasktypes.machines.needs import Need
from tasktypes.machines.votes import NoConsensus
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema


class JuryParameters(Schema):
    """The members of the jury, each with the version that it had when the jury was defined."""

    judges: tuple[str, ...] = Field(min_length=1, max_length=100)
    """Their names."""
    how: Literal["union", "majority", "mean", "median"] | None = None
    """The rule for the kinds of value that it fits; others keep their own."""
    min_votes: int | None = Field(default=None, ge=1, le=100)
    """With fewer answers there is none; all of the judges where it is not set."""


class Jury(Method[JuryParameters]):
    """Combines what other judges have answered; it makes no calls itself."""

    name = "jury"
    title = "Jury of judges"
    description = (
        "Makes one answer of the answers of other judges to the same question: by union "
        "or majority of sets, majority of labels, mean or median of numbers. A judge that has "
        "not answered has no vote; every answer records who voted, and how. Run it after "
        "them. A new version of a judge makes a new version of the jury."
    )
    serves = TASK_TYPES
    between_points = True
    opens_model = False
    Parameters = JuryParameters

    @classmethod
    def resolve_parameters(cls, parameters: JuryParameters) -> JuryParameters:
        if len(set(parameters.judges)) < len(parameters.judges):
            raise ValueError("judges: a judge is named twice")
        if (parameters.min_votes or 1) > len(parameters.judges):
            raise ValueError("min_votes: more than there are judges")
        return parameters

    @classmethod
    def with_pinned_voters(
        cls, parameters: JuryParameters, versioned: Callable[[str], str]
    ) -> JuryParameters:
        judges = tuple(versioned(name) for name in parameters.judges)
        return cls.resolve_parameters(parameters.model_copy(update={"judges": judges}))

    def needs(self, ask: Ask) -> frozenset[Need]:
        """Votes alone: imported answers have some where the file holds no texts."""
        return frozenset()

    def voters(self) -> tuple[str, ...]:
        return self.parameters.judges

    @property
    def votes_needed(self) -> int:
        return self.parameters.min_votes or len(self.parameters.judges)

    def answer(self, ask: Ask) -> AskOutcome:
        started = time.monotonic()
        names = self.parameters.judges
        votes = [ask.votes[name] for name in names if name in ask.votes]
        missing = [name for name in names if name not in ask.votes]
        summary = f"{len(votes)} of {len(names)} voted"
        summary += f"; not {', '.join(missing)}" if missing else ""
        reply = Reply(
            text=summary,
            detail={
                "votes": {vote.by: vote.answer.model_dump(mode="json") for vote in votes},
                "missing": missing,
            },
            latency_ms=round(1000 * (time.monotonic() - started)),
        )
        if len(votes) < self.votes_needed:
            return AskOutcome(ask, (reply.failed(Failure.ERROR, summary),))
        return self._combined(ask, reply, [vote.answer for vote in votes])

    def _combined(self, ask: Ask, reply: Reply, votes: list[Any]) -> AskOutcome:
        try:
            answer = ask.task_type.combined(ask.payload, votes, how=self.parameters.how)
        except NoConsensus as error:
            return AskOutcome(ask, (reply.failed(Failure.ERROR, str(error)),))
        return AskOutcome(ask, (reply,), answer)
