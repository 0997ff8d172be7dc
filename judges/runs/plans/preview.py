"""Preview a judge's prompts, filled in for some units, before any call is paid for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.models import Block, Question, Study, Unit
from judges.definitions.versions import BadJudge, method_of
from judges.methods.asks import Ask
from judges.methods.contract import Method
from judges.models import Judge, JudgeRun
from judges.runs.plans.asks import as_ask, prompts_of, served_blocks
from judges.runs.plans.left_out import units_of_examples

# How many units a page shows the prompts of.
UNITS = 3


@dataclass(frozen=True)
class FilledPrompt:
    """The first prompt about a unit; later: those of later steps, as far as they are known."""

    unit: str
    text: str
    later: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ShownPrompt:
    """A block's prompt. filled: for some units; none where that depends on other replies."""

    block: str
    hash: str
    text: str
    filled: tuple[FilledPrompt, ...] = ()


def shown_prompts(
    study: Study,
    judge: Judge,
    *,
    run: JudgeRun | None = None,
    blocks: Sequence[str] = (),
    units: int = UNITS,
) -> list[ShownPrompt]:
    """The prompts of a judge in a study: those of a run, or else as they are now.

    blocks: their keys; empty for all that the judge answers. A judge that cannot be used any more
    has the prompts of the run, without any that are filled in.
    """
    try:
        method = method_of(judge)
    except BadJudge:
        prompts = run.prompts if run else {}
        return [ShownPrompt(key, prompt["hash"], prompt["text"]) for key, prompt in prompts.items()]
    served = [b for b in served_blocks(study, method) if not blocks or b.key in blocks]
    prompts = run.prompts if run else prompts_of(study, method, served)
    return [_shown(method, b, prompts[b.key], units) for b in served if b.key in prompts]


def _shown(method: Method[Any], block: Block, prompt: Mapping[str, str], units: int) -> ShownPrompt:
    plain = ShownPrompt(block.key, prompt["hash"], prompt["text"])
    questions = Question.objects.filter(block=block, unit__role=Unit.Role.NORMAL).order_by("pk")
    shown = units_of_examples(block.study, method.example_units())
    questions = questions.exclude(unit__in=shown).as_asked()
    instructions = prompt.get("told", "")
    asks = (as_ask(q, replicate=0, instructions=instructions) for q in questions[:units])
    try:
        texts = [_filled(method, ask) for ask in asks]
    except ValueError:  # the judge cannot answer one of the questions; a run reports that
        return plain
    return replace(plain, filled=tuple(filled for filled in texts if filled.text or filled.later))


def _filled(method: Method[Any], ask: Ask) -> FilledPrompt:
    method.check_shown(ask)
    return FilledPrompt(ask.unit, method.first_prompt(ask), method.later_prompts(ask))
