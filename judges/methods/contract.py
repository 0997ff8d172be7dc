"""What every judge method is: a Question becomes an Answer, call by call, with every reply kept.

Methods know nothing of the database: a run hands them asks and writes down their outcomes.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from judges.backends.contract import Failure, NoCache, Reply, ReplyCache
from judges.retrieval.page import NoPages, Pages
from tasktypes.contract import Facet, Schema, TaskType

S = TypeVar("S", bound=Schema)


class BadModel(ValueError):
    """It is the model that cannot be used, and no parameter; the message says why."""


class NoParameters(Schema):
    """Of a method that has nothing to set."""


@dataclass(frozen=True)
class Ask:
    """One question put to a judge, once per replicate."""

    question_id: int
    unit: str
    block: str
    task_type: TaskType[Any, Any, Any]
    raw_payload: Mapping[str, Any]
    replicate: int = 0
    seed: int = 0
    # What people are told beside every question, for a method that heeds it.
    told: str = ""
    # What the judges that the method names (`Method.heard`) answered, by their names.
    votes: "Mapping[str, Vote]" = field(default_factory=dict)

    @cached_property
    def payload(self) -> Any:
        """The payload in its type's schema, read only where somebody looks at it."""
        return self.task_type.Payload.model_validate(self.raw_payload)


@dataclass(frozen=True)
class Vote:
    """What another judge has answered; by: its name and version."""

    by: str
    answer: Any


@dataclass(frozen=True)
class Cost:
    """What an answer will take, before it is asked for. None: cannot be told."""

    calls: int = 1
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)


@dataclass(frozen=True)
class Outcome:
    """What came of an ask: an answer or none, and one reply per call that was made."""

    ask: Ask
    replies: tuple[Reply, ...]
    answer: Schema | None = None

    def __post_init__(self) -> None:
        if self.answer is None and not any(reply.failure for reply in self.replies):
            raise ValueError("an outcome without an answer needs a reply that says why")


@dataclass(frozen=True)
class Later:
    """Requests that are to go out as one batch, by the keys under which replies are looked for:
    `{"for": the answer, "body": what is sent}`."""

    endpoint: str
    model: str
    requests: Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class Tools:
    """What a run lends to a method, which knows nothing of the database."""

    replies: ReplyCache = field(default_factory=NoCache)
    pages: Pages = field(default_factory=NoPages)
    # Told of every outcome as it comes, in whatever thread: before it is written down.
    told: "Callable[[Outcome], None]" = field(default=lambda outcome: None)
    # Given what has to be asked before the asks without an outcome can go on.
    later: Callable[[Later], None] = field(default=lambda later: None)


class Method(ABC, Generic[S]):
    """One way of answering. `serves` is the data on which question goes to which method.

    `version` grows whenever the method answers otherwise than before. `backends` names the
    backends it can ask; none: it asks nobody.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    version: ClassVar[int] = 1
    serves: ClassVar[tuple[TaskType[Any, Any, Any], ...]]
    backends: ClassVar[tuple[str, ...]] = ()
    # What is asked where a judge names no model, by backend; the judge then names it.
    default_models: ClassVar[Mapping[str, str]] = {}
    # How many answers one background task takes on.
    answers_per_chunk: ClassVar[int] = 50
    # How many asks it has under way at once, or more. Above 1 they cost something: when a run
    # stops, those under way are waited for.
    at_once: ClassVar[int] = 1
    # Which parameters name a file of this machine; and which fields (`model`, `parameters.…`)
    # name a model that runs here, which a folder can hold. No page may name either.
    files: ClassVar[tuple[str, ...]] = ()
    models_here: ClassVar[tuple[str, ...]] = ()
    # True where its numbers may lie between the points that people choose from.
    between_points: ClassVar[bool] = False
    Parameters: type[S]

    def __init__(self, parameters: S, *, model: str = "", backend: str = "") -> None:
        self.parameters = parameters
        self.model = model
        self.backend = backend
        self.tools = Tools()

    @property
    def heeds_instructions(self) -> bool:
        """Whether it puts what people are told in the study (`Ask.told`) before its prompt."""
        return False

    def heard(self) -> tuple[str, ...]:
        """The judges whose answers the method is to be given with each ask."""
        return ()

    @classmethod
    def settled(cls, parameters: S) -> S:
        """The parameters as a judge keeps them for good, once they are known to be usable.

        ValueError('field: reason') where they are not.
        """
        return parameters

    @classmethod
    def settled_with(cls, parameters: S, *, model: str, backend: str) -> tuple[S, str]:
        """The same, and the model as the judge keeps it: for a method that pins its model.

        BadModel where the model cannot be used.
        """
        return cls.settled(parameters), model

    @classmethod
    def hearing(cls, parameters: S, versioned: Callable[[str], str]) -> S:
        """The parameters with the judges that the method hears as `versioned` names them."""
        return parameters

    @classmethod
    def can_serve(cls, task_type: TaskType[Any, Any, Any]) -> bool:
        return any(served.slug == task_type.slug for served in cls.serves)

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        """Why it cannot answer a block of a type it serves; empty where it can.

        facets: the quantities that answers of the block hold, as its options make them.
        """
        return ""

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        """The prompt before a question is filled in; empty for a method that prompts nobody."""
        return ""

    def whole_prompt(self, task_type: TaskType[Any, Any, Any], told: str) -> str:
        """The prompt with what people are told in a study before it, where the method heeds it."""
        text = self.prompt_text(task_type)
        return preceded(told, text) if text and self.heeds_instructions else text

    def first_said(self, ask: Ask) -> str:
        """What is said first about a question, filled in; empty where that cannot be told without
        asking anybody."""
        return ""

    def plan(self, ask: Ask) -> Cost:
        """What the answer will take, as far as it can be told. More calls may turn out needed."""
        return Cost()

    def most_usd(self) -> Decimal | None:
        """USD that a run may spend at most where it asks; None: nobody has said."""
        return None

    @abstractmethod
    def answer(self, ask: Ask) -> Outcome:
        """The outcome of one ask. A question's own fault is a failure, not an exception."""

    def answers(self, asks: Iterable[Ask]) -> Iterator[Outcome]:
        """Outcomes as they come, in any order; closing the iterator stops the rest.

        A method that works in batches, or with several calls in flight, overrides this one.
        """
        for ask in asks:
            try:
                yield self.answer(ask)
            except ValueError as error:
                yield Outcome(ask, (Reply().failed(Failure.ERROR, str(error)),))


def preceded(told: str, prompt: str) -> str:
    """A prompt after what everybody is told."""
    return f"{told}\n\n{prompt}" if told else prompt


def prompt_hash(text: str) -> str:
    """SHA-256 of a prompt's text; empty where there is none."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""
