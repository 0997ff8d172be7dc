"""Explanations with citations, which a chat model writes from the evidence on a claim.

Following "Evaluating Evidence Attribution in Generated Fact Checking Explanations", section 3.2:
evidence is selected first, by people or by the same model; the prompts are our own.
"""

import random
import re
from pathlib import Path
from typing import Any, Literal

from generators.generator import GeneratedText, GeneratorParameters, TextGenerator
from generators.written_texts import written_text
from judges.methods.asks import Ask, Cost
from judges.methods.conversation import ChatParameters, Conversation, PlannedStep, Step
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import Slot, entry
from tasktypes.machines.replies import ReplyError, object_in
from tasktypes.schemas import Schema
from tasktypes.texts.material import Source
from tasktypes.texts.surroundings import EVERYTHING, Surroundings, as_prompt, shown
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS

EVIDENCE, EXPLANATION = (
    (Path(__file__).parent / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("evidence", "explanation")
)
_EXPLANATION_TOKENS = 250
_LIST = re.compile(
    r"(?:[^\n\[:]{1,40}:)?\s*\[(?P<numbers>\s*\d{1,9}(?:\s*,\s*\d{1,9})*\s*)\]\.?\s*"
    r"(?:Justification\s*:)?(?P<rest>.*)\Z",
    re.DOTALL | re.IGNORECASE,
)
SLOTS = (
    *SURROUNDINGS,
    Slot(
        "reasons",
        "the passages as `Reason [number] text`, a line each",
        lambda shown: _reasons(shown, ""),
    ),
    Slot(
        "reasons_with_colons",
        "the passages as `Reason [number]: text`, a line each",
        lambda shown: _reasons(shown, ":"),
    ),
)


class ExplanationParameters(GeneratorParameters):
    """"""

    evidence: Literal["human", "machine"] = "human"
    """Who selects the passages for an explanation. human: one of the source's chains, by seed;
    without chains, the passages that are marked as selected. machine: the model itself, in a first
    step."""
    reply: Literal["json", "list"] = "json"
    """How that step answers where its template is one's own: as `json`, or as a `list` of numbers
    in brackets, with the justification after it."""

    citations: Literal["required", "free"] = "required"
    """Whether an explanation that cites none of its passages is a failure; `free` for a template of
    one's own that asks for no citations."""

    later = ChatParameters.later | {"reply", "citations"}


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

    @classmethod
    def steps(
        cls, parameters: ExplanationParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        explanation = Step("explanation", EXPLANATION, SLOTS, reply="text")
        if parameters.evidence == "human":
            return (explanation,)
        return Step("evidence", EVIDENCE, SLOTS), explanation

    def plan(self, ask: Ask) -> Cost:
        source = Source.model_validate(ask.raw_payload)
        material = as_prompt(_shown(source, tuple(source.passage_indices)))
        steps = [
            PlannedStep(
                self.template(ask, "explanation") + material, reply_tokens=_EXPLANATION_TOKENS
            )
        ]
        if self.parameters.evidence == "machine":
            steps.insert(0, PlannedStep(self.template(ask, "evidence") + material))
        return self.expected(*steps)

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        source = Source.model_validate(ask.raw_payload)
        passages, justification = await self._evidence(source, ask, conversation)
        about = _shown(source, passages)
        messages = self.messages(ask, "explanation", about)
        reply = await conversation.send(messages, step="explanation")
        cites = source.passage_indices if self.parameters.citations == "required" else ()
        text = written_text(conversation, reply, about=about, thing="explanation", cites=cites)
        return GeneratedText(text=text, given=passages, justification=justification)

    async def _evidence(
        self, source: Source, ask: Ask, conversation: Conversation
    ) -> tuple[tuple[int, ...], str]:
        if self.parameters.evidence == "human":
            return selected_by_people(source, seed=ask.seed), ""
        everything = _shown(source, tuple(passage.index for passage in source.passages))
        messages = self.messages(ask, "evidence", everything)
        is_json = self.parameters.reply == "json"
        schema = Selected if is_json else None
        reply = await conversation.send(messages, step="evidence", schema=schema)
        try:
            text = conversation.answer_text(reply, Selected) if is_json else reply.text
            selected = read_selected(text, source, as_list=not is_json)
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return selected.passages, selected.justification


def lacks(source: Source, evidence: str) -> str:
    """What a source lacks to be explained, as in "sources …"; empty where nothing."""
    if not source.claim:
        return "without a claim"
    if not source.passages:
        return "with a claim but without passages"
    if evidence == "human":
        try:
            selected_by_people(source, seed=0)
        except ValueError:
            return "of which people have selected no passages"
    return ""


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


def read_selected(reply: str, source: Source, *, as_list: bool = False) -> Selected:
    """The passages that a reply selects, ascending; ReplyError where the source has no such one."""
    selected = _listed(reply) if as_list else object_in(reply, Selected)
    if not selected.passages:
        raise ReplyError("passages: none is selected")
    for number in selected.passages:
        if number not in source.passage_indices:
            raise ReplyError(f"passages: there is no passage {number}")
    return selected.model_copy(update={"passages": tuple(sorted(set(selected.passages)))})


def _reasons(shown: Surroundings, mark: str) -> str:
    return "\n".join(entry(f"Reason [{p.index}]{mark}", p.text) for p in shown.passages)


def _listed(reply: str) -> Selected:
    """`[3,5]`, after a few words at most, and what follows as the justification."""
    match = _LIST.match(reply.strip())
    if match is None:
        raise ReplyError("the reply does not begin with numbers in brackets")
    numbers = tuple(int(number) for number in match["numbers"].split(","))
    return Selected(passages=numbers, justification=match["rest"].strip())


def _shown(source: Source, indices: tuple[int, ...]) -> Surroundings:
    """The claim, its verdict, and the passages of these indices."""
    passages = tuple(source.passage(index) for index in sorted(indices))
    return Surroundings(**shown(source.model_copy(update={"passages": passages}), EVERYTHING))
