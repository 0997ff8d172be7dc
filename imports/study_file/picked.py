"""Units of a study's items that were picked as controls, worked examples or for training.

Each keeps, in its `proposal`, that it was picked, for which round, and the right answers that its
material gave before, so that it can be put back.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone

from annotation.models import (
    Annotation,
    AssignmentUnit,
    FixedBatchPlace,
    Place,
    Question,
    Rater,
    Round,
    Study,
    Unit,
)
from annotation.models.material import UnitQuerySet
from annotation.rounds.places import shuffle_of
from files.errors import ImportFailure
from imports.study_file.parts import PickedPart

PICKED, ROUND, BEFORE = "picked", "round", "before"


def picked_units(study: Study) -> list[dict[str, Any]]:
    """The picked units as a study file names them, by key. Those retired since are not named."""
    units = list(_picked(study))
    answers: dict[int, dict[str, Any]] = {unit.pk: {} for unit in units}
    questions = Question.objects.filter(unit__in=units).exclude(reference=None)
    for question in questions.select_related("block").order_by("block__position"):
        answers[question.unit_id][question.block.key] = question.reference
    return [
        {
            "unit": unit.key,
            "role": unit.role,
            "round": unit.proposal.get(ROUND, ""),
            "answers": answers[unit.pk],
            "reasons": unit.reasons,
        }
        for unit in units
        if answers[unit.pk]
    ]


def changed_picks(study: Study, wanted: Iterable[PickedPart]) -> list[str]:
    """The keys of units that are picked now and are not to be, or the other way round, or by
    another answer."""
    standing = {record["unit"]: PickedPart.model_validate(record) for record in picked_units(study)}
    parts = {part.unit: part for part in wanted}
    return [key for key in {**standing, **parts} if standing.get(key) != parts.get(key)]


def pick_units(*, study: Study, wanted: Sequence[PickedPart], where: str) -> list[str]:
    """Pick these units and no others; the names of what changed. ImportFailure, naming the unit,
    where people have met it. The caller has locked the places of what changes."""
    parts = {part.unit: part for part in wanted}
    changed = changed_picks(study, wanted)
    for unit in _picked(study).filter(key__in=changed):
        _put_back(unit, where, again=unit.key in parts)
    for key in changed:
        if key in parts:
            _Pick(study, parts[key], where).make()
    return [f"picked.{key}" for key in changed]


def _picked(study: Study) -> UnitQuerySet:
    picked = study.units.filter(**{f"proposal__{PICKED}": True})
    return picked.exclude(check_state__in=Unit.UNUSED).order_by("key")


def _put_back(unit: Unit, where: str, *, again: bool) -> None:
    """Make a picked unit a normal one; it gets its places as other units do."""
    if AssignmentUnit.objects.filter(place__unit=unit).exists():
        reason = "cannot change (it has been given out; a control can be disabled)"
        raise ImportFailure(where, f"picked.{unit.key}", reason)
    before = unit.proposal.get(BEFORE, {})
    for question in unit.questions.select_related("block"):
        question.reference = before.get(question.block.key)
        question.save(update_fields=["reference"])
    Place.objects.filter(unit=unit).delete()
    unit.role, unit.round, unit.reasons = Unit.Role.NORMAL, None, ""
    unit.check_state, unit.checked_by, unit.checked_at = Unit.Check.NOT_NEEDED, None, None
    unit.proposal = {}
    unit.save()


class _Pick:
    """One unit on its way to another role."""

    def __init__(self, study: Study, part: PickedPart, where: str) -> None:
        self.study, self.part, self.where = study, part, where
        unit = study.units.filter(key=part.unit).select_related("source").first()
        if unit is None:
            raise self._failure("the items hold no such unit")
        self.unit: Unit = unit
        self.is_control = part.role in Unit.CONTROLS

    def make(self) -> None:
        """Give the unit its role, its right answers and its place."""
        self._refuse_other_roles()
        self._refuse_met()
        round_ = self._round()
        before = self._answer()
        self._leave_pool()
        unit, part = self.unit, self.part
        unit.role, unit.reasons = part.role, part.reasons
        unit.round = round_ if part.role == "training" else None
        unit.check_state, unit.checked_at = Unit.Check.VALIDATED, timezone.now()
        unit.proposal = {PICKED: True, ROUND: part.round, BEFORE: before}
        unit.save()
        if self.is_control and round_ is not None:
            Place.objects.create(
                round=round_,
                unit=unit,
                source_id=unit.source_id,
                role=unit.role,
                wanted=None,
                shuffle=shuffle_of(self.study, round_, unit.key),
            )

    def _failure(self, reason: str, within: str = "") -> ImportFailure:
        return ImportFailure(self.where, f"picked.{self.part.unit}{within}", reason)

    def _refuse_other_roles(self) -> None:
        """Who has met one unit of a source would know the answer to a control made of it."""
        if self.unit.role != Unit.Role.NORMAL:
            raise self._failure(f"is a {self.unit.role} unit by its file")
        others = self.study.units.filter(source=self.unit.source_id).exclude(pk=self.unit.pk)
        taken = others.exclude(check_state__in=Unit.UNUSED).exclude(role=Unit.Role.NORMAL)
        other = taken.filter(**{} if self.is_control else {"role__in": Unit.CONTROLS}).first()
        if other is not None:
            raise self._failure(
                f"unit {other.key}, about the same source, is a {other.role} unit already"
            )

    def _refuse_met(self) -> None:
        places, questions = AssignmentUnit.objects, Question.objects.filter(study=self.study)
        if self.is_control:
            met = places.filter(source=self.unit.source_id)
            questions = questions.filter(unit__source=self.unit.source_id)
        else:
            met = places.filter(place__unit=self.unit)
            questions = questions.filter(unit=self.unit)
        answers = Annotation.objects.filter(
            question__in=questions, rater__kind=Rater.Kind.HUMAN, rater__origin=Rater.Origin.HERE
        )
        if met.exists() or answers.exists():
            raise self._failure("people have met it already")

    def _round(self) -> Round | None:
        rounds = list(self.study.rounds.all())
        if self.part.round:
            named = next((row for row in rounds if row.name == self.part.round), None)
            if named is None:
                raise self._failure(f"there is no round {self.part.round!r}", ".round")
            return named
        if self.is_control and len(rounds) > 1:
            raise self._failure("missing (a control belongs to one round)", ".round")
        return rounds[0] if self.is_control and rounds else None

    def _answer(self) -> dict[str, Any]:
        """Store the right answers; those that the questions had before, by block."""
        questions = {q.block.key: q for q in self.unit.questions.select_related("block")}
        for key in self.part.answers:
            if key not in questions:
                raise self._failure(f"there is no block {key!r}", ".answers")
        before = {key: question.reference for key, question in questions.items()}
        for key, question in questions.items():
            question.reference = self._checked(question) if key in self.part.answers else None
            question.save(update_fields=["reference"])
        return before

    def _checked(self, question: Question) -> Any:
        key = question.block.key
        try:
            answer = question.typed_answer(self.part.answers[key])
            question.block.task_type.check(question.typed_payload, answer)
        except ValueError as error:
            within = f"picked.{self.part.unit}.answers.{key}"
            raise ImportFailure.of(self.where, error, within=within) from error
        return answer.model_dump(mode="json")

    def _leave_pool(self) -> None:
        """The unit is asked about no more; with a control, nor are the others of its source."""
        places = Place.objects.filter(round__study=self.study)
        own = {"source": self.unit.source_id} if self.is_control else {"unit": self.unit}
        FixedBatchPlace.objects.filter(place__in=places.filter(**own)).delete()
        places.filter(**own).delete()
