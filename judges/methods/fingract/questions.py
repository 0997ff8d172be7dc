"""The question of the rubric that a question stands for."""

from judges.methods.asks import Ask
from tasktypes.actionability.links import links_in
from tasktypes.actionability.schema import Options, Payload, is_link
from tasktypes.machines.scores import InScores


def rubric_of(ask: Ask) -> Payload:
    """The question as one of the rubric: itself, or one without listed errors about the text that
    is to be scored. ValueError where it asks about several texts, or shows no claim."""
    if not isinstance(ask.task_type, InScores):
        payload: Payload = ask.payload
        return payload
    scorings = ask.task_type.scorings(ask.payload)
    if len(scorings) != 1:
        raise ValueError("it scores one whole text at a time")
    (scoring,) = scorings
    if not scoring.surroundings.claim:
        raise ValueError("the question shows no claim whose errors could be found")
    return Payload(
        **scoring.surroundings.model_dump(),
        sentences=scoring.sentences,
        spaces=scoring.spaces,
        errors=(),
        links=tuple(filter(is_link, links_in(scoring.sentences))),
        link_score=Options().link_score,
    )
