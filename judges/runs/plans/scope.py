"""Which questions a run asks: the blocks that its judge can answer, and the units of a subset."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from annotation.models import Annotation, Block, Question, Study, Unit
from annotation.models.material import QuestionQuerySet
from judges.definitions.study_judges import study_method
from judges.definitions.versions import BadJudge, UnknownJudge
from judges.methods.contract import Method
from judges.models import Judge, ProbeSet
from judges.runs.plans.asks import objection_to, served_blocks
from judges.runs.plans.left_out import units_beside_controls, units_of_examples
from judges.runs.records.votes import blocks_with_votes, missing_voters


class RunRefused(ValueError):
    """The run cannot be planned; the message says why."""


def chosen_subset(study: Study, subset: str | None) -> str:
    """The subset of that name, or for None the study's setting; RunRefused where it has none."""
    chosen = study.setting if subset is None else subset
    names = list(study.subsets.order_by("name").values_list("name", flat=True))
    if chosen and chosen not in names:
        known_names = ", ".join(names) or "none"
        raise RunRefused(
            f"setting: study {study.slug} has no subset {chosen!r} (known: {known_names})"
        )
    return chosen


def refuse_unusable(study: Study, names: Iterable[str]) -> None:
    """RunRefused, naming the judge, where a judge of the study could not run there."""
    for name in names:
        try:
            answered_blocks(study, study_method(study, name))
        except (BadJudge, UnknownJudge, RunRefused) as error:
            raise RunRefused(f"judges.{name}: {error}") from error


def answered_blocks(study: Study, method: Method[Any]) -> list[Block]:
    """All blocks that the method can answer; RunRefused, with the reason, where there is none."""
    blocks = served_blocks(study, method)
    if not blocks:
        study_types = ", ".join(block.task_type.title for block in study.blocks.all()) or "nothing"
        method_types = ", ".join(served.title for served in method.serves)
        raise RunRefused(
            f"judge: {method.name} answers {method_types}; study {study.slug} asks {study_types}"
            + "".join(f"; {objection}" for objection in _objections(study, method))
        )
    if absent := missing_voters(study, method):
        raise RunRefused(f"judge: {method.name} has members that do not exist: {', '.join(absent)}")
    return blocks


def chosen_blocks(study: Study, method: Method[Any], keys: Sequence[str]) -> Sequence[Block]:
    """The blocks of those keys, or all that the method answers; RunRefused where there is none."""
    blocks = answered_blocks(study, method)
    served = {block.key: block for block in blocks}
    for key in keys:
        if key not in served:
            why = "".join(f": {reason}" for reason in unanswered(study, method, key).values())
            keys_served = ", ".join(served)
            raise RunRefused(
                f"block: the judge does not answer {key!r} here (but {keys_served}){why}"
            )
    return [served[key] for key in keys] or _voted_on(study, method, blocks)


def unanswered(study: Study, method: Method[Any], key: str = "") -> dict[str, str]:
    """By the keys of blocks that a run of the method leaves out, why it does. key: only of that
    block; without it, of all that nobody has to name to be asked."""
    reasons = {}
    for block in study.blocks.all():
        if not method.can_serve(block.task_type):
            reasons[block.key] = f"{method.name} does not answer {block.task_type.title}"
        elif objection := objection_to(method, block):
            reasons[block.key] = objection
    if key:
        return {name: reason for name, reason in reasons.items() if name == key}
    served = [block for block in served_blocks(study, method) if block.key not in reasons]
    voted_on = blocks_with_votes(study, method, served)
    too_few = f"fewer than {method.votes_needed} of its members answer it"
    return reasons | {block.key: too_few for block in served if block not in voted_on}


def _voted_on(study: Study, method: Method[Any], blocks: Sequence[Block]) -> Sequence[Block]:
    voted_on = blocks_with_votes(study, method, blocks)
    if not voted_on:
        raise RunRefused(
            f"judge: {method.name} needs {method.votes_needed} of {', '.join(method.voters())} "
            "to answer the same block; run them first"
        )
    return voted_on


def questions_of(
    study: Study,
    blocks: Sequence[Block],
    subset: str,
    limit: int | None,
    method: Method[Any],
    *,
    like: Judge | None = None,
    sealed: bool = False,
) -> QuestionQuerySet:
    """The questions of those blocks and that subset, in the order of their import; RunRefused where
    there are none. limit: only the first so many. like: only those that this judge has answered.
    Sources of the method's examples are left out, and `units_beside_controls`. sealed: those of the
    half that judges are tested on, in place of all others."""
    questions = Question.objects.filter(study=study, block__in=blocks)
    questions = questions.filter(unit__source__sealed=sealed)
    questions = questions.exclude(unit__role=Unit.Role.EXAMPLE)
    questions = questions.exclude(unit__check_state__in=Unit.UNUSED)
    questions = questions.exclude(unit__in=units_of_examples(study, method.example_units()))
    questions = questions.exclude(unit__in=units_beside_controls(study))
    if subset:
        questions = questions.filter(unit__subsets__in=study.subsets.filter(name=subset))
    if like is not None:
        rater = study.raters.filter(name=like.name, version=like.version)
        answers = Annotation.objects.filter(rater__in=rater, superseded_at=None)
        questions = questions.filter(Exists(answers.filter(question=OuterRef("pk"))))
    if not questions.exists():
        where = f" in subset {subset}" if subset else ""
        where += " in the sealed half" if sealed else ""
        raise RunRefused(f"setting: study {study.slug} has no question for the judge{where}")
    questions = questions.order_by("pk")
    if limit is not None and (
        last := questions.values_list("pk", flat=True)[limit - 1 : limit].first()
    ):
        questions = questions.filter(pk__lte=last)
    return questions


def probed_questions(
    probe_set: ProbeSet, blocks: Sequence[Block], method: Method[Any]
) -> QuestionQuerySet:
    """The questions of those blocks about the units of a probe set, but those that are retired or
    sealed by now; RunRefused where there are none."""
    questions = Question.objects.filter(unit__in=probe_set.units.all(), block__in=blocks)
    questions = questions.filter(unit__retired_at=None, unit__source__sealed=False)
    questions = questions.exclude(unit__check_state__in=Unit.UNUSED)
    shown = units_of_examples(probe_set.study, method.example_units())
    questions = questions.exclude(unit__in=shown)
    if not questions.exists():
        raise RunRefused("probe set: none of its units is left; choose another one")
    return questions.order_by("pk")


def _objections(study: Study, method: Method[Any]) -> list[str]:
    served = [block for block in study.blocks.all() if method.can_serve(block.task_type)]
    objections = (objection_to(method, block) for block in served)
    return [objection for objection in objections if objection]
