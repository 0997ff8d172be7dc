"""What an action on units would do, in words and numbers, before it is confirmed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import (
    AdjudicationCase,
    AssignmentUnit,
    Place,
    Question,
    Study,
    Unit,
)
from annotation.work.demand import can_be_asked_again
from desk.models import UnitAction

Kind = UnitAction.Kind


@dataclass
class Consequences:
    """What an action means. n: how many units it changes. follows: what comes of it. passed_over:
    units that stay as they are, and why."""

    title: str
    button: str
    n: int = 0
    follows: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)


def consequences_of(action: UnitAction) -> Consequences:
    """As of now, of an action that is proposed."""
    units = action.study.units.filter(action_units__action=action)
    return _SAID[Kind(action.kind)](action, units)


def title_of(action: UnitAction) -> str:
    """What an action is, such as "Add to subset “sample”"."""
    if action.undoes is not None:
        return _("Undo: %(title)s") % {"title": title_of(action.undoes)}
    words = action.parameters
    return {
        Kind.RETIRE: _("Disable"),
        Kind.REINSTATE: _("Enable"),
        Kind.ADD: _("Add to subset “%(subset)s”"),
        Kind.REMOVE: _("Remove from subset “%(subset)s”"),
        Kind.ASK_AGAIN: _("Ask %(more)s more"),
        Kind.PRIORITY: _("Priority: %(priority)s"),
        Kind.ADJUDICATE: _("Send to adjudication"),
    }[Kind(action.kind)] % {
        "subset": words.get("subset"),
        "more": words.get("more"),
        "priority": dict(Place.Priority.choices).get(words.get("priority", 0)),
    }


def _retire(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    normal = units.filter(role=Unit.Role.NORMAL, retired_at=None)
    said = Consequences(title_of(action), _("Disable"), normal.count())
    held = _places(normal).filter(held__gt=0).count()
    said.follows = [
        _("Workers no longer get them. Their answers stay, and count as before."),
        _("They can be enabled again."),
    ]
    if held:
        said.follows.append(
            ngettext(
                "%(n)s of them is being answered: that answer will count.",
                "%(n)s of them are being answered: those answers will count.",
                held,
            )
            % {"n": held}
        )
    if action.study.state == Study.State.OPEN:
        said.follows.append(_not_random())
    said.passed_over = [*_controls(units), *_already(units.exclude(retired_at=None), _("disabled"))]
    return said


def _reinstate(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    retired = units.filter(role=Unit.Role.NORMAL).exclude(retired_at=None)
    said = Consequences(title_of(action), _("Enable"), retired.count())
    said.follows = [_("They need as many answers as before they were disabled.")]
    others = units.count() - said.n
    if others:
        said.passed_over = [_("%(n)s are not disabled.") % {"n": others}]
    return said


def _add(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    name = action.parameters["subset"]
    inside = units.filter(subsets__name=name)
    said = Consequences(title_of(action), _("Add"), units.count() - inside.count())
    if not action.study.subsets.filter(name=name).exists():
        said.follows.append(_("The subset is new."))
    if name == action.study.setting and action.study.rounds.exists():
        said.follows.append(
            _(
                "It is the study’s setting: normal units that are in no round yet are added to "
                "the rounds."
            )
        )
    said.follows.append(_("Results by subset are recomputed."))
    said.passed_over = _already(inside, _("in it"))
    return said


def _remove(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    name = action.parameters["subset"]
    said = Consequences(title_of(action), _("Remove"), units.filter(subsets__name=name).count())
    said.follows = [_("Results by subset are recomputed.")]
    if name == action.study.setting:
        said.follows.append(
            _("Their places and answers stay: disable them where no more answers are wanted.")
        )
    outside = units.count() - said.n
    if outside:
        said.passed_over = [_("%(n)s are not in it.") % {"n": outside}]
    return said


def _ask_again(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    study, more = action.study, int(action.parameters["more"])
    able = units.filter(pk__in=can_be_asked_again(study).values("pk"))
    places = _places(able).filter(retired=False)
    said = Consequences(title_of(action), _("Ask again"), able.count())
    said.follows = [
        _(
            "%(n)s more answers are wanted, and are paid like others. A worker who has "
            "seen a source is not asked about it again."
        )
        % {"n": places.count() * more}
    ]
    surplus = AssignmentUnit.objects.filter(
        place__in=places, outcome=AssignmentUnit.Outcome.SURPLUS
    ).count()
    if surplus:
        said.follows.append(
            _("Up to %(n)s surplus answers that are there already are counted first.")
            % {"n": surplus}
        )
    if study.batches == Study.Batches.FIXED:
        said.follows.append(
            _(
                "Batches of this study are fixed: the other units of the same batches are asked "
                "again, too."
            )
        )
    if study.state != Study.State.OPEN:
        said.follows.append(_("Workers are asked once the study is open."))
    said.passed_over = [
        *_controls(units),
        *_already(units.exclude(retired_at=None), _("disabled")),
        *_nowhere(units),
    ]
    return said


def _priority(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    priority = action.parameters["priority"]
    changed = units.filter(Exists(_of_unit().exclude(priority=priority)))
    said = Consequences(title_of(action), _("Set the priority"), changed.count())
    said.follows = [
        _("Open units are given out by priority; among equals the order stays random."),
        _not_random(),
    ]
    said.passed_over = [*_controls(units), *_nowhere(units)]
    return said


def _adjudicate(action: UnitAction, units: QuerySet[Unit]) -> Consequences:
    questions = Question.objects.filter(unit__in=units.values("pk"))
    waiting = AdjudicationCase.objects.filter(question=OuterRef("pk"), state="open")
    new = questions.exclude(Exists(waiting))
    said = Consequences(title_of(action), _("Send to adjudication"))
    said.n = new.order_by().values("unit").distinct().count()
    said.follows = [
        ngettext(
            "%(n)s question waits for an adjudicator.",
            "%(n)s questions wait for an adjudicator.",
            new.count(),
        )
        % {"n": new.count()}
    ]
    others = units.count() - said.n
    if others:
        said.passed_over = [_("%(n)s wait there already.") % {"n": others}]
    return said


def _not_random() -> str:
    return _(
        "Units chosen by hand during the study are not a random sample, which "
        "prediction-powered estimates assume."
    )


def _of_unit() -> QuerySet[Place]:
    return Place.objects.filter(unit=OuterRef("pk"), role=Unit.Role.NORMAL)


def _places(units: QuerySet[Unit]) -> QuerySet[Place]:
    return Place.objects.filter(unit__in=units.values("pk"), role=Unit.Role.NORMAL)


def _controls(units: QuerySet[Unit]) -> Iterator[str]:
    n = units.exclude(role=Unit.Role.NORMAL).count()
    if n:
        yield _(
            "%(n)s are controls, examples or training units: controls have a page of their own."
        ) % {"n": n}


def _already(units: QuerySet[Unit], what: str) -> list[str]:
    n = units.count()
    return [_("%(n)s are %(what)s already.") % {"n": n, "what": what}] if n else []


def _nowhere(units: QuerySet[Unit]) -> Iterator[str]:
    n = units.filter(role=Unit.Role.NORMAL).exclude(Exists(_of_unit())).count()
    if n:
        yield _("%(n)s are in no round.") % {"n": n}


_SAID = {
    Kind.RETIRE: _retire,
    Kind.REINSTATE: _reinstate,
    Kind.ADD: _add,
    Kind.REMOVE: _remove,
    Kind.ASK_AGAIN: _ask_again,
    Kind.PRIORITY: _priority,
    Kind.ADJUDICATE: _adjudicate,
}
