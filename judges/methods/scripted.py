"""The judge that replays a file: the type's own prompt goes out, the file's reply comes back."""

from pathlib import Path
from typing import Any

from pydantic import Field

from judges.backends.contract import Failure, Reply, Request
from judges.backends.scripted import NAME, ScriptedBackend, fingerprint
from judges.methods.contract import Ask, Method, Outcome
from tasktypes.contract import ReplyError, Schema, TaskType
from tasktypes.registry import TASK_TYPES


class Replies(Schema):
    """Where the replies are.

    file: the file that holds them. sha256: filled in when the judge is defined. delay_ms: how long
    every reply takes.
    """

    file: str = Field(min_length=1)
    sha256: str = ""
    delay_ms: int = Field(default=0, ge=0)


class Scripted(Method[Replies]):
    """Answers with recorded replies, read by the task type like any machine's."""

    name = "scripted"
    title = "Recorded replies"
    description = (
        "Puts the task type's prompt to nobody and takes the reply from a file instead, which it "
        "then reads like any model's. For trying things out, and for replaying a past run."
    )
    serves = TASK_TYPES
    backends = (NAME,)
    files = ("file",)
    Parameters = Replies

    def __init__(self, parameters: Replies, *, model: str = "", backend: str = "") -> None:
        super().__init__(parameters, model=model, backend=backend)
        self.asked = ScriptedBackend(
            Path(parameters.file), sha256=parameters.sha256, delay=parameters.delay_ms / 1000
        )

    @classmethod
    def settled(cls, parameters: Replies) -> Replies:
        """The same file, found from anywhere, and known by its content."""
        file = Path(parameters.file).expanduser().resolve()
        if not file.is_file():
            raise ValueError(f"file: there is no file {file}")
        settled = parameters.model_copy(update={"file": str(file), "sha256": fingerprint(file)})
        cls(settled)
        return settled

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return task_type.prompt_template

    def first_said(self, ask: Ask) -> str:
        return ask.task_type.prompt(ask.payload)

    def answer(self, ask: Ask) -> Outcome:
        request = Request(
            prompt=ask.task_type.prompt(ask.payload),
            unit=ask.unit,
            block=ask.block,
            replicate=ask.replicate,
            sample=0,
            seed=ask.seed,
        )
        return self._read(ask, self.asked.reply(request))

    def _read(self, ask: Ask, reply: Reply) -> Outcome:
        if reply.failure:
            return Outcome(ask, (reply,))
        try:
            answer = ask.task_type.parse_reply(ask.payload, reply.spoken)
        except ReplyError as error:
            return Outcome(ask, (reply.failed(Failure.PARSE_FAILURE, str(error)),))
        return Outcome(ask, (reply,), answer)
