"""The interface of judge methods: a method turns a Question into an Answer, and keeps replies."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic

from judges.backends.contract import Failure, Reply
from judges.methods.asks import Ask, AskOutcome, Tools
from judges.methods.options import (
    CostOptions,
    ExampleOptions,
    MaterialOptions,
    ModelOptions,
    PaceOptions,
    PromptOptions,
    S,
    VoteOptions,
)
from tasktypes.contract import TaskType
from tasktypes.schemas import Schema


class NoParameters(Schema):
    """For a method without parameters."""


class Method(
    ModelOptions[S],
    PromptOptions[S],
    ExampleOptions[S],
    VoteOptions[S],
    CostOptions,
    PaceOptions,
    MaterialOptions,
    ABC,
    Generic[S],
):
    """One way of answering: a subclass says what it is, and has `answer`.

    Everything else has a default; `judges.methods.options` has it by concern. serves: the task
    types that it answers. version: raise it when the method answers differently than before.
    by_hand: whether people define judges of it; others are made by a button of their own.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    version: ClassVar[int] = 1
    by_hand: ClassVar[bool] = True
    serves: ClassVar[tuple[TaskType[Any, Any, Any], ...]]
    Parameters: type[S]

    def __init__(self, parameters: S, *, model: str = "", backend: str = "") -> None:
        self.parameters = parameters
        self.model = model
        self.backend = backend
        self.tools = Tools()

    @classmethod
    def can_serve(cls, task_type: TaskType[Any, Any, Any]) -> bool:
        return any(served.slug == task_type.slug for served in cls.serves)

    @abstractmethod
    def answer(self, ask: Ask) -> AskOutcome:
        """The outcome of one ask. ValueError where the question cannot be answered."""

    def answers(self, asks: Iterable[Ask]) -> Iterator[AskOutcome]:
        """Outcomes as they come, in any order; closing the iterator stops the rest.

        A method that works in batches, or with several calls in flight, overrides this one.
        """
        for ask in asks:
            try:
                yield self.answer(ask)
            except ValueError as error:
                yield AskOutcome(ask, (Reply().failed(Failure.ERROR, str(error)),))
