"""What the methods that talk with a chat model share: a talk for each answer, many at a time."""

import json
import sys
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TypeVar

from judges.backends.contract import Chat
from judges.backends.endpoints import FREE, BadEndpoint, Price, endpoint
from judges.backends.opening import CHAT, CHATS, open_chat, settled_replies
from judges.methods.contract import Ask, Cost, Later, Method, Outcome
from judges.methods.conversation.event_loop import RemoteCache, Room
from judges.methods.conversation.parameters import ChatParameters, Step, tokens_in
from judges.methods.conversation.preview import as_text, first_request
from judges.methods.conversation.talk import NoAnswer, Said, Talk
from tasktypes.contract import Schema

__all__ = ["ChatMethod", "ChatParameters", "NoAnswer", "Said", "Step", "Talk"]

C = TypeVar("C", bound=ChatParameters)


class ChatMethod(Method[C]):
    """A method that talks with a chat model: `judge` holds one talk."""

    backends = CHATS
    answers_per_chunk = 1000
    at_once = 32
    files = ("replies",)

    def __init__(self, parameters: C, *, model: str = "", backend: str = "") -> None:
        super().__init__(parameters, model=model, backend=backend or CHATS[0])
        if self.backend == CHAT and not model:
            raise ValueError("model: which model is to be asked is not named")
        if self.backend == CHAT:
            self._check_endpoint()

    def _check_endpoint(self) -> None:
        try:
            chosen = endpoint(self.parameters.endpoint)
        except BadEndpoint as error:
            raise ValueError(f"parameters.{error}") from error
        if self.parameters.route == "batch" and not chosen.batch:
            name = self.parameters.endpoint
            raise ValueError(f"parameters.route: endpoint {name} is configured without batches")
        if self.parameters.route == "batch" and not self.parameters.cached:
            raise ValueError("parameters.cached: the replies of batches have to be kept")

    @classmethod
    def settled(cls, parameters: C) -> C:
        """With the fingerprint of the file of replies, where there is one."""
        file, sha256 = settled_replies(parameters.replies)
        return parameters.model_copy(update={"replies": file, "replies_sha256": sha256})

    @abstractmethod
    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        """The answer to one ask; NoAnswer where a reply failed or could not be read."""

    def first_said(self, ask: Ask) -> str:
        request = first_request(self.judge, ask, self.parameters)
        return "" if request is None else as_text(request)

    def plan(self, ask: Ask) -> Cost:
        """One call with the prompt and the question; a method of several steps says which."""
        question = json.dumps(ask.raw_payload, ensure_ascii=False)
        return self.expected(Step(self.whole_prompt(ask.task_type, ask.told) + question))

    def expected(self, *steps: Step) -> Cost:
        """Calls, tokens and USD of a talk of these steps: an estimate, from the length of texts.

        USD is None where nobody has said what the model charges; a replay costs nothing.
        """
        limit = self.parameters.max_tokens
        said = sum(step.calls * tokens_in(step.text) for step in steps)
        heard = sum(step.calls * min(step.reply_tokens, limit or sys.maxsize) for step in steps)
        price = self._price()
        return Cost(
            calls=sum(step.calls for step in steps),
            tokens_in=said,
            tokens_out=heard,
            usd=None if price is None else price.cost(said, heard),
        )

    def most_usd(self) -> Decimal | None:
        return endpoint(self.parameters.endpoint).max_run_usd if self.backend == CHAT else None

    def answer(self, ask: Ask) -> Outcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[Outcome]:
        """Outcomes as they come. Closing the iterator drops the talks under way."""
        room = Room(self._open, self.judge, self.parameters, asks, self.tools)
        try:
            yield from room.outcomes(self.tools.replies)
            if room.postponed:
                later = Later(self.parameters.endpoint, self.model, room.postponed)
                self.tools.later(later)
        finally:
            room.close()

    def _price(self) -> Price | None:
        if self.backend != CHAT:
            return FREE
        chosen = endpoint(self.parameters.endpoint)
        price = chosen.price(self.model)
        is_reduced = price is not None and self.parameters.route == "batch"
        return price.reduced(chosen.batch_factor) if price and is_reduced else price

    def _open(self, cache: RemoteCache) -> Chat:
        return open_chat(
            self.backend,
            model=self.model,
            endpoint=self.parameters.endpoint,
            replies=self.parameters.replies,
            replies_sha256=self.parameters.replies_sha256,
            cache=cache if self.parameters.cached else None,
            by_batch=self.parameters.route == "batch",
        )
