"""Explanations with citations, written by a chat model from the evidence on a claim.

Following "Evaluating Evidence Attribution in Generated Fact Checking Explanations", section 3.2:
evidence is selected first, by people or by the same model; the prompts are our own.
"""

import random
from pathlib import Path
from string import Template
from typing import Any, Literal

from judges.generators.text import Generating, Generation, Written
from judges.methods.contract import Ask, Cost
from judges.methods.conversation import Step, Talk
from tasktypes.contract import ReplyError, Schema, TaskType
from tasktypes.material import Source
from tasktypes.replies import object_in
from tasktypes.surroundings import EVERYTHING, Surroundings, as_prompt, shown

EVIDENCE, EXPLANATION = (
    (Path(__file__).parent / f"prompt_{name}.txt").read_text(encoding="utf-8")
    for name in ("evidence", "explanation")
)
_EXPLANATION_TOKENS = 250


class Explaining(Generation):
    """evidence: whose selection an explanation is based on.

    human: one of the chains that came with the source, by seed; without chains, the passages
    that are marked as selected. machine: what the model itself selects first.
    """

    evidence: Literal["human", "machine"] = "human"


class Selected(Schema):
    """The passages that a model selected, and why."""

    passages: tuple[int, ...]
    justification: str


class Explainer(Generating[Explaining]):
    """Writes one explanation for each source."""

    name = "explanation"
    title = "Explanations"
    description = (
        "Selects evidence, by people's chains or by the model itself, and has the model write one "
        "paragraph that cites every selected passage once."
    )
    Parameters = Explaining

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        own = f"Evidence:\n\n{EVIDENCE}\n" if self.parameters.evidence == "machine" else ""
        return f"{own}Explanation:\n\n{EXPLANATION}"

    def plan(self, ask: Ask) -> Cost:
        source = Source.model_validate(ask.raw_payload)
        material = _material(source, tuple(source.passage_indices))
        steps = [Step(EXPLANATION + material, reply_tokens=_EXPLANATION_TOKENS)]
        if self.parameters.evidence == "machine":
            steps.insert(0, Step(EVIDENCE + material))
        return self.expected(*steps)

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        source = Source.model_validate(ask.raw_payload)
        if not (source.claim and source.passages):
            raise ValueError("source: has no claim, or no passages to explain it by")
        given, why = await self._evidence(source, ask, talk)
        prompt = Template(EXPLANATION).substitute(material=_material(source, given))
        said = await talk.say(prompt, step="explanation")
        text = " ".join(said.text.split())
        if not text:
            raise talk.unreadable(said, "the reply is empty")
        return Written(text=text, given=given, justification=why)

    async def _evidence(self, source: Source, ask: Ask, talk: Talk) -> tuple[tuple[int, ...], str]:
        if self.parameters.evidence == "human":
            return chosen_by_people(source, seed=ask.seed), ""
        prompt = Template(EVIDENCE).substitute(
            material=_material(source, tuple(p.index for p in source.passages))
        )
        said = await talk.say(prompt, step="evidence", schema=Selected)
        try:
            selected = read_selected(said.text, source)
        except ReplyError as error:
            raise talk.unreadable(said, str(error)) from error
        return selected.passages, selected.justification


def chosen_by_people(source: Source, *, seed: int) -> tuple[int, ...]:
    """One of the source's chains, by seed, or else its selected passages; ascending.

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
    """The passages that a reply names, ascending; ReplyError where they are none of these."""
    selected = object_in(reply, Selected)
    if not selected.passages:
        raise ReplyError("passages: none is selected")
    for number in selected.passages:
        if number not in source.passage_indices:
            raise ReplyError(f"passages: there is no passage {number}")
    return selected.model_copy(update={"passages": tuple(sorted(set(selected.passages)))})


def _material(source: Source, given: tuple[int, ...]) -> str:
    """The claim, its verdict, and those of its passages."""
    passages = tuple(source.passage(index) for index in sorted(given))
    return as_prompt(
        Surroundings(**shown(source.model_copy(update={"passages": passages}), EVERYTHING))
    )
