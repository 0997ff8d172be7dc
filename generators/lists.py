"""Lists that a model proposes for a block, each to be checked by a person.

What is asked, and how a reply is read, is said by the task type (`TaskType.prepared_list`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.models import Block, User
from generators.conversations import Held, Made, always, definition, hold_conversations
from generators.generator import Generator, GeneratorParameters
from generators.journal import Journal, journal_file
from generators.payment import Payer
from generators.planned_texts import seed_of
from imports.preparation.lists import propose
from imports.preparation.targets import Target, list_of
from judges.methods.asks import Ask, Cost, prompt_hash
from judges.methods.conversation import Conversation, PlannedStep, Step
from judges.runs.provenance import code_version
from tasktypes.contract import TaskType
from tasktypes.prepared_lists import PreparedList
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source

# The expected tokens of a reply.
_LIST_TOKENS = 300


class ProposedList(Schema):
    """The entries that a model proposed."""

    entries: tuple[Any, ...]


class ListParameters(GeneratorParameters):
    """"""

    name: str = ""
    """Which list, where the type of question has several; by default its first."""

    later = GeneratorParameters.later | {"name"}


class ListProposer(Generator[ListParameters]):
    """Asks a model for one list, in the words of the task type."""

    name = "list"
    title = "Made lists"
    description = "Has the model write down the list that a question is asked by."
    Parameters = ListParameters

    @classmethod
    def steps(
        cls, parameters: ListParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        prepared = _prepared(task_type, parameters.name)
        return (Step(prepared.name, prepared.prompt_template, prepared.slots),)

    def plan(self, ask: Ask) -> Cost:
        prepared = _prepared(ask.task_type, self.parameters.name)
        text = self.prompts(ask.task_type).user_message(prepared.name, _shown(ask, prepared))
        return self.expected(PlannedStep(text, reply_tokens=_LIST_TOKENS))

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        prepared = _prepared(ask.task_type, self.parameters.name)
        messages = self.messages(ask, prepared.name, _shown(ask, prepared))
        reply = await conversation.send(messages, step=prepared.name, schema=prepared.reply_schema)
        try:
            text = conversation.answer_text(reply, prepared.reply_schema)
            entries = prepared.checked(list(prepared.read_reply(text)))
        except ValueError as error:
            raise conversation.mark_unreadable(reply, str(error)) from error
        return ProposedList(entries=tuple(entries))


def _prepared(task_type: TaskType[Any, Any, Any], name: str) -> PreparedList:
    for prepared in task_type.prepared_lists:
        if name in ("", prepared.name):
            return prepared
    raise ValueError(f"{task_type.title} is asked by no list {name!r} that can be prepared")


def _shown(ask: Ask, prepared: PreparedList) -> Any:
    source, item = ask.raw_payload["source"], ask.raw_payload["item"]
    return prepared.shown(
        Source.model_validate(source), None if item is None else Item.model_validate(item)
    )


@dataclass(frozen=True)
class PlannedList:
    """A list to ask for."""

    target: Target
    ask: Ask

    @property
    def key(self) -> str:
        return self.target.key

    def about(self, written: Schema | None) -> dict[str, Any]:
        return {"source": self.target.source.key}


def planned_lists(block: Block, targets: Iterable[Target], *, seed: int) -> list[PlannedList]:
    """What to ask for these targets."""
    return [PlannedList(target, _ask(block, target, seed)) for target in targets]


def _ask(block: Block, target: Target, seed: int) -> Ask:
    item = None if target.item is None else target.item.material.model_dump(mode="json")
    material = {"source": target.source.material.model_dump(mode="json"), "item": item}
    row = target.source.pk if target.item is None else target.item.pk
    return Ask(
        row, target.key, block.key, block.task_type, material, seed=seed_of(seed, target.key)
    )


def propose_lists(
    *,
    block: Block,
    generator: ListProposer,
    planned: Sequence[PlannedList],
    seed: int,
    by: User | None = None,
    max_cost: Decimal | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
    goes_on: Callable[[Held], bool] = always,
) -> Made:
    """Have the model write the lists and propose them.

    A list that fails is counted with its reason; the next run tries it again. by, max_cost,
    goes_on: as for `generate_texts`.
    """
    prompt = generator.prompt_text(block.task_type)
    named = f"{block.key}-{list_of(block, generator.parameters.name).name}"
    file = journal_file(block.study.slug, named, definition(generator, seed), prompt)
    journal = Journal(file, ProposedList)
    payer = Payer(block.study, by)
    held = hold_conversations(
        generator=generator,
        planned=planned,
        journal=journal,
        payer=payer,
        max_cost=payer.cap(generator, max_cost),
        on_progress=on_progress,
        goes_on=goes_on,
    )
    origin = definition(generator, seed) | {
        "by": "model",
        "prompt": prompt,
        "prompt_hash": prompt_hash(prompt),
        "code_version": code_version(),
    }
    n_proposed, refusals = _propose_results(block, planned, journal, origin)
    failures = held.failures | refusals
    return Made(n_proposed, failures, held.spent, held.stopped, file, held.examples)


def _propose_results(
    block: Block,
    planned: Sequence[PlannedList],
    journal: Journal[ProposedList],
    origin: Mapping[str, Any],
) -> tuple[int, dict[str, int]]:
    """Propose the lists that the journal has; how many, and why others were not."""
    n_proposed, refusals = 0, dict[str, int]()
    results, lines = journal.written(planned), journal.lines(planned)
    for conversation in planned:
        if conversation.key not in results:
            continue
        where, result = results[conversation.key]
        about = {**origin, "journal": where, "replies": _replies(lines[conversation.key])}
        try:
            propose(
                block=block,
                target=conversation.target,
                entries=result.entries,
                provenance=about,
            )
        except ValueError as error:  # a person may have written one in the meantime
            refusals[str(error)] = refusals.get(str(error), 0) + 1
        else:
            n_proposed += 1
    return n_proposed, refusals


def _replies(line: Mapping[str, Any]) -> list[dict[str, str]]:
    """The raw replies in a journal's line, with the step that each was for."""
    return [{"step": call["step"], "text": call["reply"]} for call in line["calls"]]
