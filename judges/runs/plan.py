"""Plan runs: the questions that a judge answers, their calls and chunks, and the expected cost."""

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
from judges.methods.contract import Ask, Cost, Method
from judges.models import Judge, JudgeRun
from judges.runs.amounts import in_usd
from judges.runs.asks import as_ask, instructions_for, prompts_of, served_blocks
from judges.runs.calls import BATCH, PlanningGivenUp, discard_run, finish_planning, write_calls
from judges.runs.provenance import code_version
from judges.runs.queue import send_on_commit


class RunRefused(ValueError):
    """The run cannot be planned; the message says why."""


@dataclass
class Forecast:
    """What a run is expected to take. None: unknown. left_out: units that are examples of the
    judge."""

    answers: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)
    left_out: int = 0

    def add(self, cost: Cost) -> None:
        """Count one more answer."""
        self.answers += 1
        self.calls += cost.calls
        self.tokens_in = _sum_or_none(self.tokens_in, cost.tokens_in)
        self.tokens_out = _sum_or_none(self.tokens_out, cost.tokens_out)
        self.usd = _sum_or_none(self.usd, cost.usd)


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
    """What the same `plan_run` would take. Only the judge's rater is written."""
    forecast, method = Forecast(), method_of(judge)
    chosen_blocks = _chosen_blocks(study, method, blocks)
    questions = _questions(study, chosen_blocks, _subset(study, subset), limit, method)
    forecast.left_out = _left_out(study, method)
    instructions = instructions_for(method, study)
    for ask in _asks(
        questions, rater_of(judge, study), replicates, seed=0, instructions=instructions
    ):
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
    """Plan a run and send its first chunks. A long run is written in many transactions.

    subset: a name; empty for all units; None for the study's setting. Example units are left out.
    blocks: their keys; empty for all that the judge answers. limit: only the first so many
    questions. A question that this version has answered in that replicate is left out; where none
    is left, the run is complete at once. max_cost: USD; the endpoint's own cap applies, too.
    RunRefused where the judge can answer nothing in the study, or it would cost too much.
    """
    if replicates < 1:
        raise RunRefused("replicates: must be at least 1")
    method, subset = method_of(judge), _subset(study, subset)
    chosen_blocks = _chosen_blocks(study, method, blocks)
    questions = _questions(study, chosen_blocks, subset, limit, method)
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
        prompts=prompts_of(study, method, chosen_blocks),
        requested_by_id=None if requested_by is None else requested_by.pk,
    )
    try:
        asks = _asks(
            questions, run.rater, replicates, seed, instructions=instructions_for(method, study)
        )
        _prepare(run, method, asks)
    except BaseException as error:
        discard_run(run_id=run.pk)
        if isinstance(error, PlanningGivenUp):
            raise RunRefused("the planning took too long and was given up") from error
        raise
    send_on_commit(run_id=run.pk)
    return run


def _left_out(study: Study, method: Method[Any]) -> int:
    keys = method.example_units()
    return Unit.objects.filter(study=study, key__in=keys).count() if keys else 0


def _objections(study: Study, method: Method[Any]) -> list[str]:
    served = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    objections = (method.objection(block.task_type, block.facets) for block in served)
    return [objection for objection in objections if objection]


def _subset(study: Study, subset: str | None) -> str:
    chosen = study.setting if subset is None else subset
    names = list(study.subsets.order_by("name").values_list("name", flat=True))
    if chosen and chosen not in names:
        known_names = ", ".join(names) or "none"
        raise RunRefused(
            f"setting: study {study.slug} has no subset {chosen!r} (known: {known_names})"
        )
    return chosen


