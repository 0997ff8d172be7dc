"""A chat model that gets the instructions people get, and nothing to learn from."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, preceded
from judges.methods.conversation import ChatMethod, ChatParameters, Talk
from tasktypes.contract import Facet, ReplyError, Schema, TaskType
from tasktypes.registry import TASK_TYPES


class Parameters(ChatParameters):
    """`shows`: all that people see, or only the text in question and what it is held against."""

    shows: Literal["all", "bare"] = Field(default="all")


class ZeroShot(ChatMethod[Parameters]):
    """One call per answer: the task type's own prompt, and its own reading of the reply."""

    name = "zero_shot"
    title = "Chat model, no examples"
    version = 2
    description = (
        "Gives a chat model what people get: the study's instructions and the meanings of its "
        "verdicts, then the task and the unit; and asks for an answer in the JSON schema of the "
        "task type. Where the endpoint can hold a model to a schema, it is held to it; in either "
        "case the reply is read by the task type, and what does not fit is a parse failure. "
        "Sentences are numbered from 0 in prompt and reply."
    )
    serves = TASK_TYPES
    Parameters = Parameters

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        if self._is_bare and not task_type.bare_prompt_template:
            return f"{task_type.title} has no prompt that shows less (parameter shows)"
        return ""

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return task_type.bare_prompt_template if self._is_bare else task_type.prompt_template

    @property
    def heeds_instructions(self) -> bool:
        return not self._is_bare

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        kind = ask.task_type
        said = await talk.say(self._prompt(ask), schema=kind.reply_schema)
        try:
            answer: Schema = kind.parse_reply(ask.payload, said.text)
        except ReplyError as error:
            raise talk.unreadable(said, str(error)) from error
        return answer

    @property
    def _is_bare(self) -> bool:
        return self.parameters.shows == "bare"

    def _prompt(self, ask: Ask) -> str:
        kind = ask.task_type
        if self._is_bare:
            return kind.bare_prompt(ask.payload)
        return preceded(ask.told, kind.prompt(ask.payload))
