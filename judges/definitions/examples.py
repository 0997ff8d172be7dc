"""Prompts of a judge's own in its study: do they suit it, and which units are their examples?"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotation.models import Annotation, Question, Rater, Study, Unit
from judges.methods.contract import Method
from judges.methods.conversation.examples import WorkedExample
from tasktypes.machines.needs import absent, named
from tasktypes.machines.votes import NoConsensus
from tasktypes.schemas import Schema


def check_prompts(method: type[Method[Any]], parameters: Schema, study: Study) -> None:
    """ValueError where the judge's own prompts suit no block of the study that it could answer, or
    not the one that they are for, or where an example names a unit that there is not."""
    problems = {
        block.key: method.prompt_problem(parameters, block.task_type, block.key)
        for block in study.blocks.all()
        if method.can_serve(block.task_type)
    }
    if study.units.exists():  # before its items are there nobody can say
        method.with_taken_examples(parameters, partial(_with_unit, study=study, method=method))
    for block in method.example_blocks(parameters):
        if block not in problems:
            there = ", ".join(problems) or "none"
            raise ValueError(f"examples: there is no block {block} to answer ({there})")
        if problems[block]:
            raise ValueError(f"{problems[block]} (block {block})")
    if problems and all(problems.values()):
        raise ValueError(next(iter(problems.values())))


def _with_unit(example: WorkedExample, *, study: Study, method: type[Method[Any]]) -> WorkedExample:
    _question(example, study, method)
    return example


def taken_example(
    example: WorkedExample, *, study: Study | None, judge: str, method: type[Method[Any]]
) -> WorkedExample:
    """The example with the question of its unit, and the answer as it stands now.

    An earlier version of the judge that took the same question keeps its answer: answers that
    people give later do not make another judge. ValueError('examples: reason') where there is no
    such question, or no answer to it.
    """
    if study is None:
        raise ValueError(f"examples: unit {example.unit} is named, but no study to take it from")
    question = _question(example, study, method)
    lacking = absent(question.typed_payload, question.block.task_type.needs(question.typed_payload))
    if lacking:
        raise ValueError(f"examples: unit {example.unit} lacks {named(lacking)}")
    payload = question.payload
    found = {"block": question.block.key, "study": study.slug, "payload": payload}
    earlier = _taken_before(study, judge, found | {"unit": example.unit})
    if earlier is not None:
        return example.model_copy(
            update=found | {"answer": earlier.answer, "source": earlier.source}
        )
    if question.reference is not None:
        return example.model_copy(
            update=found | {"answer": question.reference, "source": "reference"}
        )
    agreed = _agreed(question, _answers_of_people(question))
    answer = agreed.model_dump(mode="json")
    return example.model_copy(update=found | {"answer": answer, "source": "people"})


def _question(example: WorkedExample, study: Study, method: type[Method[Any]]) -> Question:
    questions = Question.objects.filter(study=study, unit__key=example.unit)
    questions = questions.select_related("block", "unit__source").order_by("block__position")
    served = {
        question.block.key: question
        for question in questions
        if method.can_serve(question.block.task_type) and example.block in ("", question.block.key)
    }
    if not served:
        where = f" in block {example.block}" if example.block else ""
        raise ValueError(f"examples: there is no unit {example.unit}{where} to answer")
    if any(question.unit.source.sealed for question in served.values()):
        raise ValueError(
            f"examples: unit {example.unit} is of the sealed half, on which judges are tested; "
            "take one of the development half"
        )
    if len(served) > 1:
        raise ValueError(f"examples: name the block of unit {example.unit} ({', '.join(served)})")
    return next(iter(served.values()))


def _taken_before(study: Study, judge: str, found: dict[str, Any]) -> WorkedExample | None:
    versions = study.judge_versions.filter(name=judge).order_by("-version")
    for parameters in versions.values_list("parameters", flat=True):
        for fields in parameters.get("examples", ()):
            if all(fields.get(name) == value for name, value in found.items()):
                return WorkedExample.model_validate(fields)
    return None


def _answers_of_people(question: Question) -> list[Schema]:
    """The answers that count; to training and worked examples, those that stand."""
    answers = Annotation.objects.filter(
        question=question, rater__kind=Rater.Kind.HUMAN, replicate=0
    ).order_by("pk")
    is_normal = question.unit.role == Unit.Role.NORMAL
    answers = answers.counted() if is_normal else answers.standing()
    return [question.typed_answer(answer.answer) for answer in answers]


def _agreed(question: Question, answers: Sequence[Schema]) -> Schema:
    """What people agree on: by the rule of reports, or else by the median, as one of them could
    have answered it."""
    unit = question.unit.key
    if not answers:
        raise ValueError(f"examples: unit {unit} has no reference and no answer of people")
    kind, payload = question.block.task_type, question.typed_payload
    for how in (None, "median"):
        try:
            agreed: Schema = kind.combined(payload, answers, how=how)
            kind.check(payload, agreed)
        except (NoConsensus, ValueError):
            continue
        return agreed
    raise ValueError(f"examples: people's answers to unit {unit} make no answer together")
