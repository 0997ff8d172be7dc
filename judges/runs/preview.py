"""Preview a judge's prompts, each filled in for an example, before any call is paid for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.models import Block, Question, Study, Unit
from judges.definitions.versions import BadJudge, method_of
from judges.methods.contract import Method
from judges.models import Judge, JudgeRun
from judges.runs.asks import as_ask, prompts_of, served_blocks


@dataclass(frozen=True)
class ShownPrompt:
    """A block's prompt. example: the first prompt about a unit, filled in; empty where that depends
    on other replies."""

    block: str
    hash: str
    text: str
    unit: str = ""
    example: str = ""


def shown_prompts(
    study: Study, judge: Judge, *, run: JudgeRun | None = None, blocks: Sequence[str] = ()
) -> list[ShownPrompt]:
    """The prompts of a judge in a study: those of a run, or else as they are now.

    blocks: their keys; empty for all that the judge answers. A judge that cannot be used any more
    has the prompts of the run, without examples.
    """
    try:
        method = method_of(judge)
    except BadJudge:
        prompts = run.prompts if run else {}
        return [ShownPrompt(key, prompt["hash"], prompt["text"]) for key, prompt in prompts.items()]
    served = [b for b in served_blocks(study, method) if not blocks or b.key in blocks]
    prompts = run.prompts if run else prompts_of(study, method, served)
    return [_shown(method, b, prompts[b.key]) for b in served if b.key in prompts]


def _shown(method: Method[Any], block: Block, prompt: Mapping[str, str]) -> ShownPrompt:
    plain = ShownPrompt(block.key, prompt["hash"], prompt["text"])
    questions = Question.objects.filter(block=block, unit__role=Unit.Role.NORMAL).order_by("pk")
    question = questions.as_asked().first()
    if question is None:
        return plain
    ask = as_ask(question, replicate=0, instructions=prompt.get("told", ""))
    try:
        method.check_shown(ask)
        return replace(plain, unit=ask.unit, example=method.first_prompt(ask))
    except ValueError:  # the judge cannot answer this question; a run reports that
        return plain
