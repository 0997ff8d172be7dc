"""Opening places: the units of a study in each of its rounds."""

import hashlib

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Place, Round, Source, Study, Unit
from annotation.queries.pages import pages

_BATCH = 2000


class ControlWithoutRound(ValueError):
    """A control unit names no round, and the study has several. `args[0]` is its key."""


def shuffle_of(study: Study, round_: Round, unit_key: str) -> int:
    """A random number that depends only on the study's seed, the round and the unit."""
    digest = hashlib.blake2b(f"{study.seed}\n{round_.name}\n{unit_key}".encode(), digest_size=4)
    return int.from_bytes(digest.digest(), "big") >> 1


def open_places(study: Study, *, source: Source | None = None) -> int:
    """Give every unit, or those of one source, the places that they lack; how many were opened.

    A unit with its own round gets a place there. The normal units of the study's setting get one in
    each round that has no units of its own, training units in the rounds that show answers,
    controls in their round (the only round, where the file names none).

    ControlWithoutRound where a control could be in several rounds.
    """
    rounds = list(study.rounds.all())
    if study.has_team:
        for round_ in rounds:
            _draw_calibration(study, round_)
    n_opened = 0
    for round_ in rounds:
        units = _units_of(study, round_)
        n_opened += _open(study, round_, units.filter(source=source) if source else units)
    return n_opened + (_open_controls(study, rounds) if rounds and source is None else 0)


def _draw_calibration(study: Study, round_: Round) -> None:
    """Give a calibration its sources: those that a random order has first.

    They are drawn anew, with their places, where the number has changed and nobody has begun.
    """
    own = study.units.filter(round=round_)
    n_drawn = own.order_by().values("source").distinct().count()
    begun = Place.objects.filter(round__study=study).filter(Q(held__gt=0) | Q(counted__gt=0))
    if n_drawn == round_.calibration_sources or (n_drawn and begun.exists()):
        return
    Place.objects.filter(round=round_, unit__in=own.values("pk")).delete()
    own.update(round=None)
    units = _pool(study).exclude(places__in=begun)
    order = {
        key: shuffle_of(study, round_, name)
        for key, name in units.values_list("source", "source__key")
    }
    drawn = sorted(order, key=lambda key: order[key])[: round_.calibration_sources]
    chosen = list(units.filter(source__in=drawn).values_list("pk", flat=True))
    Place.objects.filter(unit__in=chosen).delete()
    study.units.filter(pk__in=chosen).update(round=round_)


def _pool(study: Study) -> QuerySet[Unit]:
    """The normal units of the study's setting that belong to no round."""
    normal: QuerySet[Unit] = study.units.normal_pool()
    if study.setting:
        normal = normal.filter(subsets__name=study.setting)
    return normal.filter(round=None)


def _units_of(study: Study, round_: Round) -> QuerySet[Unit]:
    """The units of the round other than its controls."""
    if round_.shows_answers:
        training = study.units.filter(role=Unit.Role.TRAINING)
        if training.exists():
            return training.filter(Q(round=round_) | Q(round=None))
    normal: QuerySet[Unit] = study.units.normal_pool()
    if normal.filter(round=round_).exists():
        return normal.filter(round=round_)
    return _pool(study)


def _open(study: Study, round_: Round, units: QuerySet[Unit]) -> int:
    placed, n_opened = Place.objects.filter(round=round_, unit=OuterRef("pk")), 0
    units = units.exclude(role=Unit.Role.TRAINING, places__isnull=False)
    for page in pages(units, _BATCH):
        without = page.exclude(Exists(placed))
        opened = [_place(study, round_, unit, _wanted(study, unit)) for unit in without]
        Place.objects.bulk_create(opened)
        n_opened += len(opened)
    return n_opened


def _wanted(study: Study, unit: Unit) -> int | None:
    return study.overlap if unit.role == Unit.Role.NORMAL else None


def _open_controls(study: Study, rounds: list[Round]) -> int:
    unplaced = list(study.units.checked_controls().filter(places=None).order_by("pk"))
    if unplaced and len(rounds) > 1:
        raise ControlWithoutRound(unplaced[0].key)
    Place.objects.bulk_create([_place(study, rounds[0], unit, None) for unit in unplaced])
    return len(unplaced)


def _place(study: Study, round_: Round, unit: Unit, wanted: int | None) -> Place:
    return Place(
        round=round_,
        unit=unit,
        source_id=unit.source_id,
        role=unit.role,
        wanted=wanted,
        retired=unit.retired_at is not None,
        shuffle=shuffle_of(study, round_, unit.key),
    )
