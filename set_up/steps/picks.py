"""Picking units of the data as controls, worked examples or for training, each answered by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import Case, Prefetch, Q, QuerySet, When
from django.http import QueryDict
from django.utils.safestring import SafeString

from annotation.models import Question, Study, Unit, User
from annotation.views.filled_form import draw_answer
from imports.study_file.picked import PICKED, picked_units
from imports.study_file.writing import study_keys
from set_up.study_files.keys import change_keys, version_of_keys
from tasktypes.pages.answer_forms import AnswerForm

# The role of a control, and the part of a batch that says how many of them it holds.
_PER_BATCH = {"positive": "positive", "negative": "negative"}
ROLES = (
    ("positive", "Positive control: there is a right answer, and workers are graded by it"),
    ("negative", "Negative control: nothing fits, and saying so is right"),
    ("example", "Worked example: tried before the first batch, then shown with its answer"),
    ("training", "Training: the right answer follows, in a round that shows answers"),
)


@dataclass(frozen=True)
class Pick:
    """A unit that is picked: as what, where, with which right answers by block, and why."""

    unit: Unit
    role: str
    round: str
    answers: Mapping[str, Any]
    reasons: str = ""

    @property
    def record(self) -> dict[str, Any]:
        """It as the study file names it."""
        return {
            "unit": self.unit.key,
            "role": self.role,
            "round": "" if self.role == Unit.Role.EXAMPLE else self.round,
            "reasons": self.reasons,
            "answers": self.answers,
        }


class RoleForm(forms.Form):
    """What units are to be, and where."""

    role = forms.ChoiceField(label="Use them as", choices=ROLES)
    round = forms.ChoiceField(label="Round", required=False)

    def __init__(self, study: Study, data: QueryDict | None = None, **initial: Any) -> None:
        super().__init__(data, initial=initial)
        names = [round_.name for round_ in study.rounds.all()]
        field = self.fields["round"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in names]
        if len(names) < 2:
            del self.fields["round"]


class PickForm(RoleForm):
    """What a unit is to be, where, and why its answer is right."""

    role = forms.ChoiceField(label="Use it as", choices=ROLES, widget=forms.RadioSelect)
    reasons = forms.CharField(
        label="Why this answer is right",
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
        help_text="Shown with worked examples and in training.",
    )

    def __init__(self, study: Study, unit: Unit, data: QueryDict | None = None) -> None:
        role = unit.role if unit.role != Unit.Role.NORMAL else Unit.Role.POSITIVE
        round_ = unit.proposal.get("round", "")
        super().__init__(study, data, role=role, round=round_, reasons=unit.reasons)
        self._unit = unit

    def pick(self, answers: Mapping[str, Any]) -> Pick:
        """What was chosen, with these answers; only after `is_valid()`."""
        data = self.cleaned_data
        role, round_ = data["role"], data.get("round", "")
        return Pick(self._unit, role, round_, answers, data["reasons"].strip())


@dataclass
class AnswerPart:
    """One block of a unit: its question, and the form that answers it."""

    question: Question
    form: AnswerForm[Any, Any]
    drawn: SafeString | None = None

    @property
    def title(self) -> str:
        """Which kind of question it is."""
        return self.question.block.task_type.title

    @property
    def template(self) -> str:
        """The worker's form."""
        return self.question.block.task_type.template


def answer_parts(unit: Unit, data: QueryDict | None) -> list[AnswerPart]:
    """The worker's own form for each block, with the answer that is right now or what was
    posted. A block where nothing was posted has no right answer, and is not complained about."""
    questions = unit.questions.select_related("block").order_by("block__position")
    return [_part(question, data, unit.study.text_form) for question in questions]


def _part(question: Question, data: QueryDict | None, text_form: str) -> AnswerPart:
    prefix, kind = f"b{question.block.position}", question.block.task_type
    posted = data if data is None or _answered(data, prefix) else None
    form = kind.Form(question.typed_payload, posted, prefix=prefix)
    form.text_form = text_form
    reference = question.typed_reference
    if not reference or data:
        return AnswerPart(question, form)
    drawn = draw_answer(question, reference, prefix=prefix, text_form=text_form)
    return AnswerPart(question, form, drawn)


def _answered(data: QueryDict, prefix: str) -> bool:
    return any(name.startswith(f"{prefix}-") and any(data.getlist(name)) for name in data)


def typed_answers(parts: list[AnswerPart]) -> dict[str, Any]:
    """The right answers by block; only those of forms that are valid."""
    return {
        part.question.block.key: part.form.answer().model_dump(mode="json")
        for part in parts
        if part.form.is_bound and part.form.is_valid()
    }


@transaction.atomic
def pick_units(*, study: Study, picks: Sequence[Pick], by: User) -> bool:
    """Give units of one role that role, with their right answers. The first control of a draft also
    gets a place in every batch of its round: whether it did. ImportFailure names what cannot be."""
    taken = {pick.unit.key for pick in picks}
    others = [record for record in picked_units(study) if record["unit"] not in taken]
    keys: dict[str, Any] = {"picked": [*others, *(pick.record for pick in picks)]}
    rounds = _with_place(study, picks[0].record)
    if rounds:
        keys["rounds"] = rounds
    _change(study, keys, by)
    Unit.objects.filter(pk__in=[pick.unit.pk for pick in picks]).update(checked_by=by)
    return bool(rounds)


@transaction.atomic
def undo_pick(*, study: Study, unit: Unit, by: User) -> None:
    """Make a picked unit a normal one again."""
    others = [record for record in picked_units(study) if record["unit"] != unit.key]
    _change(study, {"picked": others}, by)


def _change(study: Study, keys: Mapping[str, Any], by: User) -> None:
    version = version_of_keys(study_keys(study), keys)
    change_keys(study=study, keys=keys, version=version, keep=True, by=by)


def _with_place(study: Study, typed: Mapping[str, str]) -> list[Any]:
    """The rounds with room for the control, where its round has none; empty where nothing is to
    change."""
    role = _PER_BATCH.get(typed["role"])
    records = list(study_keys(study).get("rounds", ()))
    name = typed["round"] or (records[0]["name"] if len(records) == 1 else "")
    round_ = study.rounds.filter(name=name).first()
    if role is None or round_ is None or study.state != Study.State.DRAFT:
        return []
    if getattr(round_, f"{role}_per_batch"):
        return []
    for record in records:
        if record["name"] == name:
            record["batch"] = {**record.get("batch", {}), role: 1}
    return records


def units_to_pick(study: Study, search: str) -> QuerySet[Unit]:
    """Units that may be picked or are, those that are first; by what their key or source says."""
    units = study.units.filter(Q(role=Unit.Role.NORMAL) | Q(**{f"proposal__{PICKED}": True}))
    if search:
        about = ("key", "source__claim", "source__document", "source__query")
        wanted = Q()
        for name in about:
            wanted |= Q(**{f"{name}__icontains": search})
        units = units.filter(wanted)
    normal = Case(When(role=Unit.Role.NORMAL, then=1), default=0)
    units = units.select_related("source").prefetch_related("unit_items__item")
    asked = Question.objects.select_related("block").order_by("block__position")
    units = units.prefetch_related(Prefetch("questions", asked))
    return units.order_by(normal, "key")
