"""A study's questions as a judge's method gets them, its prompts, and the study's instructions."""

import hashlib
from collections.abc import Iterable
from typing import Any

from annotation.models import Block, Question, Study
from judges.methods.contract import Ask, Method, prompt_hash
from tasktypes.candidates import turned, turns
from tasktypes.prompts import one_line


def as_ask(
    question: Question, *, replicate: int, seed: int = 0, judge: str = "", instructions: str = ""
) -> Ask:
    """The question as a method gets it. Its unit and block have to be loaded."""
    return Ask(
        question_id=question.pk,
        unit=question.unit.key,
        block=question.block.key,
        task_type=question.block.task_type,
        raw_payload=turned(question.payload) if turns(replicate) else question.payload,
        replicate=replicate,
        seed=_seed(seed, judge, question.pk, replicate),
        instructions=instructions,
    )


def served_blocks(study: Study, method: Method[Any] | type[Method[Any]]) -> list[Block]:
    """The blocks of a study that a method can answer; with a method's object, by its parameters."""
    blocks = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    if not isinstance(method, Method):
        return blocks
    return [block for block in blocks if not method.objection(block.task_type, block.facets)]


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
        meanings = (f"- {label}: {one_line(text)}" for label, text in study.verdicts.items())
        parts.append("\n".join(("What the verdicts mean:", *meanings)))
    return "\n\n".join(parts)


def _seed(seed: int, judge: str, question_id: int, replicate: int) -> int:
    """A seed for each answer, the same whenever the same run is repeated.

    Judges with different names get different seeds, even if they are defined alike. The seed is
    part of a reply's cache key, and two judges that shared replies would agree by construction.
    """
    digest = hashlib.sha256(f"{seed}\n{judge}\n{question_id}\n{replicate}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1