def _chosen_blocks(study: Study, method: Method[Any], keys: Sequence[str]) -> list[Block]:
    """The blocks of those keys, or all that the method answers; RunRefused where there is none."""
    blocks = served_blocks(study, method)
    if not blocks:
        study_types = ", ".join(block.task_type.title for block in study.blocks.all()) or "nothing"
        method_types = ", ".join(served.title for served in method.serves)
        raise RunRefused(
            f"judge: {method.name} answers {method_types}; study {study.slug} asks {study_types}"
            + "".join(f"; {objection}" for objection in _objections(study, method))
        )
    served = {block.key: block for block in blocks}
    for key in keys:
        if key not in served:
            keys_served = ", ".join(served)
            raise RunRefused(f"block: the judge does not answer {key!r} here (but {keys_served})")
    return [served[key] for key in keys] or blocks


def _questions(
    study: Study,
    blocks: Sequence[Block],
    subset: str,
    limit: int | None,
    method: Method[Any],
) -> QuestionQuerySet:
    questions = Question.objects.filter(study=study, block__in=blocks)
    questions = questions.exclude(unit__role=Unit.Role.EXAMPLE)
    questions = questions.exclude(unit__check_state__in=Unit.UNUSED)
    questions = questions.exclude(unit__key__in=method.example_units())
    if subset:
        questions = questions.filter(unit__subsets__in=study.subsets.filter(name=subset))
    if not questions.exists():
        where = f" in subset {subset}" if subset else ""
        raise RunRefused(f"setting: study {study.slug} has no question for the judge{where}")
    questions = questions.order_by("pk")
    if limit is not None and (
        last := questions.values_list("pk", flat=True)[limit - 1 : limit].first()
    ):
        questions = questions.filter(pk__lte=last)
    return questions


def _asks(
    questions: QuestionQuerySet, rater: Rater, replicates: int, seed: int, *, instructions: str
) -> Iterator[Ask]:
    """The questions without an answer, replicate after replicate."""
    for replicate in range(replicates):
        answered = Annotation.objects.filter(
            question=OuterRef("pk"), rater=rater, replicate=replicate, superseded_at=None
        )
        rows, after = questions.filter(~Exists(answered)).as_asked(), 0
        # Not one long SELECT: SQLite refuses the write of a transaction that began to read before
        # another one wrote.
        while batch := list(rows.filter(pk__gt=after)[:BATCH]):
            after = batch[-1].pk
            for question in batch:
                yield as_ask(
                    question,
                    replicate=replicate,
                    seed=seed,
                    judge=rater.name,
                    instructions=instructions,
                )


def _prepare(run: JudgeRun, method: Method[Any], asks: Iterable[Ask]) -> None:
    """Write the run's calls and start it; where it has none, it is complete."""
    forecast = Forecast()
    counted = _counted(method, asks, forecast)
    write_calls(run, counted, per_chunk=method.answers_per_chunk)
    _check_cost(forecast, run.max_cost)
    run.n_calls, run.state = forecast.calls, JudgeRun.State.RUNNING
    if not forecast.calls:
        run.state, run.ended_at = JudgeRun.State.COMPLETE, timezone.now()
        run.reason = "Nothing to do: this judge has answered every question already."
    finish_planning(run)


def _counted(
    method: Method[Any], asks: Iterable[Ask], forecast: Forecast
) -> Iterator[tuple[Ask, int]]:
    """Each ask with its number of calls; adds its cost to the forecast."""
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
    """The lower of the run's own cap and the endpoint's."""
    return min((cap for cap in (max_cost, method.cost_cap()) if cap is not None), default=None)


def _check_cost(forecast: Forecast, max_cost: Decimal | None) -> None:
    if max_cost is None:
        return
    if forecast.usd is None:
        raise RunRefused(
            "max cost: the cost of the calls is unknown, because the judge's endpoint has no price "
            "configured for its model"
        )
    if forecast.usd > max_cost:
        raise RunRefused(
            f"max cost: {forecast.calls} calls are expected to cost {in_usd(forecast.usd)}, "
            f"more than {in_usd(max_cost)}"
        )


def _sum_or_none(left: Any, right: Any) -> Any:
    return None if left is None or right is None else left + right
