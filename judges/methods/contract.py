"""The interface of judge methods: a method turns a Question into an Answer and keeps every reply.

Methods do not use the database: a run gives them asks and writes their outcomes.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from judges.backends.contract import Failure, NoCache, Reply, ReplyCache
from judges.methods.server_names import OfServer, server_names
from judges.retrieval.page import NoPages, Pages
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.needs import Need, absent, named
from tasktypes.schemas import Schema

S = TypeVar("S", bound=Schema)


# (question id, replicate): a rater has at most one answer to it.
AnswerKey = tuple[int, int]


class BadModel(ValueError):
    """The model cannot be used; the message says why. Other ValueErrors are about parameters."""


class NoParameters(Schema):
    """For a method without parameters."""


@dataclass(frozen=True)
class Ask:
    """One question to a judge, in one replicate."""

    question_id: int
    unit: str
    block: str
    task_type: TaskType[Any, Any, Any]
    raw_payload: Mapping[str, Any]
    replicate: int = 0
    seed: int = 0
    # The study's instructions, for a method that puts them before its prompt.
    instructions: str = ""
    # What the judges in `Method.voters` answered, by their names.
    votes: "Mapping[str, Vote]" = field(default_factory=dict)

    @cached_property
    def payload(self) -> Any:
        """The payload in its type's schema; parsed on first use, as not every method needs it."""
        return self.task_type.Payload.model_validate(self.raw_payload)

    @property
    def key(self) -> AnswerKey:
        return self.question_id, self.replicate


@dataclass(frozen=True)
class Vote:
    """The answer of another judge. by: that judge's name and version."""

    by: str
    answer: Any


@dataclass(frozen=True)
class Cost:
    """What an answer is expected to take. None: unknown."""

    calls: int = 1
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)


@dataclass(frozen=True)
class AskOutcome:
    """The result of an ask: an answer or none, and one reply per call that was made."""

    ask: Ask
    replies: tuple[Reply, ...]
    answer: Schema | None = None

    def __post_init__(self) -> None:
        if self.answer is None and not any(reply.failure for reply in self.replies):
            raise ValueError("an outcome without an answer needs a reply that says why")


@dataclass(frozen=True)
class PostponedRequests:
    """Requests to send by batch. requests: by cache key, `{"for": the answer, "body": …}`."""

    endpoint: str
    model: str
    requests: Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class Tools:
    """What a run gives to a method, which does not use the database itself."""

    replies: ReplyCache = field(default_factory=NoCache)
    pages: Pages = field(default_factory=NoPages)
    # Whether another ask may begin beside so many that are under way; asked again when one of them
    # has ended. In any thread.
    may_begin: Callable[[int], bool] = field(default=lambda under_way: True)
    # Called with every outcome before it is written, in any thread.
    on_outcome: "Callable[[AskOutcome], None]" = field(default=lambda outcome: None)
    # Called with the requests that have to be answered before the remaining asks can go on.
    postpone: Callable[[PostponedRequests], None] = field(default=lambda requests: None)


