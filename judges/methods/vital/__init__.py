"""VITAL: which claims of a response are important to the query, and are they supported?

Following "All Claims Are Equal, but Some Claims Are More Equal Than Others:
Importance-Sensitive Factuality Evaluation of LLM Generations" (arXiv 2510.07083); the prompts are
our own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field

from judges.methods.asks import Ask, Cost
from judges.methods.conversation import (
    ChatMethod,
    ChatParameters,
    Conversation,
    NoAnswer,
    PlannedStep,
    Step,
)
from judges.methods.conversation.parameters import MOST_TOKENS
from judges.methods.vital.replies import (
    Checked,
    Found,
    Ranking,
    UnknownLabel,
    read_nuggets,
    read_ranking,
    read_support,
)
from judges.methods.vital.slots import STEPS, About, claims_text, query_text, response_text
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tasktypes.importance.claims import Decomposed, read_claims
from tasktypes.importance.metrics import scores
from tasktypes.importance.schema import (
    Answer,
    ClaimAnswer,
    Label,
    NuggetAnswer,
    Payload,
    Support,
)
from tasktypes.machines.needs import EVIDENCE, Need
from tasktypes.machines.prompts import numbered
from tasktypes.machines.replies import ReplyError
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import as_prompt

T = TypeVar("T")
# The expected tokens of a reply for each entry of its list.
_TOKENS_EACH = 16
# The expected bytes of response per claim, where the model finds the claims itself.
_BYTES_PER_CLAIM = 60


class VitalParameters(ChatParameters):
    """How claims are assessed."""

    verify: Literal["each", "together", "none"] = "each"
    """Each claim in a call of its own, or all together; `none` leaves support out, where a question
    allows gaps: without documents nothing can be verified."""
    ask_again: int = Field(default=5, ge=0, le=20)
    """How often a step is asked again after a reply with an unknown label."""
    claims: Literal["listed", "own"] = "listed"
    """`own` also has the model find the claims of the response and assesses those as well; the
    answer is about the listed ones in either case."""
    max_tokens: int | None = Field(default=4096, ge=1, le=MOST_TOKENS)
    """Null leaves it to the endpoint."""


@dataclass(frozen=True)
class Assessed:
    """The labels, order and support of some claims; empty where they were not asked for."""

    labels: Mapping[int, Label]
    order: Sequence[int]
    support: Mapping[int, Support]

    def order_of(self, payload: Payload) -> tuple[int, ...]:
        """The order of the claims that the question has ordered."""
        vital = payload.orders_vital
        return tuple(i for i in self.order if not vital or self.labels[i] == "vital")

    def answers(self, count: int) -> tuple[ClaimAnswer, ...]:
        return tuple(
            ClaimAnswer(claim=i, importance=self.labels.get(i), support=self.support.get(i))
            for i in range(count)
        )


class Vital(ChatMethod[VitalParameters]):
    """Ranks and labels claims by importance, and verifies them in separate calls, so that neither
    judgement influences the other."""

    name = "vital"
    title = "VITAL"
    version = 2
    description = (
        "Ranks the claims of a response by importance to the query and labels each as "
        "vital, okay or less important, without the documents; then checks each claim "
        "against the documents, without its label; then looks for the facts that a good "
        "response contains, where the question lists some. After a reply with an unknown label it "
        "asks again a few times; then the call counts as failed."
    )
    serves = (IMPORTANCE,)
    Parameters = VitalParameters

    @classmethod
    def steps(
        cls, parameters: VitalParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        return STEPS if parameters.claims == "own" else STEPS[1:]

    def needs(self, ask: Ask) -> frozenset[Need]:
        needs = super().needs(ask)
        return needs if self._verifies(ask.payload) else needs - EVIDENCE

    def _verifies(self, payload: Payload) -> bool:
        return payload.asks("support") and self.parameters.verify != "none"

    def plan(self, ask: Ask) -> Cost:
        payload: Payload = ask.payload
        if payload.asks("support") and payload.gaps == "refused" and not self._verifies(payload):
            raise ValueError("verify: the question takes no answer without support")
        steps = self._planned(ask, payload.claims)
        if payload.asks("nuggets"):
            text = self.template(ask, "nuggets") + response_text(payload)
            text += numbered(payload.nuggets)
            steps.append(PlannedStep(text, reply_tokens=_TOKENS_EACH * len(payload.nuggets)))
        if self.parameters.claims == "own":
            response = response_text(payload)
            count = max(1, len(response.encode()) // _BYTES_PER_CLAIM)
            steps.append(
                PlannedStep(
                    self.template(ask, "claims") + response,
                    reply_tokens=2 * _TOKENS_EACH * count,
                )
            )
            steps += self._planned(ask, ("x" * _BYTES_PER_CLAIM,) * count)
        return self.expected(*steps)

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        payload: Payload = ask.payload
        assessed = await self._assessed(conversation, payload, payload.claims)
        nuggets: Mapping[int, Any] = {}
        if payload.asks("nuggets"):
            nuggets = await self._nuggets(conversation, payload)
        if not conversation.replies:
            raise ValueError("parts: nothing is asked that this judge answers")
        if self.parameters.claims == "own":
            await self._assess_own(conversation, payload)
        return Answer(
            claims=assessed.answers(len(payload.claims)),
            order=assessed.order_of(payload) if payload.asks("order") else None,
            nuggets=tuple(
                NuggetAnswer(nugget=i, support=support) for i, support in nuggets.items()
            ),
        )

    async def _assessed(
        self,
        conversation: Conversation,
        payload: Payload,
        claims: Sequence[str],
        *,
        prefix: str = "",
    ) -> Assessed:
        labels: Mapping[int, Label] = {}
        order: Sequence[int] = ()
        support: Mapping[int, Support] = {}
        if payload.ranks:
            labels, order = await self._ask(
                conversation,
                ("rank", About(payload, _all(claims))),
                f"{prefix}rank",
                lambda text: read_ranking(text, len(claims)),
                Ranking,
            )
        if self._verifies(payload):
            support = await self._verified(conversation, payload, claims, prefix)
        return Assessed(labels if payload.labels else {}, order, support)

    async def _verified(
        self, conversation: Conversation, payload: Payload, claims: Sequence[str], prefix: str
    ) -> Mapping[int, Support]:
        support: dict[int, Support] = {}
        for step, group in self._groups(claims):
            support |= await self._ask(
                conversation,
                ("verify", About(payload, group)),
                prefix + step,
                _reader(read_support, group),
                Checked,
            )
        return support

    def _groups(self, claims: Sequence[str]) -> list[tuple[str, Mapping[int, str]]]:
        """The claims, grouped by the call in which they are verified."""
        if self.parameters.verify == "together":
            return [("verify", _all(claims))]
        return [(f"verify {i}", {i: claim}) for i, claim in enumerate(claims)]

    async def _nuggets(self, conversation: Conversation, payload: Payload) -> Mapping[int, Any]:
        prompt, count = ("nuggets", About(payload)), len(payload.nuggets)
        return await self._ask(
            conversation, prompt, "nuggets", lambda text: read_nuggets(text, count), Found
        )

    async def _assess_own(self, conversation: Conversation, payload: Payload) -> None:
        """Assess claims that the model finds itself, and record them with the last call."""
        prompt = ("claims", About(payload))
        claims = await self._ask(conversation, prompt, "claims", read_claims, Decomposed)
        assessed = await self._assessed(conversation, payload, claims, prefix="own ")
        answers = assessed.answers(len(claims))
        answer = Answer(claims=answers, order=tuple(assessed.order) or None)
        own = {
            "claims": [
                {"text": text, "label": claim.importance, "support": claim.support}
                for text, claim in zip(claims, answers, strict=True)
            ],
            "order": list(assessed.order),
            "scores": {name: value for name, value in scores(answer).items() if value is not None},
        }
        conversation.add_detail({"own": own})

    async def _ask(
        self,
        conversation: Conversation,
        prompt: tuple[str, About],
        step: str,
        read: Callable[[str], T],
        schema: type[Schema],
    ) -> T:
        """The reply, read by `read`. After an unknown label the model is told and asked again.

        prompt: the template, by its step, and what its slots are filled of.
        """
        first = messages = self.messages(conversation.ask, *prompt)
        failure = NoAnswer(step)
        for sample in range(self.parameters.ask_again + 1):
            reply = await conversation.send(messages, step=step, sample=sample, schema=schema)
            try:
                return read(conversation.answer_text(reply, schema))
            except UnknownLabel as error:
                failure = conversation.mark_unreadable(reply, str(error))
                messages = (
                    *first,
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": f"There is no such label: {error}. Try again."},
                )
            except ReplyError as error:
                raise conversation.mark_unreadable(reply, str(error)) from error
        raise failure

    def _planned(self, ask: Ask, claims: Sequence[str]) -> list[PlannedStep]:
        """The steps of assessing claims."""
        steps, payload = [], ask.payload
        if payload.ranks:
            text = self.template(ask, "rank") + query_text(payload) + numbered(claims)
            steps.append(PlannedStep(text, reply_tokens=_TOKENS_EACH * len(claims)))
        if self._verifies(payload):
            material = self.template(ask, "verify") + as_prompt(payload)
            steps += [
                PlannedStep(material + claims_text(group), reply_tokens=_TOKENS_EACH * len(group))
                for _, group in self._groups(claims)
            ]
        return steps


def _reader(
    read: Callable[[str, Sequence[int]], Mapping[int, Support]], group: Mapping[int, str]
) -> Callable[[str], Mapping[int, Support]]:
    return lambda text: read(text, list(group))


def _all(texts: Sequence[str]) -> Mapping[int, str]:
    return dict(enumerate(texts))
