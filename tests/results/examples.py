"""Small studies: of any kind of question, made of its worked example, and one of everything."""

from typing import Any

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import (
    Annotation,
    Block,
    Item,
    Member,
    Question,
    Rater,
    Round,
    Source,
    Study,
    Unit,
    UnitItem,
    User,
)
from tasktypes.contract import TaskType
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate

AnyType = TaskType[Any, Any, Any]


def make_example(kind: AnyType, owner: User, *, units: int = 3) -> Study:
    """Units that all ask what the example asks, each of a source of its own."""
    study = Study.objects.create(slug="example", title="An example", setting="full")
    Member.objects.create(study=study, user=owner, role=Member.Role.OWNER)
    Block.objects.create(
        study=study,
        position=0,
        key=kind.slug,
        task_type_slug=kind.slug,
        options=dict(kind.example.options),
    )
    Round.objects.create(study=study, position=0, name="main")
    for number in range(units):
        _add_unit(study, kind, number)
    return study


def _add_unit(study: Study, kind: AnyType, number: int) -> None:
    example, block = kind.example, study.blocks.get()
    fields = {**example.source.model_dump(mode="json"), "key": f"source-{number}"}
    source = Source.objects.create(study=study, **fields)
    items = []
    for at, item in enumerate(example.items):
        given = item.model_dump(mode="json", exclude={"perturbed_from", "key"})
        key = f"source-{number}/{at}"
        items.append(Item.objects.create(study=study, source=source, key=key, **given))
    unit = Unit.objects.create(
        study=study, source=source, key=f"unit-{number}", focus=dict(example.focus)
    )
    for at, made in enumerate(items):
        UnitItem.objects.create(unit=unit, item=made, position=at)
    about = (source.material, [item.material for item in items], unit.focus, block.typed_options)
    Question.objects.create(
        study=study, unit=unit, block=block, payload=kind.payload(*about).model_dump(mode="json")
    )


def answer(study: Study, *raters: tuple[str, str]) -> list[Rater]:
    """The example's answer to every question from each of them: (name, kind)."""
    given = []
    for name, kind in raters:
        rater = make_rater(study, name, kind)
        for question in study.questions.select_related("block", "unit"):
            said = question.typed_answer(question.block.task_type.example.answer)
            record_answers(rater=rater, given=[GivenAnswer(question, said)])
        given.append(rater)
    return given


def make_answered() -> Study:
    """People, imported ones, judges of two versions, replicates, controls, a pilot, and answers
    that do not count."""
    study = make_study(sources=3, positive=2)
    main = study.rounds.get()
    pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
    Item.objects.filter(system="Alder").update(system_family="Elm")
    for number, (name, kind, version) in enumerate(
        [
            *(("worker-1", "human", 1), ("worker-2", "human", 1), ("gold", "human", 1)),
            *(("lexical", "judge", 1), ("lexical", "judge", 2), ("program", "simulated", 1)),
        ]
    ):
        rater = make_rater(study, name, kind, version=version)
        for at, question in enumerate(questions(study)):
            choose(rater, question, (at * number) % 3, 2, round_=main if number < 2 else None)
        for at, question in enumerate(questions(study, block=1)):
            rate(rater, question, 10 * at + 7.3 * number)
        one, other = questions(study, role="positive")
        choose(rater, one, 0, 2, round_=main)
        choose(rater, other, number % 2, round_=pilot)
    Rater.objects.filter(name="gold").update(origin="imported")
    Rater.objects.filter(name="lexical").update(family="elm")
    judge = Rater.objects.get(name="lexical", version=2)
    choose(judge, questions(study)[0], 1, replicate=1)
    odd = make_rater(study, "worker-3")
    choose(odd, questions(study)[0], 1, surplus=True)
    excluded = choose(odd, questions(study)[1], 1)
    Annotation.objects.filter(pk=excluded.pk).update(excluded_reason="failed controls")
    return study
