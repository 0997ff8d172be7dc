"""The steps of a chat method: what each of them asks, and what a prompt of it can show."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judges.methods.conversation.reasons import ReplyKind, asked_for
from tasktypes.machines.prompts import Slot, check_template

# A question as a step shows it, and the reply that answers it.
Turn = tuple[Any, str]
# A researcher's own text, or one for each step by its name.
Template = str | Mapping[str, str]


@dataclass(frozen=True)
class Step:
    """One kind of request.

    text: our own template. slots: what a template can name; they take the subject that the method
    makes of a question. reply: where a reason stands in the reply. reasoned: our text where a
    reason is asked for. turns: from an example's payload, its answer and the subject now asked
    about, the subjects of the example with the replies that answer them; None where examples of
    the step can only be written out. shown: the subject for a preview, of a payload alone; None
    where the question does not take the step. As a whole None where only a reply tells it.
    """

    name: str
    text: str
    slots: tuple[Slot, ...]
    reply: ReplyKind = "json"
    reasoned: str = ""
    turns: Callable[[Any, Any, Any], Iterable[Turn]] | None = None
    shown: Callable[[Any], Any] | None = None

    def our_text(self, *, asks_reason: bool, question: str = "") -> str:
        """Our own template, which asks for a reason or not, or for what answers a question."""
        if not asks_reason:
            return self.text
        return self.reasoned or self.text + (asked_for(question) if self.reply == "json" else "")


def with_slots_of_payload(own: Sequence[Slot], slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """A step's own slots and those of its task type, for subjects that have a `payload`."""
    names = {slot.name for slot in own}
    inherited = (slot.of(lambda subject: subject.payload) for slot in slots)
    return (*own, *(slot for slot in inherited if slot.name not in names))


def own_text(template: Template, step: str) -> str:
    """The researcher's own text for a step; empty where ours is taken."""
    return template if isinstance(template, str) else template.get(step, "")


def check_own_texts(template: Template, steps: Sequence[Step]) -> None:
    """ValueError('template…: reason') where a template does not fit the steps."""
    names = ", ".join(step.name for step in steps)
    if isinstance(template, str):
        if template and len(steps) > 1:
            raise ValueError(f"template: give a text for each step by its name ({names})")
    elif unknown := sorted(template.keys() - {step.name for step in steps}):
        raise ValueError(f"template.{unknown[0]}: there is no such step ({names})")
    for step in steps:
        where = "template" if isinstance(template, str) else f"template.{step.name}"
        try:
            check_template(own_text(template, step.name), step.slots)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from error
