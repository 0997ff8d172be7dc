"""Studies with a team: every source with an output of each system."""

from typing import Any

from django.utils import timezone

from annotation.models import Item, Participation, Place, Question, Source, Study, Unit, UnitItem
from annotation.rounds.places import open_places
from annotation.rounds.team.allotments import allot
from annotation.work.assignment import NothingLeft, lease_batch
from annotation.work.steps import Steps
from annotation.work.submission import submit
from tests.annotation.workers import answer_step, lease, newcomer
from tests.cast import make_study

SLIDER_ALONE: tuple[tuple[str, dict[str, Any]], ...] = (("slider", {}),)


def make_team_study(
    *, sources: int = 4, systems: int = 3, members: int = 3, overlap: int = 3, **fields: Any
) -> Study:
    """An open study with its table written."""
    study = make_study(
        sources=0,
        overlap=overlap,
        blocks=SLIDER_ALONE,
        batches=Study.Batches.TEAM,
        team_members=members,
        **fields,
    )
    add_outputs(study, range(sources), systems)
    open_places(study)
    allot(study)
    return study


def add_outputs(study: Study, numbers: range, systems: int) -> None:
    block, setting = study.blocks.get(), study.subsets.get_or_create(name=study.setting)[0]
    for number in numbers:
        source = Source.objects.create(study=study, key=f"d{number}", claim="A claim.")
        for system in range(systems):
            key = f"d{number}/S{system}"
            item = Item.objects.create(
                study=study,
                source=source,
                key=key,
                system=f"S{system}",
                sentences=[{"text": "The bridge was open", "citations": []}],
            )
            unit = Unit.objects.create(study=study, source=source, key=key)
            unit.subsets.add(setting)
            UnitItem.objects.create(unit=unit, item=item, position=0)
            about = (source.material, [item.material], unit.focus, block.typed_options)
            payload = block.task_type.payload(*about).model_dump(mode="json")
            Question.objects.create(study=study, unit=unit, block=block, payload=payload)


def team_of(study: Study, n: int = 3) -> list[Participation]:
    """The members, who arrive one after another."""
    return [newcomer(study) for _ in range(n)]


def wanted(study: Study) -> set[int | None]:
    return set(Place.objects.filter(round__study=study).values_list("wanted", flat=True))


def work(member: Participation, batches: int = 1) -> None:
    """Answer and submit so many batches."""
    for _ in range(batches):
        batch = lease(member)
        for step in Steps(batch).unanswered:
            answer_step(step)
        submit(assignment=batch, now=timezone.now())


def work_to_the_end(member: Participation) -> None:
    """Answer and submit until there is no batch."""
    while not isinstance(lease_batch(participation=member, now=timezone.now()), NothingLeft):
        work(member)
