"""Variants of a text in which the most important statement is missing or wrong.

Importance-sensitive judges must notice them ("All Claims Are Equal, but Some Claims Are
More Equal Than Others", arXiv 2510.07083, section 3.2); the prompts are our own.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from generators.generator import GeneratedText, GeneratorParameters, TextGenerator
from judges.methods.asks import Ask, Cost
from judges.methods.conversation import Conversation, PlannedStep, Step
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import Slot, in_lines, labelled, one_line
from tasktypes.machines.replies import ReplyError, object_in
from tasktypes.schemas import Schema
from tasktypes.texts.material import Text, is_known
from tasktypes.texts.written import is_empty

Condition = Literal["missing", "wrong"]
CONDITIONS: tuple[Condition, ...] = ("missing", "wrong")
PROMPTS: dict[Condition, str] = {
    condition: (Path(__file__).parent / "prompts" / f"{condition}.txt").read_text(encoding="utf-8")
    for condition in CONDITIONS
}
_TEXT_TOKENS = 300


class PerturbationParameters(GeneratorParameters):
    """"""

    condition: Condition
    """The most important statement is left out (missing) or falsified (wrong)."""


class Original(Schema):
    """The text that a variant is made from, and what it is about."""

    query: str = ""
    claim: str = ""
    verdict: str = ""
    text: Text
    # Absent where nobody has ranked its statements, so that the material stays what it was.
    ranked: Annotated[str, Field(exclude_if=is_empty)] = ""
    """The statement that was ranked as the most important one."""


class Varied(Schema):
    """A variant, and the statement that it is about."""

    statement: Text
    text: Text


def _about(original: Original) -> str:
    known = {"Query": original.query, "Claim": original.claim, "Verdict": original.verdict}
    return labelled(**known, **{"Most important statement": original.ranked})


SLOTS = (
    Slot(
        "about",
        "query, claim, verdict and the statement that was ranked first, as far as there are",
        _about,
    ),
    Slot(
        "ranked",
        "the statement that was ranked as the most important one, where one was",
        lambda original: one_line(original.ranked),
    ),
    Slot("text", "the text to change", lambda original: in_lines(original.text)),
)


class Perturber(TextGenerator[PerturbationParameters]):
    """Makes one variant of each text."""

    name = "perturbation"
    title = "Perturbed texts"
    description = (
        "Has the model leave out the most important statement of a text, or make it false, without "
        "any other change: the one that was ranked first by people, by a list that was accepted or "
        "by a judge, else one that the model finds."
    )
    Parameters = PerturbationParameters

    @classmethod
    def steps(
        cls, parameters: PerturbationParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        return (Step("variant", PROMPTS[parameters.condition], SLOTS),)

    def plan(self, ask: Ask) -> Cost:
        original = Original.model_validate(ask.raw_payload)
        text = self.prompts(ask.task_type).user_message("variant", original)
        return self.expected(PlannedStep(text, reply_tokens=_TEXT_TOKENS))

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        original = Original.model_validate(ask.raw_payload)
        if not is_known(original.text):
            raise ValueError("text: the imported file does not contain it")
        messages = self.messages(ask, "variant", original)
        reply = await conversation.send(messages, step="variant", schema=Varied)
        try:
            varied = read_varied(conversation.answer_text(reply, Varied), original)
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return GeneratedText(text=varied.text, statement=varied.statement)


def read_varied(reply: str, original: Original) -> Varied:
    """The variant in a reply; ReplyError where there is none, or the text is unchanged."""
    varied = object_in(reply, Varied)
    if one_line(varied.text) == one_line(original.text):
        raise ReplyError("text: is the same as before")
    # A variant of running text is running text, whatever lines a model adds to it.
    text = varied.text.strip() if "\n" in original.text else one_line(varied.text)
    return varied.model_copy(update={"text": text})
