"""What prompts of one's own can name, by task type and by step of a method."""

from collections.abc import Iterator
from typing import Any

from docs.generate import schemas
from docs.generate.markdown import code, codes, folded, table
from generators.explanations import ExplanationParameters
from generators.generator import TextGenerator
from generators.kinds import KINDS
from generators.perturbations import PerturbationParameters
from judges.methods.contract import Method
from judges.methods.conversation import ChatMethod
from judges.methods.conversation.examples import WorkedExample
from judges.methods.conversation.steps import Step
from judges.methods.fingract.parameters import FinGrActParameters
from judges.methods.registry import METHODS
from judges.methods.vital import VitalParameters
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import FENCE, FENCE_DESCRIPTION, Slot
from tasktypes.registry import TASK_TYPES

# Filled in when the judge is defined.
FILLED_IN = ("study", "payload", "source")
# Parameters with which a method has all of its steps.
WHOLE: dict[type, dict[str, Any]] = {
    FinGrActParameters: {"errors": "own"},
    VitalParameters: {"claims": "own"},
    ExplanationParameters: {"evidence": "machine"},
    PerturbationParameters: {"condition": "wrong"},
}


def examples() -> str:
    """What stands in an example."""
    return schemas.fields(WorkedExample, without=FILLED_IN)


def slots() -> str:
    """The slots of task types; those that mean the same are one row."""
    types: dict[tuple[str, str], list[str]] = {}
    for kind in TASK_TYPES:
        for slot in kind.slots:
            types.setdefault((slot.name, slot.description), []).append(kind.slug)
    rows = [
        [f"`${name}`", description, "all" if len(slugs) == len(TASK_TYPES) else codes(slugs)]
        for (name, description), slugs in types.items()
    ]
    listed = table(
        ["slot", "what stands there", "task types"],
        [[f"`${FENCE}`", FENCE_DESCRIPTION, "all"], *rows],
    )
    return folded("Slots by task type", listed)


def steps() -> str:
    """The steps of methods with the slots that they have besides those of the task type."""
    rows = []
    methods: tuple[type[Method[Any]], ...] = (
        *METHODS,
        *dict.fromkeys(kind.generator for kind in KINDS),
    )
    for method in methods:
        if not issubclass(method, ChatMethod):
            continue
        for step, kinds in _steps(method).items():
            own = ", ".join(_described(name, text) for name, text in kinds.items())
            rows.append([code(method.name), code(step), own])
    return folded("Slots by step", table(["method", "step", "slots of its own"], rows))


def _described(name: str, text: str) -> str:
    """The slot with its meaning, unless the table of slots has it under that name."""
    known = any(
        (slot.name, slot.description) == (name, text) for t in TASK_TYPES for slot in t.slots
    )
    return code(f"${name}") if known else f"{code(f'${name}')} ({text})"


def _steps(method: type[ChatMethod[Any]]) -> dict[str, dict[str, str]]:
    """The own slots of each step, by name, with their meanings."""
    parameters = method.Parameters.model_validate(WHOLE.get(method.Parameters, {}))
    own: dict[str, dict[str, str]] = {}
    for kind in method.serves or TASK_TYPES[:1]:
        for step in method.steps(parameters, kind):
            slots = _own(step, None if issubclass(method, TextGenerator) else kind)
            own.setdefault(step.name, {}).update({s.name: s.description for s in slots})
    return own


def _own(step: Step, kind: TaskType[Any, Any, Any] | None) -> Iterator[Slot]:
    of_type = {slot.name: slot.description for slot in kind.slots} if kind else {}
    return (slot for slot in step.slots if of_type.get(slot.name) != slot.description)
