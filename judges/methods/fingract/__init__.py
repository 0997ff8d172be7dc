"""FinGrAct: can a reader act on this explanation? Many small yes-or-no questions, and one score.

Following "FinGrAct: A Framework for FINe-GRrained Evaluation of ACTionability in Explainable
Automatic Fact-Checking" (arXiv 2504.05229); the prompts are our own.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any, Literal

from pydantic import Field

from judges.backends.contract import Reply
from judges.backends.embedding import MINILM
from judges.backends.local.weights import Unfit, Weights, pinned
from judges.methods.contract import Ask, Cost
from judges.methods.conversation import ChatMethod, ChatParameters, Step, Talk
from judges.methods.fingract.links import Digest, Link, listed, told_of
from judges.methods.fingract.replies import (
    Dissected,
    Explained,
    Linked,
    read_errors,
    read_explained,
    read_linked,
)
from judges.methods.fingract.sentence_vectors import Nearness
from judges.retrieval.summary import Summary
from judges.retrieval.threads import apart
from tasktypes.actionability import ACTIONABILITY
from tasktypes.actionability.metrics import score
from tasktypes.actionability.schema import Answer, ErrorAnswer, FactualError, LinkAnswer, Payload
from tasktypes.contract import ReplyError, Schema, TaskType
from tasktypes.prompts import one_line
from tasktypes.surroundings import as_prompt

ERRORS, EXPLANATION, LINKS = (
    (Path(__file__).parent / f"prompt_{name}.txt").read_text(encoding="utf-8")
    for name in ("errors", "explanation", "links")
)
Errors = Sequence[FactualError]
# How long a reply is thought to be: for the list of errors, and for each thing answered.
_LIST_TOKENS, _TOKENS_EACH = 300, 24


class Rubric(ChatParameters):
    """How the rubric is filled in.

    errors: `listed` judges the explanation by the errors that the question lists; `own` also lets
    the model find the claim's errors itself and keeps the score that follows from those.
    pages: whether links are gone to. exists: who says whether a link's page exists, the retrieval
    (and the model where it could not tell) or always the model. page_tokens: how much of a page is
    told. summary: which of its sentences; see docs/retrieving-pages.md. page_max_age_days: older
    retrievals are made again; left out, a page is retrieved once. embedding, embedding_revision:
    the model that `central` and `relevant` go by; the revision is filled in when the judge is
    defined.
    """

    errors: Literal["listed", "own"] = "listed"
    pages: Literal["retrieved", "none"] = "retrieved"
    exists: Literal["retrieved", "model"] = "retrieved"
    page_tokens: int = Field(default=400, ge=20, le=20_000)
    page_max_age_days: int | None = Field(default=None, ge=0)
    summary: Summary = "central"
    embedding: str = MINILM
    embedding_revision: str = ""

    @property
    def needs_embedding(self) -> bool:
        return self.pages == "retrieved" and self.summary != "beginning"


class FinGrAct(ChatMethod[Rubric]):
    """The rubric in steps: errors in the claim, the explanation, the links."""

    name = "fingract"
    title = "FinGrAct"
    description = (
        "Fills in the rubric of actionability in steps: whether the explanation points out and "
        "corrects each error of the claim; then, for each link, whether there is a page, whether "
        "it is about the claim and whether it supports what is right. Links are gone to, and the "
        "text of the page is told to the model; a page that cannot be read is told as such and "
        "counted. It can also find the claim's errors itself."
    )
    serves = (ACTIONABILITY,)
    models_here = ("parameters.embedding",)
    Parameters = Rubric

    @classmethod
    def settled(cls, parameters: Rubric) -> Rubric:
        """With the model of the summaries pinned."""
        if parameters.needs_embedding:
            try:
                weights = pinned(parameters.embedding, parameters.embedding_revision)
            except Unfit as error:
                raise ValueError(f"embedding: {error}") from error
            pins = {"embedding": weights.name, "embedding_revision": weights.revision}
            parameters = parameters.model_copy(update=pins)
        return super().settled(parameters)

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        own = f"Errors:\n\n{ERRORS}\n" if self.parameters.errors == "own" else ""
        return f"{own}Explanation:\n\n{EXPLANATION}\nLinks:\n\n{LINKS}"

    def plan(self, ask: Ask) -> Cost:
        payload: Payload = ask.payload
        own, steps = self.parameters.errors == "own", []
        text = EXPLANATION + _text(payload)
        each = _TOKENS_EACH * max(1, len(payload.errors))
        if own:
            steps.append(Step(ERRORS + as_prompt(payload), reply_tokens=_LIST_TOKENS))
            steps.append(Step(text + "x" * 4 * _LIST_TOKENS, reply_tokens=each))
        if payload.errors:
            steps.append(Step(text + _numbered(payload.errors), reply_tokens=each))
        if payload.links:
            steps.append(Step(self._links_text(payload), reply_tokens=each))
        if payload.links and self.parameters.pages == "retrieved":
            # Going to the links is kept among the calls, though no model is asked.
            cost = self.expected(*steps)
            return Cost(cost.calls + 1, cost.tokens_in, cost.tokens_out, cost.usd)
        return self.expected(*steps)

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        payload: Payload = ask.payload
        own: Errors = ()
        if self.parameters.errors == "own":
            own = await self._own_errors(talk, payload)
        answers = await self._explained(talk, payload, payload.errors, "explanation")
        own_answers = await self._explained(talk, payload, own, "own explanation")
        links = await self._linked(talk, payload, payload.errors or own)
        if self.parameters.errors == "own":
            self._remark(talk, payload, own, Answer(errors=own_answers, links=links))
        return Answer(errors=answers, links=links)

    async def _own_errors(self, talk: Talk, payload: Payload) -> Errors:
        prompt = Template(ERRORS).substitute(material=as_prompt(payload))
        said = await talk.say(prompt, step="errors", schema=Dissected)
        try:
            return read_errors(said.text).errors
        except ReplyError as error:
            raise talk.unreadable(said, str(error)) from error

    async def _explained(
        self, talk: Talk, payload: Payload, errors: Errors, step: str
    ) -> tuple[ErrorAnswer, ...]:
        """What the explanation says about each error; nobody is asked where there is none."""
        if not errors:
            return ()
        prompt = Template(EXPLANATION).substitute(
            claim=one_line(payload.claim), errors=_numbered(errors), text=_text(payload)
        )
        said = await talk.say(prompt, step=step, schema=Explained)
        try:
            return read_explained(said.text, len(errors))
        except ReplyError as error:
            raise talk.unreadable(said, str(error)) from error

    async def _linked(self, talk: Talk, payload: Payload, errors: Errors) -> tuple[LinkAnswer, ...]:
        """The answers about the links; the model is not asked about pages that are not there."""
        links = await self._looked_up(talk, payload, errors)
        believed = self.parameters.exists == "retrieved"
        open_ones = [link for link in links if not believed or link.exists is not False]
        answers = {
            link.number: LinkAnswer(link=link.number, exists=False, relevant=False, supports=False)
            for link in links
        }
        if open_ones:
            prompt = Template(LINKS).substitute(
                claim=one_line(payload.claim),
                corrections=_corrections(errors),
                links=listed(open_ones),
            )
            said = await talk.say(prompt, step="links", schema=Linked)
            try:
                answers |= read_linked(said.text, [link.number for link in open_ones])
            except ReplyError as error:
                raise talk.unreadable(said, str(error)) from error
        found = {link.number: link.exists for link in links if link.exists is not None}
        return tuple(
            one.model_copy(update={"exists": found.get(number, one.exists)}) if believed else one
            for number, one in sorted(answers.items())
        )

    async def _looked_up(self, talk: Talk, payload: Payload, errors: Errors) -> list[Link]:
        """Every link, with what is found there."""
        if self.parameters.pages == "none" or not payload.links:
            return [Link(number, address) for number, address in enumerate(payload.links)]
        started = time.monotonic()
        age = self.parameters.page_max_age_days
        pages = await asyncio.gather(
            *(talk.page(address, max_age_days=age) for address in payload.links)
        )
        focus = " ".join([payload.claim, *(error.correction for error in errors)])
        links = []
        for number, (address, page) in enumerate(zip(payload.links, pages, strict=True)):
            text = await apart(told_of, page, self._digest, focus)
            links.append(Link(number, address, page, text))
        records = [link.record() for link in links]
        latency = round(1000 * (time.monotonic() - started))
        told = "\n".join(f"{one['link']}: {one['outcome']}" for one in records)
        request = {"links": list(payload.links)}
        talk.note(Reply(told, step="pages", request=request, latency_ms=latency,
                        detail={"pages": records}))  # fmt: skip
        return links

    @property
    def _digest(self) -> Digest:
        own = self.parameters
        nearness = None
        if own.needs_embedding:
            nearness = Nearness(Weights(own.embedding, own.embedding_revision))
        return Digest(own.page_tokens, own.summary, nearness)

    def _remark(self, talk: Talk, payload: Payload, own: Errors, answer: Answer) -> None:
        """The score by the model's own list, kept with the last call; none where it is empty."""
        found = score(answer, link_score=payload.link_score)
        errors = [
            error.model_dump() | {"points_out": one.points_out, "corrects": one.corrects}
            for error, one in zip(own, answer.errors, strict=True)
        ]
        talk.remark({"own": {"errors": errors, "scores": dict(found.measures)}})

    def _links_text(self, payload: Payload) -> str:
        """About as long as the prompt about links will be."""
        told = 4 * self.parameters.page_tokens if self.parameters.pages == "retrieved" else 0
        return LINKS + json.dumps(payload.links) + "x" * told * len(payload.links)


def _text(payload: Payload) -> str:
    return one_line(" ".join(payload.sentences))


def _numbered(errors: Errors) -> str:
    return "\n".join(
        f"{number}: {one_line(error.sentence)}\n"
        f"   Why it is false: {one_line(error.reason)}\n"
        f"   What is right: {one_line(error.correction)}"
        for number, error in enumerate(errors)
    )


def _corrections(errors: Errors) -> str:
    if not errors:
        return "No error in the claim is listed: what is right is what holds against the claim."
    return "\n".join(["What is right instead:", *(f"- {one_line(e.correction)}" for e in errors)])
