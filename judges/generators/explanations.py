"""Explanations with citations, which a chat model writes from the evidence on a claim.

Following "Evaluating Evidence Attribution in Generated Fact Checking Explanations", section 3.2:
evidence is selected first, by people or by the same model; the prompts are our own.
"""

import random
from pathlib import Path
from string import Template
from typing import Any, Literal

from judges.generators.generator import GeneratedText, GeneratorParameters, TextGenerator
from judges.methods.contract import Ask, Cost
from judges.methods.conversation import Conversation, PlannedStep
from judges.methods.refusals import is_refusal
from tasktypes.contract import ReplyError, Schema, TaskType
from tasktypes.material import Source
from tasktypes.replies import object_in
from tasktypes.surroundings import EVERYTHING, Surroundings, as_prompt, shown

EVIDENCE, EXPLANATION = (
    (Path(__file__).parent / f"prompt_{name}.txt").read_text(encoding="utf-8")
    for name in ("evidence", "explanation")
)
_EXPLANATION_TOKENS = 250


class ExplanationParameters(GeneratorParameters):
    """evidence: who selects the passages for an explanation.

    human: one of the source's chains, by seed; without chains, the passages that are marked as
    selected. machine: the model itself, in a first step.
    """

    evidence: Literal["human", "machine"] = "human"


class Selected(Schema):
    """The passages that a model selected, and why."""

    passages: tuple[int, ...]
    justification: str


class Explainer(TextGenerator[ExplanationParameters]):
    """Writes one explanation for each source."""

    name = "explanation"
    title = "Explanations"
    description = (
        "Takes evidence that people have selected, or has the model select it, and has the model "
        "write one paragraph that cites every selected passage once."
    )
    Parameters = ExplanationParameters

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        own = f"Evidence:\n\n{EVIDENCE}\n" if self.parameters.evidence == "machine" else ""
        return f"{own}Explanation:\n\n{EXPLANATION}"

    def plan(self, ask: Ask) -> Cost:
        source = Source.model_validate(ask.raw_payload)
        material = _material(source, tuple(source.passage_indices))
        steps = [PlannedStep(EXPLANATION + material, reply_tokens=_EXPLANATION_TOKENS)]
        if self.parameters.evidence == "machine":
            steps.insert(0, PlannedStep(EVIDENCE + material))
        return self.expected(*steps)

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        source = Source.model_validate(ask.raw_payload)
        if not (source.claim and source.passages):
            raise ValueError("source: has no claim, or no passages for an explanation")
        passages, justification = await self._evidence(source, ask, conversation)
        prompt = Template(EXPLANATION).substitute(material=_material(source, passages))
        reply = await conversation.send(prompt, step="explanation")
        text = " ".join(reply.text.split())
        if not text:
            raise conversation.mark_unreadable(reply, "the reply is empty")
        if is_refusal(text):
            raise conversation.mark_unreadable(reply, "there is no explanation")
        return GeneratedText(text=text, given=passages, justification=justification)

    async def _evidence(
        self, source: Source, ask: Ask, conversation: Conversation
    ) -> tuple[tuple[int, ...], str]:
        if self.parameters.evidence == "human":
            return selected_by_people(source, seed=ask.seed), ""
        prompt = Template(EVIDENCE).substitute(
            material=_material(source, tuple(p.index for p in source.passages))
        )
        reply = await conversation.send(prompt, step="evidence", schema=Selected)
        try:
            selected = read_selected(reply.text, source)
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return selected.passages, selected.justification


def selected_by_people(source: Source, *, seed: int) -> tuple[int, ...]:
    """The passages of one of the source's chains, by seed, or else its selected ones; ascending.

    ValueError where nobody has selected any.
    """
    chains = [chain for chain in source.chains if chain]
    if chains:
        chain = random.Random(seed).choice(chains)  # noqa: S311 (which chain is no secret)
        return tuple(sorted(set(chain)))
    selected = tuple(sorted(p.index for p in source.passages if p.selected))
    if not selected:
        raise ValueError("source: people have selected no passages of it")
    return selected


def read_selected(reply: str, source: Source) -> Selected:
    """The passages that a reply selects, ascending; ReplyError where the source has no such one."""
    selected = object_in(reply, Selected)
    if not selected.passages:
        raise ReplyError("passages: none is selected")
    for number in selected.passages:
        if number not in source.passage_indices:
            raise ReplyError(f"passages: there is no passage {number}")
    return selected.model_copy(update={"passages": tuple(sorted(set(selected.passages)))})


def _material(source: Source, indices: tuple[int, ...]) -> str:
    """The claim, its verdict, and the passages of these indices."""
    passages = tuple(source.passage(index) for index in sorted(indices))
    return as_prompt(
        Surroundings(**shown(source.model_copy(update={"passages": passages}), EVERYTHING))
    )
