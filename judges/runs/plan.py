"""Plan runs: which questions a judge is to answer, in which calls and chunks, at what cost."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.models import Annotation, Block, Question, Rater, Study, Unit, User
from annotation.models.material import QuestionQuerySet
from judges.definitions.versions import method_of, rater_of
from judges.methods.contract import Ask, Cost, Method, prompt_hash
from judges.models import Judge, JudgeRun
from judges.runs.amounts import in_usd
from judges.runs.calls import BATCH, GivenUp, discard, set_off, write_calls
from judges.runs.instructions import told_in
from judges.runs.provenance import code_version
from judges.runs.queue import send_on_commit
from tasktypes.candidates import turned, turns


class RunRefused(ValueError):
    """A run that cannot be planned, and why."""


@dataclass
class Forecast:
    """What a run will take. None: cannot be told before."""

    answers: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)

    def add(self, cost: Cost) -> None:
        """Count one more answer."""
        self.answers += 1
        self.calls += cost.calls
        self.tokens_in = _sum(self.tokens_in, cost.tokens_in)
        self.tokens_out = _sum(self.tokens_out, cost.tokens_out)
        self.usd = _sum(self.usd, cost.usd)


def forecast_run(
    *,
    study: Study,
    judge: Judge,
    subset: str | None = None,
    blocks: Sequence[str] = (),
    replicates: int = 1,
    limit: int | None = None,
    max_cost: Decimal | None = None,
) -> Forecast:
    """What the same `plan_run` would take; writes nothing but the judge's rater."""
    forecast, method = Forecast(), method_of(judge)
    asked = _asked_blocks(study, method, blocks)
    questions = _questions(study, asked, _subset(study, subset), limit)
    told = _told(study, method)
    for ask in _asks(questions, rater_of(judge, study), replicates, seed=0, told=told):
        forecast.add(_cost(method, ask))
    _check_cost(forecast, _cap(method, max_cost))
    return forecast


def plan_run(
    *,
    study: Study,
    judge: Judge,
    subset: str | None = None,
    blocks: Sequence[str] = (),
    replicates: int = 1,
    limit: int | None = None,
    seed: int = 0,
    requested_by: User | AnonymousUser | None = None,
    max_cost: Decimal | None = None,
) -> JudgeRun:
    """Plan a run and send its first chunks. Long runs are written down in many transactions.

    subset: a name; empty for all units; None for the study's own setting. Examples are asked of
    nobody. blocks: their keys; none for all that the judge answers. limit: at most so many
    questions, the first ones. A question that this version has answered in that replicate is left
    out; where nothing is left, the run is complete at once.
    max_cost: USD; no more in any case than the endpoint's own cap on runs.
    RunRefused where the judge cannot answer anything in the study, or it would cost too much.
    """
    if replicates < 1:
        raise RunRefused("replicates: must be at least 1")
    method, subset = method_of(judge), _subset(study, subset)
    asked = _asked_blocks(study, method, blocks)
    questions = _questions(study, asked, subset, limit)
    run = JudgeRun.objects.create(
        study=study,
        judge=judge,
        rater=rater_of(judge, study),
        state=JudgeRun.State.PLANNING,
        planning_at=timezone.now(),
        subset=subset,
        blocks=list(blocks),
        replicates=replicates,
        seed=seed,
        max_cost=_cap(method, max_cost),
        code_version=code_version(),
        prompts=prompts_of(study, method, asked),
        requested_by_id=None if requested_by is None else requested_by.pk,
    )
    try:
        asks = _asks(questions, run.rater, replicates, seed, told=_told(study, method))
        _prepare(run, method, asks)
    except BaseException as error:
        discard(run_id=run.pk)
        if isinstance(error, GivenUp):
            raise RunRefused("the planning took too long and was given up") from error
        raise
    send_on_commit(run_id=run.pk)
    return run


def as_ask(
    question: Question, *, replicate: int, seed: int = 0, judge: str = "", told: str = ""
) -> Ask:
    """The question as a method gets it. `question` comes with its unit and block loaded."""
    return Ask(
        question_id=question.pk,
        unit=question.unit.key,
        block=question.block.key,
        task_type=question.block.task_type,
        raw_payload=turned(question.payload) if turns(replicate) else question.payload,
        replicate=replicate,
        seed=_seed(seed, judge, question.pk, replicate),
        told=told,
    )


def served_blocks(study: Study, method: Method[Any] | type[Method[Any]]) -> list[Block]:
    """The blocks of a study that a method can answer, its parameters taken into account."""
    blocks = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    if not isinstance(method, Method):
        return blocks
    return [block for block in blocks if not method.objection(block.task_type, block.facets)]


def _objections(study: Study, method: Method[Any]) -> list[str]:
    served = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    said = [method.objection(block.task_type, block.facets) for block in served]
    return [objection for objection in said if objection]


def _subset(study: Study, subset: str | None) -> str:
    chosen = study.setting if subset is None else subset
    names = list(study.subsets.order_by("name").values_list("name", flat=True))
    if chosen and chosen not in names:
        known = ", ".join(names) or "none"
        raise RunRefused(f"setting: study {study.slug} has no subset {chosen!r} (known: {known})")
    return chosen


