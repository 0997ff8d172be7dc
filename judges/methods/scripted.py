"""The scripted judge: takes every reply from a file and reads it like a model's."""

from pathlib import Path
from typing import Any

from pydantic import Field

from judges.backends.contract import Reply, Request
from judges.backends.scripted import NAME, ScriptedBackend, fingerprint
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method
from judges.methods.refusals import unreadable
from judges.methods.server_names import ServerFile
from tasktypes.contract import TaskType
from tasktypes.machines.replies import ReplyError
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

# All studies share the workers, and a reply that is waited for keeps one of them.
LONGEST_DELAY_MS = 10_000


class ScriptedParameters(Schema):
    """Where the replies are."""

    file: ServerFile = Field(min_length=1)
    """The file that holds them."""
    sha256: str = Field(default="", max_length=64)
    """Filled in when the judge is defined."""
    delay_ms: int = Field(default=0, ge=0, le=LONGEST_DELAY_MS)
    """How long every reply takes."""


class Scripted(Method[ScriptedParameters]):
    """Answers with recorded replies, which the task type reads like any model's."""

    name = "scripted"
    title = "Recorded replies"
    version = 2
    description = (
        "Makes the task type's prompt but takes the reply from a file, and reads it like any "
        "model's. For tests, and to replay a past run."
    )
    serves = TASK_TYPES
    backends = (NAME,)
    opens_model = False
    Parameters = ScriptedParameters

    def __init__(
        self, parameters: ScriptedParameters, *, model: str = "", backend: str = ""
    ) -> None:
        super().__init__(parameters, model=model, backend=backend)
        self.replies = ScriptedBackend(
            Path(parameters.file), sha256=parameters.sha256, delay=parameters.delay_ms / 1000
        )

    @classmethod
    def resolve_parameters(cls, parameters: ScriptedParameters) -> ScriptedParameters:
        """With the full path of the file and the fingerprint of its content."""
        file = Path(parameters.file).expanduser().resolve()
        if not file.is_file():
            raise ValueError(f"file: there is no file {file}")
        resolved = parameters.model_copy(update={"file": str(file), "sha256": fingerprint(file)})
        cls(resolved)  # reads the file: a malformed reply is refused here
        return resolved

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return task_type.prompt_template

    def first_prompt(self, ask: Ask) -> str:
        return ask.task_type.prompt(ask.payload)

    def answer(self, ask: Ask) -> AskOutcome:
        request = Request(
            prompt=ask.task_type.prompt(ask.payload),
            unit=ask.unit,
            block=ask.block,
            replicate=ask.replicate,
            sample=0,
            seed=ask.seed,
        )
        return self._read(ask, self.replies.reply(request))

    def _read(self, ask: Ask, reply: Reply) -> AskOutcome:
        if reply.failure:
            return AskOutcome(ask, (reply,))
        try:
            answer = ask.task_type.parse_reply(ask.payload, reply.text_without_reasoning)
        except ReplyError as error:
            return AskOutcome(ask, (unreadable(reply, str(error)),))
        return AskOutcome(ask, (reply,), answer)