class Method(ABC, Generic[S]):
    """One way of answering.

    serves: the task types that it answers. version: grows whenever the method answers differently
    than before. backends: the names of those it can use; empty where it asks no model.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    version: ClassVar[int] = 1
    serves: ClassVar[tuple[TaskType[Any, Any, Any], ...]]
    backends: ClassVar[tuple[str, ...]] = ()
    # The model, by backend, of a judge that is defined without one.
    default_models: ClassVar[Mapping[str, str]] = {}
    # How many answers are in a chunk.
    answers_per_chunk: ClassVar[int] = 50
    # How many asks are under way at once, or more. Where it is above 1 they cost money: when a run
    # stops, it waits for those under way.
    at_once: ClassVar[int] = 1
    # Whether `model` names a model on this machine, and so perhaps a folder of it. False where the
    # name is only sent elsewhere, or nothing is done with it.
    opens_model: ClassVar[bool] = True
    # True where its numbers may lie between the points of a scale.
    between_points: ClassVar[bool] = False
    Parameters: type[S]

    def __init__(self, parameters: S, *, model: str = "", backend: str = "") -> None:
        self.parameters = parameters
        self.model = model
        self.backend = backend
        self.tools = Tools()

    @property
    def uses_instructions(self) -> bool:
        """Whether it puts the study's instructions before its prompt."""
        return False

    @property
    def asks_by_batch(self) -> bool:
        """Whether its requests are collected, and sent and paid together."""
        return False

    @property
    def retrieves_pages(self) -> bool:
        """Whether it retrieves pages of the web, by `Tools.pages`."""
        return False

    def voters(self) -> tuple[str, ...]:
        """The judges whose answers the method gets with each ask."""
        return ()

    @property
    def votes_needed(self) -> int:
        """With the answers of fewer voters it gives none."""
        return 0

    @classmethod
    def resolve_parameters(cls, parameters: S) -> S:
        """The parameters as the judge's row keeps them, checked and with derived values filled in.

        ValueError('field: reason') where they cannot be used.
        """
        return parameters

    @classmethod
    def resolve_model(cls, parameters: S, *, model: str, backend: str) -> tuple[S, str]:
        """The parameters and the model as the judge's row keeps them, for methods that pin a model.

        BadModel where the model cannot be used.
        """
        return cls.resolve_parameters(parameters), model

    @classmethod
    def with_pinned_voters(cls, parameters: S, versioned: Callable[[str], str]) -> S:
        """The parameters with the voters' names replaced by what `versioned` returns for them."""
        return parameters

    @classmethod
    def prompt_problem(
        cls, parameters: S, task_type: TaskType[Any, Any, Any], block: str = ""
    ) -> str:
        """Why the judge's own prompts do not suit questions of a type; empty where they do.

        block: the key of the block that asks them; without it, what is for one block alone is not
        looked at.
        """
        return ""

    @classmethod
    def with_taken_examples(cls, parameters: S, take: Callable[[Any], Any]) -> S:
        """The parameters with every example that names a unit replaced by what `take` returns."""
        return parameters

    @classmethod
    def example_blocks(cls, parameters: S) -> tuple[str, ...]:
        """The keys of the blocks that some of its examples are for alone."""
        return ()

    def example_units(self) -> tuple[str, ...]:
        """The keys of the units that the judge is shown with their answers. It is asked about none
        of their sources."""
        return ()

    @classmethod
    def server_names(cls) -> dict[str, OfServer]:
        """The fields (`model`, `parameters.…`) of a definition that may name something of the
        server."""
        named = {f"parameters.{name}": mark for name, mark in server_names(cls.Parameters).items()}
        return ({"model": OfServer("model")} if cls.opens_model else {}) | named

    @classmethod
    def can_serve(cls, task_type: TaskType[Any, Any, Any]) -> bool:
        return any(served.slug == task_type.slug for served in cls.serves)

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        """Why it cannot answer a block of a type that it serves; empty where it can.

        facets: those of the block, by its options. block: its key.
        """
        return ""

    def needs(self, ask: Ask) -> frozenset[Need]:
        """What a question must show, or the method would judge nothing. By default what its type
        needs for any answer; a question that lacks some of it is never asked."""
        return ask.task_type.needs(ask.payload)

    def missing(self, ask: Ask) -> tuple[Need, ...]:
        """Those of its needs that a question does not show."""
        needs = self.needs(ask)
        return absent(ask.payload, needs) if needs else ()

    def check_shown(self, ask: Ask) -> None:
        """ValueError where a question does not show what the method needs."""
        if missing := self.missing(ask):
            raise ValueError(f"{self.name} needs {named(missing)}, which the question lacks.")

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        """The prompt template; empty for a method without one."""
        return ""

    def whole_prompt(self, task_type: TaskType[Any, Any, Any], instructions: str) -> str:
        """The prompt template, after the study's instructions where the method uses them."""
        text = self.prompt_text(task_type)
        return with_instructions(instructions, text) if text and self.uses_instructions else text

    def first_prompt(self, ask: Ask) -> str:
        """The first prompt about a question, filled in; empty where it depends on other replies."""
        return ""

    def later_prompts(self, ask: Ask) -> Mapping[str, str]:
        """The prompts of later steps about a question by their names, as far as they are known
        before any reply."""
        return {}

    def plan(self, ask: Ask) -> Cost:
        """What the answer is expected to take. It may turn out to need more calls."""
        return Cost()

    def dearest(self, ask: Ask) -> Decimal:
        """USD that the answer can cost; what is expected, for a method that knows no limit."""
        return self.plan(ask).usd or Decimal(0)

    def cost_cap(self) -> Decimal | None:
        """USD that a run may spend at most at this method's endpoint; None: no limit."""
        return None

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


def with_instructions(instructions: str, prompt: str) -> str:
    """A prompt after the study's instructions."""
    return f"{instructions}\n\n{prompt}" if instructions else prompt


def prompt_hash(text: str) -> str:
    """SHA-256 of a prompt; empty for an empty prompt."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""
