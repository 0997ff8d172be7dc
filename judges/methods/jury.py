"""A jury: the answers of other judges, made into one."""

import time
from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from judges.backends.contract import Failure, Reply
from judges.methods.contract import Ask, Method, Outcome
from tasktypes.contract import Schema
from tasktypes.registry import TASK_TYPES
from tasktypes.votes import NoConsensus


class Bench(Schema):
    """Who sits on it, each with the version that it had when the jury was defined.

    judges: their names. how: for the kinds of value that know the rule; the others keep their own.
    min_votes: fewer answers are no verdict; all of the judges where it is not given.
    """

    judges: tuple[str, ...] = Field(min_length=1)
    how: Literal["union", "majority", "mean", "median"] | None = None
    min_votes: int | None = Field(default=None, ge=1)


class Jury(Method[Bench]):
    """Hears what other judges have answered and asks nobody itself."""

    name = "jury"
    title = "Jury of judges"
    description = (
        "Makes one answer of those that other judges have given to the same question: by union "
        "or majority of sets, majority of labels, mean or median of numbers. A judge that has "
        "not answered has no vote; who voted, and how, stands with every answer. Run it after "
        "them. A judge's next version makes a next version of the jury."
    )
    serves = TASK_TYPES
    between_points = True
    Parameters = Bench

    @classmethod
    def settled(cls, parameters: Bench) -> Bench:
        if len(set(parameters.judges)) < len(parameters.judges):
            raise ValueError("judges: one is named twice")
        if (parameters.min_votes or 1) > len(parameters.judges):
            raise ValueError("min_votes: more than there are judges")
        return parameters

    @classmethod
    def hearing(cls, parameters: Bench, versioned: Callable[[str], str]) -> Bench:
        judges = tuple(versioned(name) for name in parameters.judges)
        return cls.settled(parameters.model_copy(update={"judges": judges}))

    def heard(self) -> tuple[str, ...]:
        return self.parameters.judges

    def answer(self, ask: Ask) -> Outcome:
        started = time.monotonic()
        names = self.parameters.judges
        votes = [ask.votes[name] for name in names if name in ask.votes]
        missing = [name for name in names if name not in ask.votes]
        said = f"{len(votes)} of {len(names)} voted"
        said += f"; not {', '.join(missing)}" if missing else ""
        reply = Reply(
            text=said,
            detail={
                "votes": {vote.by: vote.answer.model_dump(mode="json") for vote in votes},
                "missing": missing,
            },
            latency_ms=round(1000 * (time.monotonic() - started)),
        )
        if len(votes) < (self.parameters.min_votes or len(names)):
            return Outcome(ask, (reply.failed(Failure.ERROR, said),))
        return self._verdict(ask, reply, [vote.answer for vote in votes])

    def _verdict(self, ask: Ask, reply: Reply, votes: list[Any]) -> Outcome:
        try:
            answer = ask.task_type.combined(ask.payload, votes, how=self.parameters.how)
        except NoConsensus as error:
            return Outcome(ask, (reply.failed(Failure.ERROR, str(error)),))
        return Outcome(ask, (reply,), answer)
