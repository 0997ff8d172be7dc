"""FinGrAct: the actionability of an explanation, by a rubric of yes-or-no questions.

Following "FinGrAct: A Framework for FINe-GRrained Evaluation of ACTionability in Explainable
Automatic Fact-Checking" (arXiv 2504.05229); the prompts are our own.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.backends.local.weights import UnusableModel, Weights, pinned
from judges.methods.asks import Ask, Cost
from judges.methods.conversation import (
    ChatMethod,
    Conversation,
    PlannedStep,
    Step,
)
from judges.methods.fingract.links import Digest, Link, page_text
from judges.methods.fingract.parameters import FinGrActParameters
from judges.methods.fingract.questions import rubric_of
from judges.methods.fingract.replies import (
    Explained,
    Linked,
    read_explained,
    read_linked,
)
from judges.methods.fingract.slots import STEPS, STEPS_TO_SCORE, About, Errors
from judges.methods.fingract.vectors import SentenceVectors
from retrieval.concurrency import run_in_reader
from tasktypes.actionability import ACTIONABILITY
from tasktypes.actionability.errors import Dissected, read_errors
from tasktypes.actionability.metrics import BEST, score
from tasktypes.actionability.schema import Answer, ErrorAnswer, LinkAnswer, Payload
from tasktypes.actionability.slots import errors_text
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.needs import CLAIM, EVIDENCE, Need
from tasktypes.machines.prompts import in_lines
from tasktypes.machines.replies import ReplyError
from tasktypes.machines.scores import InScores
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import as_prompt

NO_ERRORS = "the model found no error in the claim, so that the score is undefined"
# The expected tokens of a reply: for the list of errors, and for each answer.
_LIST_TOKENS, _TOKENS_EACH = 300, 24


class FinGrAct(ChatMethod[FinGrActParameters]):
    """The rubric in steps: errors in the claim, the explanation, the links."""

    name = "fingract"
    title = "FinGrAct"
    version = 2
    description = (
        "Fills in the rubric of actionability in steps: whether the explanation points out and "
        "corrects each error of the claim; then, for each link, whether the page exists, whether "
        "it is about the claim and whether it supports the correction. Links are retrieved, and "
        "the model gets the text of the page, or the reason why it cannot be read, which is also "
        "counted. It can also find the claim's errors itself. Where a question asks for a score, "
        "that is how it goes, as published: the claim's errors, the rubric by them, and the score "
        "of 0 to 5, which is spread evenly over the question's scale. A claim in which the model "
        "finds no error has no score, and the question no answer."
    )
    serves = (ACTIONABILITY, *(kind for kind in TASK_TYPES if isinstance(kind, InScores)))
    between_points = True
    Parameters = FinGrActParameters

    @classmethod
    def resolve_parameters(cls, parameters: FinGrActParameters) -> FinGrActParameters:
        """With the embedding model pinned."""
        if parameters.needs_embedding:
            try:
                weights = pinned(parameters.embedding, parameters.embedding_revision)
            except UnusableModel as error:
                raise ValueError(f"embedding: {error}") from error
            pins = {"embedding": weights.name, "embedding_revision": weights.revision}
            parameters = parameters.model_copy(update=pins)
        return super().resolve_parameters(parameters)

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        """On a block of scores it has one number to give."""
        problem = super().objection(task_type, facets, block)
        if problem or not isinstance(task_type, InScores):
            return problem
        if len(facets) > 1:
            return f"it gives one score, but {len(facets)} criteria are asked about"
        labels = [facet.name for facet in facets if facet.kind == "label"]
        return f"the points of {labels[0]} are names, but it gives a number" if labels else ""

    @classmethod
    def steps(
        cls, parameters: FinGrActParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        if isinstance(task_type, InScores):
            return STEPS_TO_SCORE
        return STEPS if parameters.errors == "own" else STEPS[1:]

    def _finds_errors(self, task_type: TaskType[Any, Any, Any]) -> bool:
        return self.parameters.errors == "own" or isinstance(task_type, InScores)

    def needs(self, ask: Ask) -> frozenset[Need]:
        """The claim; and where the model finds its errors itself, what contradicts them."""
        needs = super().needs(ask) | CLAIM
        return needs | EVIDENCE if self._finds_errors(ask.task_type) else needs

    @property
    def retrieves_pages(self) -> bool:
        return self.parameters.pages == "retrieved"

    def plan(self, ask: Ask) -> Cost:
        payload, own = rubric_of(ask), self._finds_errors(ask.task_type)
        steps = []
        text = self.template(ask, "explanation") + _text(payload)
        each = _TOKENS_EACH * max(1, len(payload.errors))
        if own:
            steps.append(
                PlannedStep(
                    self.template(ask, "errors") + as_prompt(payload), reply_tokens=_LIST_TOKENS
                )
            )
            steps.append(PlannedStep(text + "x" * 4 * _LIST_TOKENS, reply_tokens=each))
        if payload.errors:
            steps.append(PlannedStep(text + errors_text(payload.errors), reply_tokens=each))
        if payload.links:
            steps.append(PlannedStep(self._links_text(ask, payload), reply_tokens=each))
        if payload.links and self.parameters.pages == "retrieved":
            # The retrieval of the links is recorded as a call, though no model is asked.
            cost = self.expected(*steps)
            return Cost(cost.calls + 1, cost.tokens_in, cost.tokens_out, cost.usd)
        return self.expected(*steps)

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        if isinstance(ask.task_type, InScores):
            return await self._scored(ask, ask.task_type, conversation)
        payload: Payload = ask.payload
        own: Errors = ()
        if self.parameters.errors == "own":
            own = await self._own_errors(conversation, payload)
        answers = await self._explained(conversation, payload, payload.errors, "explanation")
        own_answers = await self._explained(conversation, payload, own, "own explanation")
        links = await self._linked(conversation, payload, payload.errors or own)
        if self.parameters.errors == "own":
            self._record_own(conversation, payload, own, Answer(errors=own_answers, links=links))
        return Answer(errors=answers, links=links)

    async def _scored(
        self, ask: Ask, kind: InScores[Any, Any], conversation: Conversation
    ) -> Schema:
        """The published pipeline as a whole, whose score is the answer."""
        payload, (scoring,) = rubric_of(ask), kind.scorings(ask.payload)
        own = await self._own_errors(conversation, payload, needed=True)
        errors = await self._explained(conversation, payload, own, "own explanation")
        rubric = Answer(errors=errors, links=await self._linked(conversation, payload, own))
        self._record_own(conversation, payload, own, rubric)
        value = score(rubric, link_score=payload.link_score).value
        assert value is not None  # there are errors
        answer: Schema = kind.from_scores(ask.payload, [scoring.along(value / BEST)])
        return answer

    async def _own_errors(
        self, conversation: Conversation, payload: Payload, *, needed: bool = False
    ) -> Errors:
        """needed: without any there is no answer."""
        messages = self.messages(conversation.ask, "errors", About(payload))
        reply = await conversation.send(messages, step="errors", schema=Dissected)
        try:
            errors = read_errors(conversation.answer_text(reply, Dissected)).errors
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        if needed and not errors:
            raise conversation.mark_failed(reply, Failure.ERROR, NO_ERRORS)
        return errors

    async def _explained(
        self, conversation: Conversation, payload: Payload, errors: Errors, step: str
    ) -> tuple[ErrorAnswer, ...]:
        """What the explanation says about each error; without errors no call is made."""
        if not errors:
            return ()
        messages = self.messages(conversation.ask, "explanation", About(payload, errors))
        reply = await conversation.send(messages, step=step, schema=Explained)
        try:
            return read_explained(conversation.answer_text(reply, Explained), len(errors))
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error

    async def _linked(
        self, conversation: Conversation, payload: Payload, errors: Errors
    ) -> tuple[LinkAnswer, ...]:
        """The answers about the links. The model is not asked about pages that do not exist."""
        links = await self._looked_up(conversation, payload, errors)
        by_retrieval = self.parameters.exists == "retrieved"
        to_ask = [link for link in links if not by_retrieval or link.exists is not False]
        answers = {
            link.number: LinkAnswer(link=link.number, exists=False, relevant=False, supports=False)
            for link in links
        }
        if to_ask:
            about = About(payload, errors, to_ask)
            messages = self.messages(conversation.ask, "links", about)
            reply = await conversation.send(messages, step="links", schema=Linked)
            try:
                text = conversation.answer_text(reply, Linked)
                answers |= read_linked(text, [link.number for link in to_ask])
            except ReplyError as error:
                raise conversation.mark_unreadable(reply, str(error)) from error
        if by_retrieval:
            for link in links:
                if link.exists is not None:
                    answer = answers[link.number]
                    answers[link.number] = answer.model_copy(update={"exists": link.exists})
        return tuple(answers[number] for number in sorted(answers))

    async def _looked_up(
        self, conversation: Conversation, payload: Payload, errors: Errors
    ) -> list[Link]:
        """Every link, with its page where pages are retrieved."""
        if self.parameters.pages == "none" or not payload.links:
            return [Link(number, address) for number, address in enumerate(payload.links)]
        started = time.monotonic()
        age = self.parameters.page_max_age_days
        pages = await asyncio.gather(
            *(conversation.page(address, max_age_days=age) for address in payload.links)
        )
        focus = " ".join([payload.claim, *(error.correction for error in errors)])
        links = []
        for number, (address, page) in enumerate(zip(payload.links, pages, strict=True)):
            text = await run_in_reader(page_text, page, self._digest, focus)
            links.append(Link(number, address, page, text))
        records = [link.record() for link in links]
        latency = round(1000 * (time.monotonic() - started))
        outcomes = "\n".join(f"{record['link']}: {record['outcome']}" for record in records)
        request = {"links": list(payload.links)}
        conversation.add_reply(Reply(outcomes, step="pages", request=request, latency_ms=latency,
                        detail={"pages": records}))  # fmt: skip
        return links

    @property
    def _digest(self) -> Digest:
        parameters, embedder = self.parameters, None
        if parameters.needs_embedding:
            weights = Weights(parameters.embedding, parameters.embedding_revision)
            embedder = SentenceVectors(weights)
        return Digest(parameters.page_tokens, parameters.summary, embedder)

    def _record_own(
        self, conversation: Conversation, payload: Payload, own: Errors, answer: Answer
    ) -> None:
        """Record the score by the model's own list of errors with the last call."""
        result = score(answer, link_score=payload.link_score)
        errors = [
            error.model_dump() | {"points_out": about.points_out, "corrects": about.corrects}
            for error, about in zip(own, answer.errors, strict=True)
        ]
        links = [link.model_dump() for link in answer.links]
        scores = dict(result.measures)
        conversation.add_detail({"own": {"errors": errors, "links": links, "scores": scores}})

    def _links_text(self, ask: Ask, payload: Payload) -> str:
        """A text about as long as the prompt about links."""
        page_length = 4 * self.parameters.page_tokens if self.parameters.pages == "retrieved" else 0
        links = payload.links
        return self.template(ask, "links") + json.dumps(links) + "x" * page_length * len(links)


def _text(payload: Payload) -> str:
    return in_lines(payload.text)
