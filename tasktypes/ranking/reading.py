"""From letters, which are what is shown, to the items of the unit, which are what is stored."""

from collections.abc import Mapping

from tasktypes.contract import ReplyError
from tasktypes.ranking.schema import Answer, Payload, Reply


def answer_of(reply: Reply, payload: Payload) -> Answer:
    """The ranks of a reply in the order of the unit's items; ReplyError where one is missing."""
    return Answer(ranks={key: _by_item(key, given, payload) for key, given in reply.ranks.items()})


def _by_item(key: str, given: Mapping[str, int], payload: Payload) -> tuple[int, ...]:
    letters = {one.item: one.letter for one in payload.candidates}
    for letter in given:
        if letter not in letters.values():
            raise ReplyError(f"ranks.{key}.{letter}: there is no such text in this question")
    for letter in letters.values():
        if letter not in given:
            raise ReplyError(f"ranks.{key}.{letter}: missing")
    return tuple(given[letters[item]] for item in range(len(letters)))
