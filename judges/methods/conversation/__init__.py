"""Methods that ask a chat model: a conversation for each answer, many of them at a time."""

import json
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from endpoints.endpoint import FREE, BadEndpoint, Endpoint, Price
from endpoints.registry import endpoint
from judges.backends.contract import Chat, ChatSettings
from judges.backends.factory import BACKENDS, CHAT, find_backend, locate_replies, open_chat
from judges.methods.asks import Ask, AskOutcome, Cost, PostponedRequests
from judges.methods.contract import Method
from judges.methods.conversation.conversation import Conversation, ConversationReply, NoAnswer
from judges.methods.conversation.event_loop import ConversationLoop, LoopCache
from judges.methods.conversation.messages import Message, Prompts, check_prompts
from judges.methods.conversation.parameters import (
    REASON_TOKENS,
    ChatParameters,
    PlannedStep,
    estimated_tokens,
    preamble_length,
)
from judges.methods.conversation.preview import as_text, first_request
from judges.methods.conversation.steps import Step, with_slots_of_payload
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.schemas import Schema

__all__ = [
    "ChatMethod",
    "ChatParameters",
    "Conversation",
    "ConversationReply",
    "NoAnswer",
    "PlannedStep",
    "Step",
    "with_slots_of_payload",
]

C = TypeVar("C", bound=ChatParameters)


