"""The contents of the pages of controls: all of them, and one as a worker sees it."""

from dataclasses import dataclass

from django.db.models import Case, QuerySet, When
from django.utils.safestring import SafeString

from annotation.models import Question, Study, Unit
from annotation.views.filled_form import draw_answer, draw_form


@dataclass(frozen=True)
class ControlQuestion:
    """A question of a control as workers see it, with the right answer filled in, if any."""

    title: str
    has_answer: bool
    shown: SafeString


def controls_of(study: Study) -> QuerySet[Unit]:
    """All control units; those that wait for a decision come first."""
    waiting = Case(When(check_state=Unit.Check.PROPOSED, then=0), default=1)
    controls = study.units.filter(role__in=Unit.CONTROLS).select_related("checked_by")
    return controls.prefetch_related("places__round").order_by(waiting, "-checked_at", "key")


def round_of(unit: Unit) -> str:
    """The round of a control's place, or the one that it was proposed for."""
    places = list(unit.places.all())
    return places[0].round.name if places else str(unit.proposal.get("round", ""))


def next_proposed(study: Study) -> Unit | None:
    """The next control that waits for a decision."""
    return study.units.filter(check_state=Unit.Check.PROPOSED).order_by("key").first()


def made_from(unit: Unit) -> Unit | None:
    """The normal unit that a control was made from."""
    return unit.study.units.filter(key=unit.proposal.get("made_from")).first()


def control_questions(unit: Unit, *, prefix: str) -> list[ControlQuestion]:
    """The questions of a unit, block by block."""
    questions = Question.objects.filter(unit=unit).select_related("block")
    return [
        _control_question(question, f"{prefix}-{question.block.position}", unit.study.text_form)
        for question in questions.order_by("block__position")
    ]


def _control_question(question: Question, prefix: str, text_form: str) -> ControlQuestion:
    reference = question.typed_reference
    if reference is None:
        drawn = draw_form(question, {}, prefix=prefix, text_form=text_form)
    else:
        drawn = draw_answer(question, reference, prefix=prefix, text_form=text_form)
    return ControlQuestion(question.block.task_type.title, reference is not None, drawn)


def styles_of(study: Study) -> list[str]:
    """The style sheets of the study's task types, each once."""
    files = [file for block in study.blocks.all() for file in block.task_type.styles]
    return list(dict.fromkeys(files))
