"""What a method may have beyond its answer, a class for each concern.

Every `Method` inherits all of them; each member does here what suits a method without the concern.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

from judges.methods.asks import Ask, Cost, with_instructions
from judges.methods.server_names import OfServer, server_names
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.needs import Need, absent, named
from tasktypes.schemas import Schema

S = TypeVar("S", bound=Schema)


class BadModel(ValueError):
    """The model cannot be used; the message says why. Other ValueErrors are about parameters."""


class ModelOptions(Generic[S]):
    """The model that a method asks, and its definition as a judge's row keeps it.

    backends: the names of those it can use; empty where it asks no model. default_models: the
    model, by backend, of a judge that is defined without one.
    """

    Parameters: type[S]
    backends: ClassVar[tuple[str, ...]] = ()
    default_models: ClassVar[Mapping[str, str]] = {}
    # Whether `model` names a model on this machine, and so perhaps a folder of it. False where the
    # name is only sent elsewhere, or nothing is done with it.
    opens_model: ClassVar[bool] = True

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
    def server_names(cls) -> dict[str, OfServer]:
        """The fields (`model`, `parameters.…`) of a definition that may name something of the
        server."""
        marked = {f"parameters.{name}": mark for name, mark in server_names(cls.Parameters).items()}
        return ({"model": OfServer("model")} if cls.opens_model else {}) | marked


class PromptOptions(Generic[S]):
    """Prompts, their own templates, and what is shown of them before a run."""

    @property
    def uses_instructions(self) -> bool:
        """Whether it puts the study's instructions before its prompt."""
        return False

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
    def with_text(cls, parameters: S, question: str) -> S:
        """The parameters with what a study asks everybody for beside the answer, where the method
        can ask for it."""
        return parameters

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


class ExampleOptions(Generic[S]):
    """Worked examples, which may be units of the study."""

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


class VoteOptions(Generic[S]):
    """The answers of other judges, for a method that combines them."""

    def voters(self) -> tuple[str, ...]:
        """The judges whose answers the method gets with each ask."""
        return ()

    @property
    def votes_needed(self) -> int:
        """With the answers of fewer voters it gives none."""
        return 0

    @classmethod
    def with_pinned_voters(cls, parameters: S, versioned: Callable[[str], str]) -> S:
        """The parameters with the voters' names replaced by what `versioned` returns for them."""
        return parameters


class CostOptions:
    """What answers cost."""

    def plan(self, ask: Ask) -> Cost:
        """What the answer is expected to take. It may turn out to need more calls."""
        return Cost()

    def dearest(self, ask: Ask) -> Decimal:
        """USD that the answer can cost; what is expected, for a method that knows no limit."""
        return self.plan(ask).usd or Decimal(0)

    def cost_cap(self) -> Decimal | None:
        """USD that a run may spend at most at this method's endpoint; None: no limit."""
        return None

    def endpoint_name(self) -> str:
        """The endpoint that its calls are charged to; empty where none is."""
        return ""


class PaceOptions:
    """How a run hands out its asks."""

    # How many answers are in a chunk.
    answers_per_chunk: ClassVar[int] = 50
    # How many asks are under way at once, or more. Where it is above 1 they cost money: when a run
    # stops, it waits for those under way.
    at_once: ClassVar[int] = 1

    @property
    def asks_by_batch(self) -> bool:
        """Whether its requests are collected, and sent and paid together."""
        return False

    @property
    def retrieves_pages(self) -> bool:
        """Whether it retrieves pages of the web, by `Tools.pages`."""
        return False


class MaterialOptions:
    """Which questions it answers of the types that it serves, and with what values."""

    name: ClassVar[str]
    # True where its numbers may lie between the points of a scale.
    between_points: ClassVar[bool] = False

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
