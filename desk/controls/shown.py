"""What the pages of control questions show: all of them, and one as a worker meets it."""

from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.db.models import Case, QuerySet, When
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from annotation.models import Question, Round, Study, Unit
from annotation.views.filled_form import draw_answer, draw_form
from tasktypes.contract import ControlPool

ONE_PASSAGE, ONE_PART = "one_passage", "one_part"


class ProposalForm(forms.Form):
    """How many controls to propose, for which round, from which pool, by which seed."""

    round = forms.ModelChoiceField(Round.objects.none(), label=_("Round"), empty_label=None)
    positive = forms.IntegerField(min_value=0, max_value=1000, initial=0, label=_("Positive"))
    negative = forms.IntegerField(min_value=0, max_value=1000, initial=0, label=_("Negative"))
    pool = forms.ChoiceField(
        choices=[
            (ONE_PASSAGE, _("units whose selected evidence is one passage")),
            (ONE_PART, _("any unit whose right answer names one part")),
        ],
        label=_("Made from"),
    )
    seed = forms.IntegerField(initial=1, label=_("Seed of the draw"))

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["round"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = study.rounds.all()

    def clean(self) -> None:
        super().clean()
        if not self.errors and not (self.cleaned_data["positive"] or self.cleaned_data["negative"]):
            self.add_error("positive", _("Say how many, of one kind at least."))

    @property
    def chosen_pool(self) -> ControlPool:
        return cast(ControlPool, self.cleaned_data["pool"])


@dataclass(frozen=True)
class Part:
    """A question of a control as a worker sees it, with the right answer in it, if any."""

    title: str
    has_answer: bool
    shown: SafeString


def controls_of(study: Study) -> QuerySet[Unit]:
    """All control units, those that wait for a decision first."""
    waiting = Case(When(check_state=Unit.Check.PROPOSED, then=0), default=1)
    controls = study.units.filter(role__in=Unit.CONTROLS).select_related("checked_by")
    return controls.prefetch_related("places__round").order_by(waiting, "-checked_at", "key")


def round_of(unit: Unit) -> str:
    """The round of a control's place, or the one that it was proposed for."""
    places = list(unit.places.all())
    return places[0].round.name if places else str(unit.proposal.get("round", ""))


def next_proposed(study: Study) -> Unit | None:
    """The next one that waits for a decision."""
    return study.units.filter(check_state=Unit.Check.PROPOSED).order_by("key").first()


def made_from(unit: Unit) -> Unit | None:
    """The normal unit that a control was made of."""
    return unit.study.units.filter(key=unit.proposal.get("made_from")).first()


def parts_of(unit: Unit, *, prefix: str) -> list[Part]:
    """The questions of a unit, block by block."""
    questions = Question.objects.filter(unit=unit).select_related("block")
    return [
        _part(question, f"{prefix}-{question.block.position}")
        for question in questions.order_by("block__position")
    ]


def _part(question: Question, prefix: str) -> Part:
    reference = question.typed_reference
    if reference is None:
        drawn = draw_form(question, {}, prefix=prefix)
    else:
        drawn = draw_answer(question, reference, prefix=prefix)
    return Part(question.block.task_type.title, reference is not None, drawn)


def styles_of(study: Study) -> list[str]:
    """The style sheets of the study's kinds of question, each once."""
    files = [file for block in study.blocks.all() for file in block.task_type.styles]
    return list(dict.fromkeys(files))
