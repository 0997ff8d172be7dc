"""Make a study's baselines: judges that do not read, fitted on people's answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from django.db.models import QuerySet
from django.urls import reverse

from annotation.models import Annotation, Block, Question, Rater, Study, User, log_change
from annotation.rater_names import BASELINE
from jobs.kinds import JobFailed, JobOutcome, Kind
from jobs.models import Job
from jobs.reports import Report
from judges.backends.contract import Unusable
from judges.calibration import NotCalibrated
from judges.calibration.known_answers import CHUNK
from judges.definitions.versions import BadJudge, define_judge
from judges.methods.asks import Ask
from judges.methods.baseline import REMEDY, Baseline, BaselineParameters
from judges.methods.baseline.features import seen
from judges.models import Judge
from judges.runs.plans.asks import as_ask
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from tasktypes.machines.fitted_parts import By, Fit, Fitted, Observation, fitted, half_of
from tasktypes.machines.parts import InParts, Part, Value

# Of a block a fit goes by so many questions: more make no better curve, and take minutes to embed.
MOST_QUESTIONS = 1000
# With fewer sources one half would be fitted on hardly anything.
LEAST_SOURCES = 4
_WINDOW, _TRIES = 64, 1000


@dataclass(frozen=True)
class Baselines:
    """The baselines of a study. left_out: by name, why one could not be made."""

    judges: tuple[Judge, ...]
    left_out: Mapping[str, str]


@dataclass
class _Answered:
    """A question with the values that people gave to its parts."""

    ask: Ask
    parts: tuple[Part, ...]
    answers: list[Sequence[Value | None]] = field(default_factory=list)
    seen: Sequence[float] = ()


def make_baselines(*, study: Study, by: User | None = None) -> Baselines:
    """A version of every baseline that is fitted on what people have answered by now; the newest
    one where they have answered nothing since.

    The sources are split in two by a seed, the first that splits them about evenly; each half is
    answered by the fit on the other one. Only counted answers are used: valid, of normal units, in
    counting rounds. NotCalibrated where people answered about too few sources.
    """
    refuse_uncalibrated(study)
    answered = {block.key: _answered(block) for block in study.blocks.all()}
    keys = {question.ask.source for questions in answered.values() for question in questions}
    seed = _seed(keys)
    people = _people(study)
    about = {"study": study.slug, "seed": seed, "people": people.values("rater").distinct().count()}
    judges, left_out = [], {}
    for basis in get_args(By):
        try:
            judge = _made(study, basis, answered, about)
        except (NotCalibrated, BadJudge, Unusable, ValueError) as error:
            left_out[f"{BASELINE}{basis}"] = str(error)
        else:
            judges.append(judge)
            log_change(study=study, by=by, action="judge.calibrated", subject=str(judge))
    return Baselines(tuple(judges), left_out)


def refuse_uncalibrated(study: Study) -> None:
    """NotCalibrated, with the remedy, where people answered about too few sources."""
    n = _people(study).values("question__unit__source").distinct().count()
    if n < LEAST_SOURCES:
        raise NotCalibrated(
            f"Baselines are fitted on people's answers about {LEAST_SOURCES} sources or more, and "
            f"here people answered about {n}. Have people answer, or import their answers; then "
            f"{REMEDY}."
        )


class MakeBaselines(Kind):
    """Make the baselines of a study and plan their runs."""

    name, title, least = "baselines", "Adding and running the baselines", "editor"

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Why some could not be made or run, by name."""
        study, by = job.study, job.owner
        assert study is not None  # every study has its own
        try:
            made = make_baselines(study=study, by=by)
        except NotCalibrated as error:
            raise JobFailed(str(error)) from error
        left_out = dict(made.left_out)
        for judge in made.judges:
            try:
                plan_run(study=study, judge=judge, seed=study.seed, requested_by=by)
            except (RunRefused, BadJudge) as error:
                left_out[judge.name] = str(error)
        return {"left_out": left_out}

    def address(self, job: Job) -> str:
        """The page of the study's judges."""
        assert job.study is not None
        return reverse("judges:runs", args=[job.study.slug])


