"""From letters, which are shown, to the items of the unit, which are stored; and back."""

from collections.abc import Mapping

from tasktypes.machines.replies import ReplyError
from tasktypes.ranking.schema import Answer, Payload, Reply


def answer_of(reply: Reply, payload: Payload) -> Answer:
    """The ranks of a reply in the order of the unit's items; ReplyError where one is missing."""
    return Answer(ranks={key: _by_item(key, ranks, payload) for key, ranks in reply.ranks.items()})


def letters_of(answer: Answer, payload: Payload) -> Reply:
    """The reverse of `answer_of`."""
    return Reply(
        ranks={
            key: {c.letter: answer.ranks[key][c.item] for c in payload.candidates}
            for key in payload.keys
        }
    )


def _by_item(key: str, ranks: Mapping[str, int], payload: Payload) -> tuple[int, ...]:
    letters = {candidate.item: candidate.letter for candidate in payload.candidates}
    for letter in ranks:
        if letter not in letters.values():
            raise ReplyError(f"ranks.{key}.{letter}: there is no such text in this question")
    for letter in letters.values():
        if letter not in ranks:
            raise ReplyError(f"ranks.{key}.{letter}: missing")
    return tuple(ranks[letters[item]] for item in range(len(letters)))
