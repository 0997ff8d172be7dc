"""What is to be written by which models, as a page or a program asks for it, and its shares: what
each of these models is to write."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

from pydantic import Field, JsonValue

from annotation.models import Block, Study
from generators.conversations import GenerationRefused, Made
from generators.generation import check_open, generate_texts
from generators.generator import Generator
from generators.journal import Planned
from generators.kinds import BY_NAME, TextKind
from generators.lists import ListParameters, ListProposer, planned_lists, propose_lists
from generators.planned_texts import Order
from imports.preparation.targets import blocks_to_prepare, lacking, list_of
from judges.backends.factory import CHAT
from tasktypes.schemas import Schema

MOST_WRITERS, MOST_TEXTS, LARGEST_SEED = 8, 1_000_000, 2**31 - 1
# Parameters that may be set from outside; others name files of the server, or would come too late.
_OPEN = ("temperature", "max_tokens", "system", "template")


class Writer(Schema):
    """A model, and as which system it writes. endpoint: where it is asked."""

    model: str = Field(min_length=1, max_length=200)
    endpoint: str = Field(default="default", min_length=1, max_length=80)
    system: str = Field(default="", max_length=200)
    family: str = Field(default="", max_length=200)


@dataclass(frozen=True)
class Share:
    """What one model is to write. existing: how many there are already. left_out: what gets none,
    in words. notes: what else is known of the planned ones. write: writes them, for an account, up
    to a cap."""

    writer: Writer
    generator: Generator[Any]
    planned: Sequence[Planned]
    existing: int
    left_out: Sequence[str]
    write: Callable[..., Made] = field(repr=False)
    notes: Sequence[str] = ()


class WritingRequest(Schema):
    """What both kinds of request have. parameters: of the generator, besides the endpoint. limit:
    only the first so many of each writer. max_cost: USD for all of it."""

    parameters: dict[str, JsonValue] = Field(default={}, max_length=20)
    seed: int = Field(default=0, ge=0, le=LARGEST_SEED)
    limit: int | None = Field(default=None, ge=1, le=MOST_TEXTS)
    max_cost: Decimal | None = Field(default=None, ge=0, max_digits=12, decimal_places=6)

    @property
    def things(self) -> str:
        """What is written, in the plural."""
        raise NotImplementedError

    def check(self, study: Study) -> None:
        """GenerationRefused where nothing can be written for the study as it is."""
        raise NotImplementedError

    def shares(self, study: Study) -> Iterator[Share]:
        """One for each writer. ValueError where it cannot be asked as it is wanted."""
        raise NotImplementedError


class TextsRequest(WritingRequest):
    """Texts of one kind, by one or several models."""

    kind: str
    writers: tuple[Writer, ...] = Field(min_length=1, max_length=MOST_WRITERS)

    @property
    def text_kind(self) -> TextKind:
        """The kind; GenerationRefused where there is none of that name."""
        if self.kind not in BY_NAME:
            raise GenerationRefused(
                f"kind: there is no {self.kind!r} (known: {', '.join(BY_NAME)})"
            )
        return BY_NAME[self.kind]

    @property
    def things(self) -> str:
        return "texts"

    def check(self, study: Study) -> None:
        check_open(study)
        _refuse_closed(self.parameters, self.text_kind.options)
        names = [writer.system for writer in self.writers]
        if "" in names:
            raise GenerationRefused("system: name the system of every model")
        if len({*names}) < len(names):
            raise GenerationRefused("system: each model needs the name of another system")

    def shares(self, study: Study) -> Iterator[Share]:
        kind = self.text_kind
        for writer in self.writers:
            generator = kind.generator_of(
                self.parameters | {"endpoint": writer.endpoint}, model=writer.model, backend=CHAT
            )
            order = Order(writer.system, writer.family, self.seed)
            planned = kind.plan(study, order, generator)
            texts = planned.texts[: self.limit]
            ranked = Counter(text.ranked.by for text in texts if text.ranked is not None)
            yield Share(
                writer=writer,
                generator=generator,
                planned=texts,
                notes=[f"{n} statements {by}" for by, n in ranked.items()],
                existing=_existing(study, kind, writer.system, generator),
                left_out=planned.left_out_in_words(),
                write=partial(generate_texts, study=study, seed=self.seed),
            )


class ListsRequest(WritingRequest):
    """Lists of one name for the questions of a block, by one model. list: empty for the block's
    first. rejected: also where one was rejected."""

    block: str = ""
    list: str = ""
    rejected: bool = False
    writer: Writer

    @property
    def things(self) -> str:
        return "lists"

    def check(self, study: Study) -> None:
        list_of(block_to_prepare(study, self.block), self.list)
        _refuse_closed(self.parameters)

    def shares(self, study: Study) -> Iterator[Share]:
        block = block_to_prepare(study, self.block)
        prepared = list_of(block, self.list)
        own = self.parameters | {"endpoint": self.writer.endpoint, "name": prepared.name}
        parameters = ListProposer.resolve_parameters(ListParameters.model_validate(own))
        if problem := ListProposer.prompt_problem(parameters, block.task_type):
            raise GenerationRefused(problem)
        generator = ListProposer(parameters, model=self.writer.model, backend=CHAT)
        targets = lacking(block, name=prepared.name, rejected=self.rejected)
        standing = study.preparations.standing().filter(block=block)
        yield Share(
            writer=self.writer,
            generator=generator,
            planned=planned_lists(block, islice(targets, self.limit), seed=self.seed),
            existing=standing.filter(item__isnull=prepared.about == "source").count(),
            left_out=(),
            write=partial(propose_lists, block=block, seed=self.seed),
        )


def _refuse_closed(parameters: Mapping[str, Any], options: Sequence[str] = ()) -> None:
    for name in parameters:
        if name not in (*_OPEN, *options):
            known = ", ".join((*_OPEN, *options))
            raise GenerationRefused(f"parameters: {name} cannot be set here (these can: {known})")


def block_to_prepare(study: Study, key: str) -> Block:
    """The block of that key that asks by lists, or the only one; GenerationRefused otherwise."""
    blocks = {block.key: block for block in blocks_to_prepare(study)}
    if not blocks:
        raise GenerationRefused("block: no block of this study is asked by a list")
    if not key and len(blocks) == 1:
        return next(iter(blocks.values()))
    if key not in blocks:
        raise GenerationRefused(f"block: name the block to prepare: {', '.join(blocks)}")
    return blocks[key]


def _existing(study: Study, kind: TextKind, system: str, generator: Generator[Any]) -> int:
    items = study.items.filter(system=system)
    if kind.of:
        evidence = getattr(generator.parameters, "evidence", "")
        items = items.filter(perturbed_from=None)
        return (items.filter(evidence_source=evidence) if evidence else items).count()
    return items.filter(**kind.fixed).count()
