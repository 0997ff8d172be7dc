"""What adjudication has workers do: rank contested questions and add them to the queue, draw audit
samples, and work out the results beside gold."""

from django.db.models import Max
from django.urls import reverse

from annotation.models import Block, GoldAnswer, Study, User
from desk.data.adjudication.audits import draw_audit, members_of
from desk.data.adjudication.queue import Ranking, queue_ranked, ranking_of
from desk.data.background.jobs import ask, newest_or_asked
from desk.data.background.kinds import ActionKind, JobRefused, Parameters, QueryKind, study_of
from jobs.kinds import JobOutcome
from jobs.models import Job
from results.adjudication.compared import beside_gold_of

NOBODY = "This question has no answers yet, so no sample was drawn."
UNANSWERED = "There are no answers of people yet, so no question is contested."
UNCONTESTED = (
    "No question is contested: people give the same answers, and no judge differs from them."
)
NOTHING_LEFT = "Every contested question is decided or in the queue already."


def _queue_page(study: Study, _parameters: Parameters) -> str:
    return reverse("desk:adjudication", args=[study.slug])


def _rank(study: Study, _parameters: Parameters) -> JobOutcome:
    ranking = ranking_of(study)
    return {
        "questions": list(ranking),
        "scores": [score for score, _ in ranking.values()],
        "contested": [int(is_contested) for _, is_contested in ranking.values()],
    }


def _add(job: Job, outcome: JobOutcome) -> str:
    assert job.owner is not None  # acts are those of somebody who may
    each = zip(outcome["scores"], map(bool, outcome["contested"]), strict=True)
    ranking = dict(zip(outcome["questions"], each, strict=True))
    most = job.parameters["most"]
    added = queue_ranked(study=study_of(job), ranking=ranking, most=most, by=job.owner)
    if added:
        return f"{added} contested question{'s' * (added > 1)} added."
    return _why_nothing(ranking)


def _why_nothing(ranking: Ranking) -> str:
    """What is true of a ranking of which no question was added to the queue."""
    if not ranking:
        return UNANSWERED
    is_contested = any(contested for _, contested in ranking.values())
    return NOTHING_LEFT if is_contested else UNCONTESTED


def _frame(study: Study, parameters: Parameters) -> JobOutcome:
    members = members_of(study, Block.objects.get(study=study, pk=parameters["block"]))
    return {name: list(of) for name, of in members.items()}


def _draw(job: Job, outcome: JobOutcome) -> str:
    assert job.owner is not None  # acts are those of somebody who may
    if not outcome:
        raise JobRefused(NOBODY)
    audit = draw_audit(
        study=study_of(job),
        block=Block.objects.get(study=study_of(job), pk=job.parameters["block"]),
        members=outcome,
        size=job.parameters["size"],
        seed=job.parameters["seed"],
        by=job.owner,
    )
    return f"{audit.questions.count()} questions drawn with seed {audit.seed}."


def _beside_gold(study: Study, _parameters: Parameters) -> JobOutcome:
    return beside_gold_of(study).as_json()


RANKING = QueryKind(
    name="contested_ranking",
    title="Ranking contested questions",
    asked_on="desk:adjudication",
    page=_queue_page,
    compute=_rank,
)
# Parameters: most.
ADD_CONTESTED = ActionKind(
    name="contested",
    title="Adding contested questions",
    asked_on="desk:adjudication",
    page=_queue_page,
    precondition=RANKING,
    do=_add,
    about=lambda parameters: f"The {parameters['most']:,} most contested",
)
# Parameters: block (by id).
FRAME = QueryKind(
    name="audit_frame",
    title="Looking for answered questions",
    asked_on="desk:adjudication",
    page=_queue_page,
    compute=_frame,
)
# Parameters: block (by id), size, seed.
DRAW_AUDIT = ActionKind(
    name="audit",
    title="Drawing an audit sample",
    asked_on="desk:adjudication",
    page=_queue_page,
    precondition=FRAME,
    precondition_parameters=lambda parameters: {"block": parameters["block"]},
    do=_draw,
    about=lambda parameters: f"{parameters['size']:,} questions, seed {parameters['seed']}",
)
# Parameters: gold (the newest decision, by id), since decisions are no answers of the study.
BESIDE_GOLD = QueryKind(
    name="beside_gold",
    title="Results before and after deciding",
    asked_on="desk:adjudication",
    page=lambda study, _parameters: reverse("desk:beside-gold", args=[study.slug]),
    compute=_beside_gold,
)


def ask_for_contested(*, study: Study, most: int, by: User) -> Job:
    """Have the most contested questions without gold put into the queue, so many at most."""
    return ask(study=study, kind=ADD_CONTESTED, parameters={"most": most}, by=by)


def ask_for_audit(*, study: Study, block: Block, size: int, seed: int, by: User) -> Job:
    """Have a random sample of answered questions drawn and put into the queue."""
    parameters = {"block": block.pk, "size": size, "seed": seed}
    return ask(study=study, kind=DRAW_AUDIT, parameters=parameters, by=by)


def newest_beside_gold(*, study: Study, by: User) -> Job | None:
    """The job with the results beside the gold answers there are now; None without any."""
    newest = GoldAnswer.objects.filter(study=study).current().aggregate(Max("pk"))["pk__max"]
    if newest is None:
        return None
    return newest_or_asked(study=study, kind=BESIDE_GOLD, parameters={"gold": newest}, by=by)
