"""A chat model with the instructions that people get, and no examples."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, with_instructions
from judges.methods.conversation import ChatMethod, ChatParameters, Conversation
from tasktypes.contract import Facet, ReplyError, Schema, TaskType
from tasktypes.registry import TASK_TYPES


class ZeroShotParameters(ChatParameters):
    """shows: everything that people see, or only the text in question and its evidence."""

    shows: Literal["all", "bare"] = Field(default="all")


class ZeroShot(ChatMethod[ZeroShotParameters]):
    """One call per answer, with the task type's own prompt and its own parser of replies."""

    name = "zero_shot"
    title = "Chat model, no examples"
    version = 3
    description = (
        "Gives a chat model what people get: the study's instructions and the meanings of its "
        "verdicts, then the task and the unit; and asks for an answer in the JSON schema of the "
        "task type. Endpoints that can hold a model to a schema do so; in either "
        "case the task type reads the reply, and a reply that does not fit is a parse failure. "
        "Sentences are numbered from 0 in prompt and reply."
    )
    serves = TASK_TYPES
    Parameters = ZeroShotParameters

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        if self._is_bare and not task_type.bare_prompt_template:
            return f"{task_type.title} has no prompt that shows less (parameter shows)"
        return ""

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return task_type.bare_prompt_template if self._is_bare else task_type.prompt_template

    @property
    def uses_instructions(self) -> bool:
        return not self._is_bare

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        kind = ask.task_type
        reply = await conversation.send(self._prompt(ask), schema=kind.reply_schema)
        try:
            answer: Schema = kind.parse_reply(ask.payload, reply.text)
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return answer

    @property
    def _is_bare(self) -> bool:
        return self.parameters.shows == "bare"

    def _prompt(self, ask: Ask) -> str:
        kind = ask.task_type
        if self._is_bare:
            return kind.bare_prompt(ask.payload)
        return with_instructions(ask.instructions, kind.prompt(ask.payload))
