"""A chat model with the instructions that people get, in one call."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from judges.methods.asks import Ask
from judges.methods.conversation import (
    ChatMethod,
    ChatParameters,
    Conversation,
    Step,
    with_slots_of_payload,
)
from judges.methods.conversation.messages import Message
from judges.methods.conversation.reasons import ReplyKind
from judges.methods.conversation.steps import Turn, own_text
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.prompts import setting, slots_in
from tasktypes.machines.replies import ReplyError
from tasktypes.machines.reply_forms import ReplyForm
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

ANSWER = "answer"
INSTRUCTIONS = "instructions"
JSON = "json"


class ZeroShotParameters(ChatParameters):
    """"""

    shows: Literal["all", "bare"] = Field(default="all")
    """Everything that people see, or only the text in question and its evidence."""
    reply: str = JSON
    """The form of reply that a template of one's own asks for: `json`, or a form of the task type.
    """

    later = ChatParameters.later | {"reply"}


@dataclass(frozen=True)
class _Shown:
    """A question with the study's instructions."""

    payload: Any
    instructions: str


class ZeroShot(ChatMethod[ZeroShotParameters]):
    """One call per answer, with the task type's own prompt and its own parser of replies."""

    name = "zero_shot"
    title = "Chat model"
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

    @classmethod
    def resolve_parameters(cls, parameters: ZeroShotParameters) -> ZeroShotParameters:
        if parameters.template and parameters.shows == "bare":
            raise ValueError("shows: has no effect beside a template")
        if parameters.reply != JSON and not parameters.template:
            raise ValueError("reply: our own prompt asks for JSON; give a template")
        return super().resolve_parameters(parameters)

    @classmethod
    def steps(
        cls, parameters: ZeroShotParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        is_bare = parameters.shows == "bare"
        form = _form(parameters, task_type)

        def turns(payload: Any, answer: Any, subject: _Shown) -> Iterable[Turn]:
            write = task_type.written_reply if form is None else form.write
            return [(replace(subject, payload=payload), write(payload, answer))]

        instructions = setting(
            INSTRUCTIONS,
            "the study's instructions and the meanings of its verdicts",
            lambda subject: subject.instructions,
        )
        return (
            Step(
                ANSWER,
                task_type.bare_prompt_template if is_bare else task_type.prompt_template,
                with_slots_of_payload((instructions,), task_type.slots),
                reply=_place_of_reason(parameters),
                turns=turns,
            ),
        )

    @classmethod
    def with_text(cls, parameters: ZeroShotParameters, question: str) -> ZeroShotParameters:
        """A template of one's own asks for what it wants itself."""
        if parameters.template:
            return parameters
        return parameters.model_copy(update={"reason": "before", "reason_question": question})

    @classmethod
    def prompt_problem(
        cls, parameters: ZeroShotParameters, task_type: TaskType[Any, Any, Any], block: str = ""
    ) -> str:
        names = [JSON, *(form.name for form in task_type.reply_forms)]
        if parameters.reply not in names:
            return f"reply: {task_type.title} has no such form of reply ({', '.join(names)})"
        return super().prompt_problem(parameters, task_type, block)

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        if self._is_bare and not task_type.bare_prompt_template:
            return f"{task_type.title} has no prompt that shows less (parameter shows)"
        return super().objection(task_type, facets, block)

    @property
    def uses_instructions(self) -> bool:
        """Our own prompts stand after them; a template shows them where it names them."""
        own = own_text(self.parameters.template, ANSWER)
        return INSTRUCTIONS in slots_in(own) if own else not self._is_bare

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        kind, form = ask.task_type, _form(self.parameters, ask.task_type)
        schema = kind.reply_schema if form is None else None
        reply = await conversation.send(self._messages(ask), schema=schema)
        read = kind.parse_reply if form is None else form.read
        try:
            text = conversation.answer_text(reply, schema)
            answer: Schema = read(ask.payload, text)
        except ReplyError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return answer

    @property
    def _is_bare(self) -> bool:
        return self.parameters.shows == "bare"

    def _messages(self, ask: Ask) -> tuple[Message, ...]:
        prompts = self.prompts(ask.task_type)
        before = "" if self.parameters.template else ask.instructions
        shown = _Shown(ask.payload, ask.instructions)
        return prompts.messages(ANSWER, shown, block=ask.block, instructions=before)


def _form(parameters: ZeroShotParameters, task_type: TaskType[Any, Any, Any]) -> ReplyForm | None:
    """The form of reply that the judge's template asks for; None for JSON."""
    return next((form for form in task_type.reply_forms if form.name == parameters.reply), None)


def _place_of_reason(parameters: ZeroShotParameters) -> ReplyKind:
    return "json" if parameters.reply == JSON else "line"