class ChatMethod(Method[C]):
    """A method that asks a chat model; its `judge` holds one conversation."""

    backends = tuple(backend.name for backend in BACKENDS)
    answers_per_chunk = 1000
    at_once = 32
    opens_model = False

    def __init__(self, parameters: C, *, model: str = "", backend: str = "") -> None:
        super().__init__(parameters, model=model, backend=backend or CHAT)
        self._prompts: dict[str, Prompts] = {}
        if self.backend == CHAT and not model:
            raise ValueError("model: name the model to ask")
        self._configured = self._endpoint() if self.backend == CHAT else None

    def _endpoint(self) -> Endpoint:
        """The endpoint as it is when the method is made: event loops ask no database."""
        try:
            configured = endpoint(self.parameters.endpoint)
        except BadEndpoint as error:
            raise ValueError(f"parameters.{error}") from error
        if self.parameters.route == "batch" and not configured.batch:
            name = self.parameters.endpoint
            raise ValueError(f"parameters.route: endpoint {name} is configured without batches")
        if self.parameters.route == "batch" and not self.parameters.cached:
            raise ValueError("parameters.cached: the replies of batches have to be kept")
        return configured

    @property
    def asks_by_batch(self) -> bool:
        return self.backend == CHAT and self.parameters.route == "batch"

    @classmethod
    @abstractmethod
    def steps(cls, parameters: C, task_type: TaskType[Any, Any, Any]) -> tuple[Step, ...]:
        """What it asks about questions of a type, in the order in which it is shown."""

    @classmethod
    def prompt_problem(
        cls, parameters: C, task_type: TaskType[Any, Any, Any], block: str = ""
    ) -> str:
        try:
            check_prompts(parameters, cls.steps(parameters, task_type), block)
        except ValueError as error:
            return str(error)
        return ""

    @classmethod
    def with_taken_examples(cls, parameters: C, take: Callable[[Any], Any]) -> C:
        examples = tuple(take(e) if e.is_open else e for e in parameters.examples)
        if examples == parameters.examples:
            return parameters
        return parameters.model_copy(update={"examples": examples})

    @classmethod
    def example_blocks(cls, parameters: C) -> tuple[str, ...]:
        return tuple(dict.fromkeys(e.block for e in parameters.examples if e.block))

    def example_units(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(e.unit for e in self.parameters.examples if e.unit))

    @classmethod
    def resolve_parameters(cls, parameters: C) -> C:
        """Checked, and with the fingerprint of the file of replies, where there is one."""
        problems = [cls.prompt_problem(parameters, kind) for kind in cls.serves]
        if problems and all(problems):
            raise ValueError(problems[0])
        file, sha256 = locate_replies(parameters.replies)
        return parameters.model_copy(update={"replies": file, "replies_sha256": sha256})

    @abstractmethod
    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        """The answer to one ask; NoAnswer where a reply failed or could not be read."""

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        return self.prompt_problem(self.parameters, task_type, block)

    def prompts(self, task_type: TaskType[Any, Any, Any]) -> Prompts:
        """The judge's prompts for questions of a type."""
        if task_type.slug not in self._prompts:
            steps = self.steps(self.parameters, task_type)
            self._prompts[task_type.slug] = Prompts(steps, self.parameters, task_type)
        return self._prompts[task_type.slug]

    def messages(self, ask: Ask, step: str, subject: Any) -> tuple[Message, ...]:
        """The messages of a step about a question; subject: what the step's slots are filled of."""
        return self.prompts(ask.task_type).messages(step, subject, block=ask.block)

    def template(self, ask: Ask, step: str) -> str:
        """The template of a step: ours, or the judge's own."""
        return self.prompts(ask.task_type).text(step)

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return self.prompts(task_type).whole_text()

    def first_prompt(self, ask: Ask) -> str:
        request = first_request(self.judge, ask, self.parameters)
        return "" if request is None else as_text(request.messages)

    def later_prompts(self, ask: Ask) -> Mapping[str, str]:
        first, prompts = self.first_prompt(ask), self.prompts(ask.task_type)
        subjects = {
            step.name: step.shown(ask.payload) for step in prompts.steps.values() if step.shown
        }
        texts = {
            name: as_text(self.messages(ask, name, subject))
            for name, subject in subjects.items()
            if subject is not None
        }
        return {name: text for name, text in texts.items() if text != first}

    def plan(self, ask: Ask) -> Cost:
        """One call with the prompt and the question; methods of several steps override this."""
        question = json.dumps(ask.raw_payload, ensure_ascii=False)
        templates = self.prompts(ask.task_type).templates()
        return self.expected(PlannedStep(ask.instructions + templates + question))

    def expected(self, *steps: PlannedStep) -> Cost:
        """Calls, tokens and USD of a conversation of these steps, estimated by length of text.

        USD is None where the model's price is not configured; a replay costs nothing.
        """
        limit = self.parameters.max_tokens
        preamble = preamble_length(self.parameters)
        tokens_in = sum(step.calls * (estimated_tokens(step.text) + preamble) for step in steps)
        reason = REASON_TOKENS if self.parameters.asks_reason else 0
        tokens_out = sum(
            step.calls * min(step.reply_tokens + reason, limit or sys.maxsize) for step in steps
        )
        price = self._price()
        return Cost(
            calls=sum(step.calls for step in steps),
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            usd=None if price is None else price.cost(tokens_in, tokens_out),
        )

    def dearest(self, ask: Ask) -> Decimal:
        """With every reply as long as it may be."""
        plan, price, limit = self.plan(ask), self._price(), self.parameters.max_tokens
        if price is None or limit is None:
            return super().dearest(ask)
        return price.cost(plan.tokens_in or 0, plan.calls * limit)

    def cost_cap(self) -> Decimal | None:
        return None if self._configured is None else self._configured.max_run_usd

    def hurry(self, seconds: float) -> None:
        """Ask each call once, and wait no longer for it: somebody looks on."""
        if self._configured is not None:
            least = min(seconds, self._configured.timeout_seconds)
            changed = {"tries": 1, "timeout_seconds": least}
            self._configured = self._configured.model_copy(update=changed)

    def endpoint_name(self) -> str:
        return self.parameters.endpoint if self.backend == CHAT else ""

    def answer(self, ask: Ask) -> AskOutcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[AskOutcome]:
        """Outcomes as they come. Closing the iterator cancels the conversations under way."""
        loop = ConversationLoop(self._open, self.judge, self.parameters, asks, self.tools)
        try:
            yield from loop.outcomes(self.tools.replies)
            if loop.postponed:
                self.tools.postpone(
                    PostponedRequests(self.parameters.endpoint, self.model, loop.postponed)
                )
        finally:
            loop.close()

    def _price(self) -> Price | None:
        configured = self._configured
        if configured is None:
            backend = find_backend(self.backend)
            return FREE if backend is not None and backend.is_free else None
        price = configured.price(self.model)
        is_reduced = price is not None and self.parameters.route == "batch"
        return price.reduced(configured.batch_factor) if price and is_reduced else price

    def _open(self, cache: LoopCache) -> Chat:
        own = self.parameters
        settings = ChatSettings(
            model=self.model,
            endpoint=own.endpoint,
            configured=self._configured,
            replies=own.replies,
            replies_sha256=own.replies_sha256,
            cache=cache if own.cached else None,
            by_batch=own.route == "batch",
        )
        return open_chat(self.backend, settings)
