"""Show what a judge would say before anybody pays for it: its prompts, each with an example."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.models import Block, Question, Study, Unit
from judges.definitions.versions import BadJudge, method_of
from judges.methods.contract import Method
from judges.models import Judge, JudgeRun
from judges.runs.plan import as_ask, prompts_of, served_blocks


@dataclass(frozen=True)
class ShownPrompt:
    """A block's prompt. example: what the first call says about a unit; empty where the method
    cannot tell before it has begun."""

    block: str
    hash: str
    text: str
    unit: str = ""
    example: str = ""


def shown_prompts(
    study: Study, judge: Judge, *, run: JudgeRun | None = None, blocks: Sequence[str] = ()
) -> list[ShownPrompt]:
    """The prompts of a judge in a study, as a run of it kept them, else as they would go out now.

    blocks: their keys; none for all that the judge answers.
    A judge that cannot be made ready shows what the run kept, without examples.
    """
    try:
        method = method_of(judge)
    except BadJudge:
        kept = run.prompts if run else {}
        return [ShownPrompt(key, one["hash"], one["text"]) for key, one in kept.items()]
    served = [b for b in served_blocks(study, method) if not blocks or b.key in blocks]
    prompts = run.prompts if run else prompts_of(study, method, served)
    return [_shown(method, b, prompts[b.key]) for b in served if b.key in prompts]


def _shown(method: Method[Any], block: Block, prompt: Mapping[str, str]) -> ShownPrompt:
    plain = ShownPrompt(block.key, prompt["hash"], prompt["text"])
    asked = Question.objects.filter(block=block, unit__role=Unit.Role.NORMAL).order_by("pk")
    question = asked.as_asked().first()
    if question is None:
        return plain
    ask = as_ask(question, replicate=0, told=prompt.get("told", ""))
    try:
        return replace(plain, unit=ask.unit, example=method.first_said(ask))
    except ValueError:  # it cannot answer this one, which a run would say
        return plain