MAKE_BASELINES = MakeBaselines()


def newest_job(study: Study) -> Job | None:
    """The newest job that makes the study's baselines."""
    return Job.objects.filter(kind=MAKE_BASELINES.name, study=study).order_by("-pk").first()


def _people(study: Study) -> QuerySet[Annotation]:
    people = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN)
    return people.counted().filter(replicate=0, question__unit__source__sealed=False)


def _made(
    study: Study, by: By, answered: Mapping[str, Sequence[_Answered]], about: Mapping[str, Any]
) -> Judge:
    method = Baseline(Baseline.resolve_parameters(BaselineParameters(by=by)))
    shown = {
        block: [question for question in questions if not method.missing(question.ask)]
        for block, questions in answered.items()
    }
    if not any(shown.values()):
        raise NotCalibrated("the questions that people answered show no text")
    if method.parameters.reads:
        _see(method, [question for questions in shown.values() for question in questions])
    halves = {}
    for block, questions in shown.items():
        both = [_half(by, questions, half, about["seed"]) for half in (0, 1)]
        if all(half.sources for half in both):
            halves[block] = (both[0], both[1])
    fit = Fit(halves=halves, **about)
    parameters = method.parameters.model_copy(update={"fit": fit}).model_dump(mode="json")
    name = f"{BASELINE}{by}"
    return define_judge(study=study, name=name, method=Baseline.name, parameters=parameters)


def _see(method: Baseline, questions: Sequence[_Answered]) -> None:
    """Fill in what the method sees of every part; NotCalibrated where it is the same of all."""
    for at in range(0, len(questions), _WINDOW):
        window = questions[at : at + _WINDOW]
        numbers = iter(seen([part for each in window for part in each.parts], method.measure))
        for each in window:
            each.seen = [next(numbers) for _ in each.parts]
    if len({number for each in questions for number in each.seen}) < 2:
        raise NotCalibrated("the texts that people judged do not differ in it")


def _half(by: By, questions: Sequence[_Answered], half: int, seed: int) -> Fitted:
    inside = [each for each in questions if half_of(seed, each.ask.source) == half]
    observations = [
        Observation(part, value, number)
        for each in inside
        for values in each.answers
        for part, value, number in zip(
            each.parts, values, each.seen or [0.0] * len(each.parts), strict=True
        )
        if value is not None
    ]
    sources = len({each.ask.source for each in inside})
    return fitted(
        by, observations, sources=sources, answers=sum(len(each.answers) for each in inside)
    )


def _answered(block: Block) -> list[_Answered]:
    """The questions of a block that people answered, with their answers; of many a share, evenly
    over the block."""
    kind = block.task_type
    if not isinstance(kind, InParts):
        return []
    people = _people(block.study).filter(question__block=block).order_by("question", "pk")
    ids = list(people.values_list("question", flat=True).distinct().order_by("question"))
    ids = ids[:: -(-len(ids) // MOST_QUESTIONS) or 1]
    found = {
        question.pk: _Answered(ask, kind.parts(ask.payload))
        for question in _questions(ids)
        for ask in (as_ask(question, replicate=0),)
    }
    for at in range(0, len(ids), CHUNK):
        rows = people.filter(question__in=ids[at : at + CHUNK])
        for pk, answer in rows.values_list("question", "answer"):
            each = found[pk]
            typed = block.task_type.Answer.model_validate(answer)
            each.answers.append(kind.to_parts(each.ask.payload, typed))
    return list(found.values())


def _questions(ids: Sequence[int]) -> Iterable[Question]:
    for at in range(0, len(ids), CHUNK):
        yield from Question.objects.as_asked().filter(pk__in=ids[at : at + CHUNK]).order_by("pk")


def _seed(keys: Iterable[str]) -> int:
    """The first seed that splits the sources about evenly: it depends on nothing but their keys."""
    found = sorted(keys)
    least = max(1, round(0.45 * len(found)))
    for seed in range(_TRIES):
        second = sum(half_of(seed, key) for key in found)
        if least <= second <= len(found) - least:
            return seed
    raise AssertionError("no seed splits the sources")  # one in two does, of few or many
