"""A judge of a study file that answers about single samples: without a study, and without a
database. Other programs' evaluations are scored by it."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotation.models import Block, Study
from imports.material.questions import OpenBlock
from imports.study_file.blocks import BlockPart
from imports.study_file.parts import JudgePart
from imports.study_file.schema import StudyFile, read_study_file
from judges.backends.contract import Chat, Reply
from judges.backends.factory import CHAT
from judges.definitions.versions import BadJudge, Definition, method_for, resolved
from judges.methods.asks import Ask, AskOutcome, prompt_hash
from judges.methods.contract import Method
from judges.methods.conversation import ChatMethod, Conversation, NoAnswer
from judges.runs.plans.asks import study_instructions
from tasktypes.facets import Facet
from tasktypes.texts.material import Item, Source

# A judge keeps its own model in a study; here the program that evaluates brings one.
_MODEL = "of the evaluation"
# Parameters about how a model is reached, which is the evaluation's business.
_NOT_USED = {"endpoint", "route", "cached"}


@dataclass(frozen=True)
class SampleVerdict:
    """What a judge said of a sample.

    values: by facet, a number or a label; empty where there is no answer. answer: as the task type
    has it. failure: why there is none. reasons: in the judge's words. replies: every reply, in
    order.
    """

    values: Mapping[str, float | str] = field(default_factory=dict)
    answer: Mapping[str, Any] | None = None
    failure: str = ""
    reasons: Sequence[str] = ()
    replies: Sequence[Reply] = ()


class SampleJudge:
    """A judge with the question that it answers. chat: asks a model for a judge that needs one."""

    def __init__(self, definition: Definition, part: BlockPart, *, instructions: str = "") -> None:
        self.definition = definition
        self.block = OpenBlock.of(
            Block(
                task_type_slug=part.task_type,
                options=part.full_options,
                key=part.key or part.task_type,
            )
        )
        self.facets: tuple[Facet, ...] = self.block.row.facets
        _refuse_other_facets(self.facets)
        self.method = _method(definition)
        key = self.block.row.key
        if objection := self.method.objection(self.block.task_type, self.facets, key):
            raise BadJudge(objection)
        self.instructions = instructions if self.method.uses_instructions else ""
        # What all samples share, such as the steps that a judge plans once.
        self._shared: dict[str, asyncio.Future[Any]] = {}

    @property
    def asks_model(self) -> bool:
        """Whether it needs a chat model."""
        return self.method.backend == CHAT

    @property
    def about(self) -> dict[str, Any]:
        """What tells this judge from others: its definition and a hash of its prompt."""
        prompt = self.method.whole_prompt(self.block.task_type, self.instructions)
        return {
            "judge": self.definition.name,
            "method": self.method.name,
            "method_version": self.method.version,
            "parameters": self.method.parameters.model_dump(mode="json", exclude=_NOT_USED),
            "prompt_sha256": prompt_hash(prompt),
        }

    async def answer(
        self, source: Source, item: Item, *, replicate: int = 0, chat: Chat | None = None
    ) -> SampleVerdict:
        """What it says of an output for a source; a verdict without values where it says nothing
        that can be read, or the question cannot be asked."""
        try:
            ask = self._ask(source, item, replicate)
            self.method.check_shown(ask)
            if isinstance(self.method, ChatMethod) and chat is not None:
                outcome = await self._talk(ask, chat)
            else:
                outcome = await asyncio.to_thread(self.method.answer, ask)
            return self._verdict(outcome)
        except ValueError as error:
            return SampleVerdict(failure=str(error))

    def _ask(self, source: Source, item: Item, replicate: int) -> Ask:
        kind, options = self.block.task_type, self.block.options
        plans = list(kind.plan(source, (item,), options, seed=0))
        if len(plans) != 1:
            raise ValueError(f"{kind.title} asks {len(plans)} questions about this, not one")
        payload = kind.payload(source, plans[0].items, plans[0].focus, options)
        name = f"{self.definition.name}/{item.key}/{replicate}"
        return Ask(
            question_id=0,
            unit=item.key,
            block=self.block.row.key,
            task_type=kind,
            raw_payload=payload.model_dump(mode="json"),
            replicate=replicate,
            seed=int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1,
            instructions=self.instructions,
        )

    async def _talk(self, ask: Ask, chat: Chat) -> AskOutcome:
        assert isinstance(self.method, ChatMethod)
        conversation = Conversation(ask, chat, self.method.parameters, self._shared)
        try:
            answer = await self.method.judge(ask, conversation)
        except NoAnswer:
            return AskOutcome(ask, tuple(conversation.replies))
        return AskOutcome(ask, tuple(conversation.replies), answer)

    def _verdict(self, outcome: AskOutcome) -> SampleVerdict:
        reasons = [reply.detail["reason"] for reply in outcome.replies if "reason" in reply.detail]
        verdict = SampleVerdict(reasons=reasons, replies=outcome.replies)
        if outcome.answer is None:
            errors = [reply.error for reply in outcome.replies if reply.failure]
            return replace(verdict, failure=errors[-1])
        payload = outcome.ask.payload
        self.block.task_type.check_between(payload, outcome.answer)
        values: dict[str, list[float | str]] = defaultdict(list)
        for rating in self.block.task_type.ratings(payload, outcome.answer):
            if not isinstance(rating.value, frozenset):  # refused when the judge was made
                values[rating.facet].append(rating.value)
        return replace(
            verdict,
            values={facet: _one(facet, of) for facet, of in values.items()},
            answer=outcome.answer.model_dump(mode="json"),
        )


def judge_of_file(path: Path, name: str, *, block: str = "") -> SampleJudge:
    """The judge that a study file defines, with the study's block and instructions.

    name: may be left out where the file defines one judge. block: its key, where there are several.
    BadJudge, or an ImportFailure of the file, where there is none.
    """
    described = read_study_file(path)
    part = _chosen(described, name)
    definition = Definition(
        name=part.name,
        method=part.method,
        backend=part.backend,
        model=part.model,
        family=part.family,
        parameters=part.parameters,
    )
    told = Study(instructions=described.instructions, verdicts=described.verdicts)
    return SampleJudge(definition, _block(described, block), instructions=study_instructions(told))


def _chosen(described: StudyFile, name: str) -> JudgePart:
    parts = [part for part in described.judges if isinstance(part, JudgePart)]
    named = [part for part in parts if name in ("", part.name)]
    if len(named) != 1:
        defined = ", ".join(part.name for part in parts) or "none"
        raise BadJudge(f"judge: name one that the study file defines ({defined})")
    return named[0]


def _block(described: StudyFile, key: str) -> BlockPart:
    parts = {part.key or part.task_type: part for part in described.blocks}
    named = [part for name, part in parts.items() if key in ("", name)]
    if len(named) != 1:
        raise BadJudge(f"block: name one of the study file's ({', '.join(parts)})")
    return named[0]


def _method(definition: Definition) -> Method[Any]:
    """The method, ready to answer; BadJudge where it needs more than a sample."""
    kind = method_for(definition)
    backend = definition.backend or next(iter(kind.backends), "")
    if backend == CHAT:
        parameters = {n: v for n, v in definition.parameters.items() if n not in _NOT_USED}
        definition = replace(definition, parameters=parameters, model=_MODEL)
    own_parameters, model = resolved(kind, definition, backend)
    try:
        method = kind(own_parameters, model=model, backend=backend)
    except (ValueError, OSError) as error:
        raise BadJudge(str(error)) from error
    if method.voters() or method.retrieves_pages:
        needed = "the answers of other judges" if method.voters() else "pages of the web"
        raise BadJudge(f"method: {method.name} needs {needed}, which are not here")
    return method


def _refuse_other_facets(facets: Sequence[Facet]) -> None:
    for facet in facets:
        if facet.kind == "set" or facet.ranks or facet.names_items:
            reason = "is neither a number nor a label of one output"
            raise BadJudge(f"task_type: {facet.name} {reason}")


def _one(facet: str, values: Sequence[float | str]) -> float | str:
    """One value of a facet: the mean of numbers about parts; ValueError for several labels."""
    if len(values) == 1:
        return values[0]
    if any(isinstance(value, str) for value in values):
        raise ValueError(f"{facet}: a label for each part makes no single score")
    return sum(map(float, values)) / len(values)
