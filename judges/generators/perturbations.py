"""Variants of a text that lack its most important statement, or have it wrong.

They are what importance-sensitive judges must notice ("All Claims Are Equal, but Some Claims Are
More Equal Than Others", arXiv 2510.07083, section 3.2); the prompts are our own.
"""

from pathlib import Path
from string import Template
from typing import Any, Literal

from judges.generators.text import Generating, Generation, Written
from judges.methods.contract import Ask, Cost
from judges.methods.conversation import Step, Talk
from tasktypes.contract import ReplyError, Schema, TaskType
from tasktypes.material import Text
from tasktypes.prompts import labelled, one_line
from tasktypes.replies import object_in

Condition = Literal["missing", "wrong"]
CONDITIONS: tuple[Condition, ...] = ("missing", "wrong")
PROMPTS: dict[Condition, str] = {
    condition: (Path(__file__).parent / f"prompt_{condition}.txt").read_text(encoding="utf-8")
    for condition in CONDITIONS
}
_TEXT_TOKENS = 300


class Perturbing(Generation):
    """condition: the most important statement is left out (missing), or falsified (wrong)."""

    condition: Condition


class Original(Schema):
    """What a variant is made of."""

    query: str = ""
    claim: str = ""
    verdict: str = ""
    text: Text


class Varied(Schema):
    """A variant, and the statement that it is about."""

    statement: Text
    text: Text


class Perturber(Generating[Perturbing]):
    """Makes one variant of each text."""

    name = "perturbation"
    title = "Perturbed texts"
    description = (
        "Has the model find the most important statement of a text, and leave it out or make it "
        "false, with everything else as it was."
    )
    Parameters = Perturbing

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return PROMPTS[self.parameters.condition]

    def plan(self, ask: Ask) -> Cost:
        text = self._prompt(Original.model_validate(ask.raw_payload))
        return self.expected(Step(text, reply_tokens=_TEXT_TOKENS))

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        original = Original.model_validate(ask.raw_payload)
        said = await talk.say(self._prompt(original), step="variant", schema=Varied)
        try:
            varied = read_varied(said.text, original)
        except ReplyError as error:
            raise talk.unreadable(said, str(error)) from error
        return Written(text=varied.text, statement=varied.statement)

    def _prompt(self, original: Original) -> str:
        return Template(PROMPTS[self.parameters.condition]).substitute(
            about=labelled(Query=original.query, Claim=original.claim, Verdict=original.verdict),
            text=one_line(original.text),
        )


def read_varied(reply: str, original: Original) -> Varied:
    """The variant in a reply; ReplyError where it is none."""
    varied = object_in(reply, Varied)
    if one_line(varied.text) == one_line(original.text):
        raise ReplyError("text: is the same as before")
    return varied.model_copy(update={"text": one_line(varied.text)})
