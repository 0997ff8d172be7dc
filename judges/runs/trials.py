"""Try a judge on one unit before it is defined: what it would send and cost, then its reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.models import Question, Study, User, log_change
from endpoints.models import charge
from judges.backends.contract import Reply, Unusable
from judges.definitions.proposals import refuse_from_page
from judges.definitions.versions import BadJudge, Definition, method_for, resolved
from judges.methods.asks import Ask, Cost, Tools
from judges.methods.conversation import ChatMethod
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.asks import Seeds, as_ask, instructions_for, served_blocks
from judges.runs.plans.caps import cap_of
from judges.runs.plans.scope import RunRefused
from judges.runs.records.reply_cache import DatabaseCache

# Somebody waits: seconds for all calls of an answer together, and the most calls.
SECONDS, MOST_CALLS = 50.0, 8
# Kept replies of trials belong to no run.
_NO_RUN = 0


@dataclass(frozen=True)
class Trial:
    """One question to a judge that is not defined yet. prompts: by step, as far as they are known
    before. cap: USD that may be spent; None: no limit."""

    study: Study
    method: ChatMethod[Any]
    ask: Ask
    cost: Cost
    cap: Decimal | None
    prompts: dict[str, str]


@dataclass(frozen=True)
class TriedOut:
    """What came back. usd: what was paid now; None: unknown."""

    replies: Sequence[Reply]
    answer: Any
    usd: Decimal | None


def prepare_trial(*, study: Study, fields: dict[str, Any], unit: str, by: User) -> Trial:
    """What a judge would ask about a unit, by its key; empty: the first. BadJudge where it cannot
    be used, RunRefused where it cannot be asked about the unit or may cost too much."""
    definition = Definition(**fields)
    refuse_from_page(definition, study)
    method = _method(definition, study)
    ask = _ask(study, method, unit, definition.name)
    try:
        method.check_shown(ask)
        cost = method.plan(ask)
        first, later = method.first_prompt(ask), method.later_prompts(ask)
    except ValueError as error:
        raise RunRefused(f"unit: {ask.unit}: {error}") from error
    cap = cap_of(method, None, study=study, payer=by)
    _refuse_dear(cost, cap)
    return Trial(study, method, ask, cost, cap, {"": first, **later} if first else dict(later))


def ask_once(trial: Trial, *, by: User) -> TriedOut:
    """Ask the judge, and charge the account. Replies are kept as those of runs are, so that a run
    that asks the same pays nothing again; those without an answer are not."""
    method, cache = trial.method, DatabaseCache(_NO_RUN)
    method.hurry(SECONDS / max(1, trial.cost.calls))
    method.tools = Tools(replies=cache)
    try:
        (outcome,) = method.answers([trial.ask])
    except Unusable as error:
        raise RunRefused(f"chosen: {error}") from error
    if outcome.answer is None:
        keys = (reply.detail.get("cache_key") for reply in outcome.replies)
        cache.forget(key for key in keys if key)
    costs = [reply.cost for reply in outcome.replies]
    known = [cost for cost in costs if cost is not None]
    paid = sum(known, Decimal(0))
    charge(endpoint=method.endpoint_name(), user_id=by.pk, usd=paid)
    detail = {"unit": trial.ask.unit, "usd": str(paid)}
    log_change(study=trial.study, by=by, action="judge.tried", detail=detail)
    answer = None if outcome.answer is None else outcome.answer.model_dump(mode="json")
    return TriedOut(outcome.replies, answer, paid if len(known) == len(costs) else None)


def _method(definition: Definition, study: Study) -> ChatMethod[Any]:
    """The judge's method, without a row: nothing is kept of a trial."""
    kind = method_for(definition)
    backend = definition.backend or next(iter(kind.backends), "")
    if not issubclass(kind, ChatMethod):
        raise BadJudge("method: only judges that ask a chat model can be tried; define and run it")
    parameters, model = resolved(kind, definition, backend, study)
    try:
        # A batch would come back within a day.
        live = parameters.model_copy(update={"route": "live"})
        return kind(live, model=model, backend=backend)
    except (ValueError, OSError) as error:
        raise BadJudge(str(error)) from error


def _ask(study: Study, method: ChatMethod[Any], unit: str, name: str) -> Ask:
    blocks = served_blocks(study, method)
    questions = Question.objects.filter(study=study, block__in=blocks)
    if unit:
        questions = questions.filter(unit__key=unit)
    question = questions.as_asked().order_by("block__position", "pk").first()
    if question is None:
        where = f"no unit {unit!r}" if unit else "no unit"
        raise RunRefused(f"unit: there is {where} that the judge could be asked about")
    return as_ask(
        question,
        replicate=0,
        seeds=Seeds(study.seed, study.slug, name),
        instructions=instructions_for(method, study),
    )


def _refuse_dear(cost: Cost, cap: Decimal | None) -> None:
    if cost.calls > MOST_CALLS:
        raise RunRefused(
            f"method: it takes {cost.calls} calls for one answer, too many to wait for; define the "
            "judge and run it with “Only the first” 1"
        )
    if cap is not None and cost.usd is None:
        raise RunRefused("chosen: the model has no price, so that your limit could not hold")
    if cap is not None and cost.usd is not None and cost.usd > cap:
        raise RunRefused(f"chosen: about {in_usd(cost.usd)}, and you have {in_usd(cap)} left")
