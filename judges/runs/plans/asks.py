"""A study's questions as a judge's method gets them, its prompts, and the study's instructions."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotation.models import Block, Question, Study
from judges.methods.asks import Ask, prompt_hash
from judges.methods.contract import Method
from judges.models import JudgeRun
from tasktypes.machines.needs import without_stand_in
from tasktypes.machines.prompts import one_line
from tasktypes.pages.candidates import turned, turns


@dataclass(frozen=True)
class Seeds:
    """The seeds of a run's answers: the same wherever the same material is imported.

    Judges with different names get different seeds, even if they are defined alike. The seed is
    part of a reply's cache key, and two judges that shared replies would agree by construction.

    by_id: as runs have them that were planned by earlier versions, which drew by the question's id.
    """

    run: int = 0
    study: str = ""
    judge: str = ""
    by_id: bool = False

    def of(self, question: Question, replicate: int) -> int:
        """The seed of an answer; the question's unit and block have to be loaded."""
        keys: tuple[str | int, ...] = (self.study, question.unit.key, question.block.key)
        text = json.dumps([self.run, self.judge, *keys, replicate], ensure_ascii=False)
        if self.by_id:
            text = f"{self.run}\n{self.judge}\n{question.pk}\n{replicate}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


# Of asks that no answer will come of.
PREVIEW = Seeds()


def seeds_of(run: JudgeRun) -> Seeds:
    """The seeds of a run's answers."""
    return Seeds(run.seed, run.study.slug, run.rater.name, by_id=run.seeds_by_id)


def as_ask(
    question: Question,
    *,
    replicate: int,
    seeds: Seeds = PREVIEW,
    instructions: str = "",
    alike: bool = False,
) -> Ask:
    """The question as a method gets it. Its unit, source and block have to be loaded.

    alike: every replicate is asked exactly as the first is, in order and seed.
    """
    payload, like = without_stand_in(question.payload), 0 if alike else replicate
    return Ask(
        question_id=question.pk,
        unit=question.unit.key,
        block=question.block.key,
        task_type=question.block.task_type,
        raw_payload=turned(payload) if turns(like) else payload,
        replicate=replicate,
        seed=seeds.of(question, like),
        source=question.unit.source.key,
        instructions=instructions,
    )


def served_blocks(study: Study, method: Method[Any] | type[Method[Any]]) -> list[Block]:
    """The blocks of a study that a method can answer; with a method's object, by its parameters."""
    blocks = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    if not isinstance(method, Method):
        return blocks
    return [block for block in blocks if not objection_to(method, block)]


def objection_to(method: Method[Any], block: Block) -> str:
    """Why a method cannot answer a block of a type that it serves; empty where it can."""
    return method.objection(block.task_type, block.facets, block.key)


def prompts_of(
    study: Study, method: Method[Any], blocks: Iterable[Block]
) -> dict[str, dict[str, str]]:
    """The prompts of blocks, as `JudgeRun.prompts` keeps them."""
    instructions = instructions_for(method, study)
    extra = {"told": instructions} if instructions else {}
    prompts = {}
    for block in blocks:
        if text := method.whole_prompt(block.task_type, instructions):
            prompts[block.key] = {"hash": prompt_hash(text), "text": text, **extra}
    return prompts


def instructions_for(method: Method[Any], study: Study) -> str:
    """The study's instructions for a method that puts them before its prompt; else empty."""
    return study_instructions(study) if method.uses_instructions else ""


def study_instructions(study: Study) -> str:
    """The study's instructions and the meanings of its verdicts, as people see them beside every
    question; empty where the study has neither."""
    parts = []
    if study.instructions.strip():
        parts.append(f"Instructions to everybody who answers:\n\n{study.instructions.strip()}")
    if study.verdicts:
        # Sorted, since databases return the keys of an object in different orders.
        verdicts = sorted(study.verdicts.items())
        meanings = (f"- {label}: {one_line(text)}" for label, text in verdicts)
        parts.append("\n".join(("What the verdicts mean:", *meanings)))
    return "\n\n".join(parts)