def _asked_blocks(study: Study, method: Method[Any], keys: Sequence[str]) -> list[Block]:
    """The blocks of those keys, or all that the method answers; RunRefused where it cannot."""
    blocks = served_blocks(study, method)
    if not blocks:
        asked = ", ".join(block.task_type.title for block in study.blocks.all()) or "nothing"
        answers = ", ".join(served.title for served in method.serves)
        raise RunRefused(
            f"judge: {method.name} answers {answers}; study {study.slug} asks {asked}"
            + "".join(f"; {objection}" for objection in _objections(study, method))
        )
    served = {block.key: block for block in blocks}
    for key in keys:
        if key not in served:
            known = ", ".join(served)
            raise RunRefused(f"block: the judge does not answer {key!r} here (but {known})")
    return [served[key] for key in keys] or blocks


def _questions(
    study: Study, blocks: Sequence[Block], subset: str, limit: int | None
) -> QuestionQuerySet:
    found = Question.objects.filter(study=study, block__in=blocks)
    found = found.exclude(unit__role=Unit.Role.EXAMPLE)
    found = found.exclude(unit__check_state__in=Unit.UNUSED)
    if subset:
        found = found.filter(unit__subsets__in=study.subsets.filter(name=subset))
    if not found.exists():
        where = f" in subset {subset}" if subset else ""
        raise RunRefused(f"setting: study {study.slug} has no question for the judge{where}")
    found = found.order_by("pk")
    if limit is not None and (
        last := found.values_list("pk", flat=True)[limit - 1 : limit].first()
    ):
        found = found.filter(pk__lte=last)
    return found


def _asks(
    questions: QuestionQuerySet, rater: Rater, replicates: int, seed: int, *, told: str
) -> Iterator[Ask]:
    """What is still to be asked, replicate after replicate."""
    for replicate in range(replicates):
        answered = Annotation.objects.filter(
            question=OuterRef("pk"), rater=rater, replicate=replicate, superseded_at=None
        )
        rows, after = questions.filter(~Exists(answered)).as_asked(), 0
        # Not one long read: SQLite lets nobody write on who has read since before another wrote.
        while some := list(rows.filter(pk__gt=after)[:BATCH]):
            after = some[-1].pk
            for question in some:
                yield as_ask(question, replicate=replicate, seed=seed, judge=rater.name, told=told)


def _prepare(run: JudgeRun, method: Method[Any], asks: Iterable[Ask]) -> None:
    """Write down what the run asks, and let it run where there is anything."""
    forecast = Forecast()
    counted = _counted(method, asks, forecast)
    write_calls(run, counted, per_chunk=method.answers_per_chunk)
    _check_cost(forecast, run.max_cost)
    run.n_calls, run.state = forecast.calls, JudgeRun.State.RUNNING
    if not forecast.calls:
        run.state, run.ended_at = JudgeRun.State.COMPLETE, timezone.now()
        run.reason = "Nothing to do: every question has this judge's answer already."
    set_off(run)


def _counted(
    method: Method[Any], asks: Iterable[Ask], forecast: Forecast
) -> Iterator[tuple[Ask, int]]:
    """Each ask with its number of calls, added to the forecast on the way."""
    for ask in asks:
        cost = _cost(method, ask)
        forecast.add(cost)
        yield ask, cost.calls


def _cost(method: Method[Any], ask: Ask) -> Cost:
    try:
        return method.plan(ask)
    except ValueError as error:
        raise RunRefused(f"judge: {method.name} cannot answer unit {ask.unit}: {error}") from error


def _cap(method: Method[Any], max_cost: Decimal | None) -> Decimal | None:
    """The lower of the run's own cap and that of the endpoint."""
    return min((cap for cap in (max_cost, method.most_usd()) if cap is not None), default=None)


def _check_cost(forecast: Forecast, max_cost: Decimal | None) -> None:
    if max_cost is None:
        return
    if forecast.usd is None:
        raise RunRefused(
            "max cost: what the calls will cost cannot be told, because the judge's endpoint is "
            "configured without a price for its model"
        )
    if forecast.usd > max_cost:
        raise RunRefused(
            f"max cost: {forecast.calls} calls are expected to cost {in_usd(forecast.usd)}, "
            f"more than {in_usd(max_cost)}"
        )


def prompts_of(
    study: Study, method: Method[Any], blocks: Iterable[Block]
) -> dict[str, dict[str, str]]:
    """The prompts of blocks that a method answers, as a run keeps them."""
    told = _told(study, method)
    kept = {"told": told} if told else {}
    prompts = {}
    for block in blocks:
        if text := method.whole_prompt(block.task_type, told):
            prompts[block.key] = {"hash": prompt_hash(text), "text": text, **kept}
    return prompts


def _told(study: Study, method: Method[Any]) -> str:
    return told_in(study) if method.heeds_instructions else ""


def _seed(seed: int, judge: str, question_id: int, replicate: int) -> int:
    """A seed of its own for every answer, the same whenever the same run is repeated.

    Judges of different names draw apart, however alike they are: the seed is part of what a kept
    reply is found by, and two that shared their replies would agree with each other for nothing.
    """
    digest = hashlib.sha256(f"{seed}\n{judge}\n{question_id}\n{replicate}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _sum(left: Any, right: Any) -> Any:
    return None if left is None or right is None else left + right
