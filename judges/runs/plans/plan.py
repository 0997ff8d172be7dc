"""Plan runs: the questions that a judge answers, their calls and chunks, and the expected cost."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.models import Annotation, Rater, Study, User, log_change
from annotation.models.material import QuestionQuerySet
from annotation.queries.pages import pages
from judges.definitions.raters import rater_of
from judges.definitions.versions import method_of
from judges.methods.asks import Ask, Cost
from judges.methods.contract import Method
from judges.models import Judge, JudgeRun, ProbeSet
from judges.runs.delivery.queue import send_on_commit
from judges.runs.plans.asks import as_ask, instructions_for, prompts_of, seeds_of
from judges.runs.plans.caps import cap_of, refuse_overdrawn
from judges.runs.plans.forecast import Forecast, check_cost
from judges.runs.plans.left_out import (
    LeftOut,
    left_out_sentence,
    units_beside_controls,
    units_of_examples,
)
from judges.runs.plans.scope import (
    RunRefused,
    chosen_blocks,
    chosen_subset,
    probed_questions,
    questions_of,
    unanswered,
)
from judges.runs.provenance import code_version
from judges.runs.records.calls import (
    BATCH,
    PlanningGivenUp,
    discard_run,
    finish_planning,
    write_calls,
)
from retrieval.article import missing_readers


def forecast_run(
    *,
    study: Study,
    judge: Judge,
    subset: str | None = None,
    blocks: Sequence[str] = (),
    replicates: int = 1,
    limit: int | None = None,
    max_cost: Decimal | None = None,
    like: Judge | None = None,
    requested_by: User | AnonymousUser | None = None,
    sealed: bool = False,
) -> Forecast:
    """What the same `plan_run` would take. Only the judge's rater is written."""
    method = method_of(judge)
    return _forecast(
        study,
        method,
        rater_of(judge, study),
        LeftOut({} if blocks else unanswered(study, method)),
        questions=questions_of(
            study,
            chosen_blocks(study, method, blocks),
            chosen_subset(study, subset),
            limit,
            method,
            like=like,
            sealed=sealed,
        ),
        replicates=replicates,
        cap=cap_of(method, max_cost, study=study, payer=requested_by),
    )


def forecast_method(*, study: Study, method: Method[Any], limit: int | None = None) -> Forecast:
    """What the first run of a judge of that method would take; nothing is written, and no model is
    looked for. RunRefused where it can answer nothing in the study."""
    blocks, subset = chosen_blocks(study, method, ()), chosen_subset(study, None)
    questions = questions_of(study, blocks, subset, limit, method)
    left_out = LeftOut(unanswered(study, method))
    return _forecast(
        study, method, None, left_out, questions=questions, replicates=1, cap=method.cost_cap()
    )


def _forecast(
    study: Study,
    method: Method[Any],
    rater: Rater | None,
    left_out: LeftOut,
    *,
    questions: QuestionQuerySet,
    replicates: int,
    cap: Decimal | None,
) -> Forecast:
    forecast = Forecast()
    asks = _asks(questions, rater, replicates, instructions=instructions_for(method, study))
    for ask in left_out.sift(method, asks):
        forecast.add(_cost(method, ask))
    _refuse_empty(method, left_out, questions.count() * replicates)
    forecast.cap = cap
    check_cost(forecast, forecast.cap)
    forecast.left_out = left_out_sentence(left_out.as_json())
    forecast.examples = units_of_examples(study, method.example_units()).count()
    forecast.beside_controls = units_beside_controls(study).count()
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
    like: Judge | None = None,
    sealed: bool = False,
) -> JudgeRun:
    """Plan a run and send its first chunks. A long run is written in many transactions.

    subset: a name; empty for all units; None for the study's setting. Example units are left out.
    blocks: their keys; empty for all that the judge answers. limit: only the first so many
    questions. like: only those that this judge has answered, such as an earlier version. A question
    that this version has answered in that replicate is left out; where none is left, the run is
    complete at once. sealed: about the half that judges are tested on instead of all others, which
    a look at it asks. max_cost: USD; the endpoint's own cap and what the account may still spend
    there apply, too. Questions that do not show
    what the judge needs are left out and counted. RunRefused where it can answer nothing in the
    study, or it would cost too much.
    """
    if replicates < 1:
        raise RunRefused("replicates: must be at least 1")
    method, subset = method_of(judge), chosen_subset(study, subset)
    asked_blocks = chosen_blocks(study, method, blocks)
    questions = questions_of(study, asked_blocks, subset, limit, method, like=like, sealed=sealed)
    run = JudgeRun(
        study=study,
        judge=judge,
        rater=rater_of(judge, study),
        subset=subset,
        blocks=list(blocks),
        replicates=replicates,
        seed=seed,
        max_cost=cap_of(method, max_cost, study=study, payer=requested_by),
        prompts=prompts_of(study, method, asked_blocks),
        requested_by=requested_by if isinstance(requested_by, User) else None,
    )
    return _planned(run, method, questions)


