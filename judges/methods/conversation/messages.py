"""What a judge sends in each step: a system message, worked examples, and the filled-in prompt."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from judges.methods.asks import with_instructions
from judges.methods.conversation.examples import WorkedExample
from judges.methods.conversation.parameters import ChatParameters
from judges.methods.conversation.reasons import with_reason
from judges.methods.conversation.steps import Step, Turn, check_own_texts, own_text
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import filled, slots_in

Message = Mapping[str, str]


def check_prompts(parameters: ChatParameters, steps: Sequence[Step], block: str) -> None:
    """ValueError('field: reason') where templates or examples do not fit the steps of a block. What
    is for other blocks alone says nothing about this one."""
    check_own_texts(parameters.template, steps)
    for number, example in enumerate(parameters.examples):
        if example.block not in ("", block):
            continue
        try:
            _check_example(example, parameters, steps)
        except ValueError as error:
            raise ValueError(f"examples.{number}.{error}") from error


def _check_example(
    example: WorkedExample, parameters: ChatParameters, steps: Sequence[Step]
) -> None:
    names = [step.name for step in steps]
    if example.step and example.step not in names:
        raise ValueError(f"step: there is no step {example.step} ({', '.join(names)})")
    if not example.unit and not example.step and len(steps) > 1:
        raise ValueError(f"step: name the step ({', '.join(names)})")
    chosen = [step for step in steps if example.step in ("", step.name)]
    if example.unit and not any(step.turns for step in chosen):
        raise ValueError("unit: no reply can be made of its answer; write question and answer out")
    if example.slots:
        _check_slots(example, own_text(parameters.template, chosen[0].name), chosen[0])


def _check_slots(example: WorkedExample, own: str, step: Step) -> None:
    """The example fills every slot for data that the template names, and no other than there is."""
    known_names = [slot.name for slot in step.slots]
    for name in example.slots:
        if name not in known_names:
            raise ValueError(f"slots.{name}: there is no such slot ({', '.join(known_names)})")
    named = slots_in(own or step.text)
    for slot in step.slots:
        if slot.is_data and slot.name in named and slot.name not in example.slots:
            raise ValueError(f"slots.{slot.name}: missing, and the prompt shows it")


class Prompts:
    """The prompts of one judge for one task type."""

    def __init__(
        self, steps: Sequence[Step], parameters: ChatParameters, kind: TaskType[Any, Any, Any]
    ) -> None:
        self.steps = {step.name: step for step in steps}
        self.parameters, self.kind = parameters, kind
        self._parsed: dict[int, tuple[Any, Any]] = {}

    def text(self, step: str) -> str:
        """The template of a step."""
        own = own_text(self.parameters.template, step)
        asks, question = self.parameters.asks_reason, self.parameters.reason_question
        return own or self.steps[step].our_text(asks_reason=asks, question=question)

    def whole_text(self) -> str:
        """All that is the same for every question, as it is shown and hashed."""
        return "\n".join([*self._preamble(), self.templates()])

    def user_message(self, step: str, subject: Any) -> str:
        """The template of a step, filled in for a subject."""
        return filled(self.text(step), self.steps[step].slots, subject)

    def messages(
        self, step: str, subject: Any, *, block: str, instructions: str = ""
    ) -> tuple[Message, ...]:
        """The messages of a step; the study's instructions stand before the first of the user."""
        system = self.parameters.system
        messages = [{"role": "system", "content": system}] if system else []
        for question, reply in self._turns(step, subject, block):
            messages.append({"role": "user", "content": question})
            messages.append({"role": "assistant", "content": reply})
        messages.append({"role": "user", "content": self.user_message(step, subject)})
        first = messages[1 if system else 0]
        first["content"] = with_instructions(instructions, first["content"])
        return tuple(messages)

    def _turns(self, step: str, subject: Any, block: str) -> Iterator[tuple[str, str]]:
        slots, kind = self.steps[step].slots, self.steps[step].reply
        for example in self.parameters.examples:
            if not example.is_for(block, step):
                continue
            if example.unit:
                for shown, reply in self._taken(example, step, subject):
                    text = self.user_message(step, shown)
                    yield text, with_reason(reply, example.reason, kind)
                continue
            text = example.question or filled(self.text(step), slots, subject, example.slots)
            yield text, with_reason(example.written_answer, example.reason, kind)

    def _taken(self, example: WorkedExample, step: str, subject: Any) -> Iterable[Turn]:
        make = self.steps[step].turns
        return () if make is None else make(*self._typed(example), subject)

    def _typed(self, example: WorkedExample) -> tuple[Any, Any]:
        """The payload and the answer that were taken from a unit; parsed once."""
        if id(example) not in self._parsed:
            payload = self.kind.Payload.model_validate(example.payload)
            answer = self.kind.Answer.model_validate(example.answer)
            self._parsed[id(example)] = payload, answer
        return self._parsed[id(example)]

    def _preamble(self) -> Iterator[str]:
        if self.parameters.system:
            yield f"System message:\n\n{self.parameters.system}\n"
        for example in self.parameters.examples:
            fields = example.model_dump(mode="json")
            if "payload" in fields:
                payload = json.dumps(fields["payload"], sort_keys=True)
                digest = hashlib.sha256(payload.encode()).hexdigest()
                fields["payload"] = f"SHA-256 {digest}"
            text = json.dumps(fields, ensure_ascii=False, indent=1, sort_keys=True)
            yield f"Example:\n\n{text}\n"

    def templates(self) -> str:
        """The templates of all steps."""
        if len(self.steps) == 1:
            return self.text(next(iter(self.steps)))
        return "\n".join(f"{name.capitalize()}:\n\n{self.text(name)}" for name in self.steps)
