"""Try-outs: researchers work through a copy of their own study as a worker does.

The copy is a study of its own, with as much material as one worker meets. So the pages are the
workers' own, and nothing that happens there can be counted, paid or exported, or take a place in
the study itself. A copy has no members, so it is on no list. It is removed when its researcher
starts another one, or the night after.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import models, transaction

from annotation.entry.arrival import arrive_from_panel
from annotation.models import (
    Item,
    Participation,
    Place,
    Question,
    Round,
    Source,
    Study,
    Unit,
    UnitItem,
    User,
    Worker,
)
from annotation.models.links import new_token
from annotation.panels.contract import Visit
from imports.material.removal import remove_tryouts

KEPT_FOR = timedelta(hours=12)
LONGEST_SLUG = 60

# From the keys of rows to those of their copies.
KeyMap = dict[int, int]
Row = TypeVar("Row", bound=models.Model)
Role = Unit.Role


class NothingToTry(Exception):
    """The study has no round that anybody could work in."""


@transaction.atomic
def try_out(*, study: Study, by: User) -> Participation:
    """A new copy of the study, and the researcher's participation in it, as just arrived.

    Their earlier copy is removed. NothingToTry where there are no rounds.
    """
    if not study.rounds.exists():
        raise NothingToTry
    remove_tryouts(study.tryouts.filter(tryout_by=by))
    visit = Visit(worker=new_token())
    return arrive_from_panel(study=_copy_study(study, by), panel=Worker.TRYOUT, visit=visit)


def end_old_tryouts(*, now: datetime) -> int:
    """Remove old copies; how many there were."""
    old = list(Study.objects.filter(tryout_of__isnull=False, created_at__lt=now - KEPT_FOR))
    remove_tryouts(old)
    return len(old)


# --- The copy -----------------------------------------------------------------------------------


def _copy_study(study: Study, by: User) -> Study:
    """A copy with all texts and rules, and with the material that one worker meets."""
    copy = _copy_row(
        study,
        slug=f"{study.slug[:LONGEST_SLUG]}-try-{secrets.token_hex(6)}",
        state=Study.State.OPEN,
        paused_at=None,
        archived_at=None,
        batches=Study.Batches.COMPOSED,
        # In a copy nobody would invite the researcher to the next round.
        recruitment={**study.recruitment, "invite_qualified": False},
        imported={},
        judges=[],
        conclusions=[],
        stop_rule={},
        stops=[],
        revision=0,
        tryout_of_id=study.pk,
        tryout_by_id=by.pk,
    )
    copy.save()
    rounds = list(study.rounds.all())
    places = _places(rounds)
    round_ids = _copy_rows(rounds, lambda row: _shortened(row, places) | {"study_id": copy.pk})
    units, sources = _copy_material(study, copy, [place.unit_id for place in places], round_ids)
    _copy_rows(
        places,
        lambda row: {
            "round_id": round_ids[row.round_id],
            "unit_id": units[row.unit_id],
            "source_id": sources[row.source_id],
            "held": 0,
            "counted": 0,
        },
    )
    return copy


def _places(rounds: Iterable[Round]) -> list[Place]:
    """The places of one batch per round, without a source twice; controls are chosen first."""
    met: set[int] = set()
    return [place for round_ in rounds for place in _batch_places(round_, met)]


def _batch_places(round_: Round, met: set[int]) -> Iterator[Place]:
    training = round_.shows_answers and round_.places.filter(role=Role.TRAINING).exists()
    wanted = {
        Role.POSITIVE: round_.positive_per_batch,
        Role.NEGATIVE: round_.negative_per_batch,
        Role.TRAINING if training else Role.NORMAL: round_.normal_per_batch,
    }
    for role, n in wanted.items():
        places = round_.places.filter(role=role, retired=False).exclude(wanted=0)
        places = places.order_by("shuffle", "pk")
        for _ in range(n):
            place = places.exclude(source__in=met).first()
            if place is not None:
                met.add(place.source_id)
                yield place


def _shortened(round_: Round, places: Sequence[Place]) -> dict[str, Any]:
    """Limits a round of the copy to one batch, with as many controls as there are."""
    here = [place.role for place in places if place.round_id == round_.pk]
    return {
        "max_batches": 1,
        "positive_per_batch": here.count(Role.POSITIVE),
        "negative_per_batch": here.count(Role.NEGATIVE),
    }


def _copy_material(
    study: Study, copy: Study, met: Iterable[int], rounds: KeyMap
) -> tuple[KeyMap, KeyMap]:
    """Copy these units and the worked examples with their sources, items and questions; the keys
    of units, and those of sources."""
    old = study.units.filter(models.Q(pk__in=met) | models.Q(role=Role.EXAMPLE))
    mine = {"study_id": copy.pk}
    blocks = _copy_rows(study.blocks.all(), lambda row: mine)
    sources = _copy_rows(Source.objects.filter(units__in=old).distinct(), lambda row: mine)
    items = _copy_rows(
        Item.objects.filter(units__in=old).distinct(),
        lambda row: {**mine, "source_id": sources[row.source_id], "perturbed_from_id": None},
    )
    units = _copy_rows(
        old,
        lambda row: {
            **mine,
            "source_id": sources[row.source_id],
            "round_id": row.round_id and rounds[row.round_id],
        },
    )
    _copy_rows(
        UnitItem.objects.filter(unit__in=old),
        lambda row: {"unit_id": units[row.unit_id], "item_id": items[row.item_id]},
    )
    _copy_rows(
        Question.objects.filter(unit__in=old),
        lambda row: {**mine, "unit_id": units[row.unit_id], "block_id": blocks[row.block_id]},
    )
    return units, sources


def _copy_rows(rows: Iterable[Row], changes: Callable[[Row], dict[str, Any]]) -> KeyMap:
    """Copy these rows with changes in each; old keys to new ones."""
    old = list(rows)
    new = [_copy_row(row, **changes(row)) for row in old]
    if new:
        type(new[0])._default_manager.bulk_create(new)
    return {before.pk: after.pk for before, after in zip(old, new, strict=True)}


def _copy_row(row: Row, **changes: Any) -> Row:
    """An unsaved copy of a row with these fields changed."""
    fields = [
        field for field in row._meta.concrete_fields if not (field.primary_key or field.generated)
    ]
    return type(row)(**{field.attname: getattr(row, field.attname) for field in fields} | changes)