def plan_probe(
    *, probe_set: ProbeSet, replicates: int, requested_by: User | AnonymousUser | None = None
) -> JudgeRun:
    """Plan a run that asks a probe set, and send its first chunks.

    Each replicate is asked exactly alike, whatever the judge has answered before. The run costs at
    most what the set says and the endpoint's own cap. RunRefused as for `plan_run`.
    """
    study, judge = probe_set.study, probe_set.judge
    method = method_of(judge)
    asked_blocks = chosen_blocks(study, method, ())
    questions = probed_questions(probe_set, asked_blocks, method)
    run = JudgeRun(
        study=study,
        judge=judge,
        rater=rater_of(judge, study),
        probe_set=probe_set,
        replicates=replicates,
        seed=probe_set.seed,
        max_cost=cap_of(
            method, probe_set.max_cost, study=study, payer=requested_by or probe_set.created_by
        ),
        prompts=prompts_of(study, method, asked_blocks),
        requested_by=requested_by if isinstance(requested_by, User) else None,
    )
    return _planned(run, method, questions)


def _planned(run: JudgeRun, method: Method[Any], questions: QuestionQuerySet) -> JudgeRun:
    """Save the run, write its calls and start it."""
    run.state, run.planning_at = JudgeRun.State.PLANNING, timezone.now()
    run.code_version = code_version()
    run.save()
    try:
        refuse_overdrawn(method, run)
        _prepare(run, method, _asks_of(run, method, questions), questions.count() * run.replicates)
    except BaseException as error:
        discard_run(run_id=run.pk)
        if isinstance(error, PlanningGivenUp):
            raise RunRefused("the planning took too long and was given up") from error
        raise
    detail = {"judge": str(run.judge), "subset": run.subset, "calls": run.n_calls}
    detail |= {"max_cost": run.max_cost} | ({"probe": True} if run.is_probe else {})
    by, subject = run.requested_by, str(run.pk)
    log_change(study=run.study, by=by, action="run.started", subject=subject, detail=detail)
    send_on_commit(run_id=run.pk)
    return run


def _asks_of(run: JudgeRun, method: Method[Any], questions: QuestionQuerySet) -> Iterator[Ask]:
    how = {"instructions": instructions_for(method, run.study), "seeds": seeds_of(run)}
    # Of a probe, whatever its rater has answered: those are not the answers to compare.
    rater = None if run.is_probe else run.rater
    return _asks(questions, rater, run.replicates, alike=run.is_probe, **how)


def _asks(
    questions: QuestionQuerySet, rater: Rater | None, replicates: int, **how: Any
) -> Iterator[Ask]:
    """The questions without an answer of the rater, replicate after replicate; all of them without
    a rater. how: as for `as_ask`."""
    for replicate in range(replicates):
        answered = Annotation.objects.filter(
            question=OuterRef("pk"), rater=rater, replicate=replicate, superseded_at=None
        )
        # Not one long SELECT: SQLite refuses the write of a transaction that began to read before
        # another one wrote.
        for page in pages(questions, BATCH):
            for question in page.filter(~Exists(answered)).as_asked():
                yield as_ask(question, replicate=replicate, **how)


def _prepare(run: JudgeRun, method: Method[Any], asks: Iterable[Ask], total: int) -> None:
    """Write the run's calls and start it; where it has none, it is complete.

    total: all answers of the run, those that are there already included.
    """
    forecast = Forecast()
    left_out = LeftOut({} if run.blocks else unanswered(run.study, method))
    counted = _counted(method, left_out.sift(method, asks), forecast)
    write_calls(run, counted, per_chunk=method.answers_per_chunk)
    _refuse_empty(method, left_out, total)
    check_cost(forecast, run.max_cost)
    run.left_out = left_out.as_json()
    run.n_calls, run.state = forecast.calls, JudgeRun.State.RUNNING
    if not forecast.calls:
        run.state, run.ended_at = JudgeRun.State.COMPLETE, timezone.now()
        every = "every other question" if left_out.asks else "every question"
        run.reason = f"Nothing to do: this judge has answered {every} already."
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


def _refuse_empty(method: Method[Any], left_out: LeftOut, total: int) -> None:
    """RunRefused where no question of the run shows what the method needs, or links that it looks
    up cannot be read here."""
    if method.retrieves_pages and (missing := missing_readers()):
        raise RunRefused(f"judge: reading pages needs {', '.join(missing)}: install jurybox[pages]")
    if total and left_out.asks == total:
        raise RunRefused(f"judge: {method.name} {left_out.complaint}")
