"""Several rubrics filled in become one: each yes or no by the majority."""

from collections.abc import Sequence

from tasktypes.actionability.schema import Answer, ErrorAnswer, LinkAnswer
from tasktypes.machines.votes import together


def combined(answers: Sequence[Answer], how: str | None) -> Answer:
    """The rubric of the majority. NoConsensus where a question is tied."""
    errors = [
        ErrorAnswer(error=number, **_agreed(row, ("points_out", "corrects"), how))
        for number, row in enumerate(zip(*(answer.errors for answer in answers), strict=True))
    ]
    links = [
        LinkAnswer(link=number, **_agreed(row, ("exists", "relevant", "supports"), how))
        for number, row in enumerate(zip(*(answer.links for answer in answers), strict=True))
    ]
    return Answer(errors=tuple(errors), links=tuple(links))


def _agreed(
    row: Sequence[ErrorAnswer | LinkAnswer], names: Sequence[str], how: str | None
) -> dict[str, bool]:
    return {
        name: together([getattr(answer, name) for answer in row], kind="label", how=how, where=name)
        for name in names
    }
