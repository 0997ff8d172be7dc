"""Let researchers work through their own study as a worker does, drafts too.

They do so in a copy: a study of its own, with as much material as one worker meets. So the pages
are the workers' own, and nothing that happens there can be counted, paid, exported, or take a
place in the study itself. A copy has no members: it is on no list, and goes when its researcher
begins anew, or the night after.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import models, transaction

from annotation.entry.arrival import arrive_from_panel
from annotation.importing.material.removal import remove_tryouts
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
from annotation.models.people import new_token
from annotation.panels.contract import Visit

KEPT_FOR = timedelta(hours=12)
LONGEST_SLUG = 60

# From the keys of rows to those of their copies.
Keys = dict[int, int]
Row = TypeVar("Row", bound=models.Model)
Role = Unit.Role


class NothingToTry(Exception):
    """The study has no round that anybody could work in."""


@transaction.atomic
def try_out(*, study: Study, by: User) -> Participation:
    """A researcher's place in a new copy of the study, as somebody who has just arrived.

    The copy that they worked in before goes. NothingToTry where there are no rounds.
    """
    if not study.rounds.exists():
        raise NothingToTry
    remove_tryouts(study.tryouts.filter(tryout_by=by))
    visit = Visit(worker=new_token())
    return arrive_from_panel(study=_copy(study, by), panel=Worker.TRYOUT, visit=visit)


def end_old_tryouts(*, now: datetime) -> int:
    """Remove the copies that nobody is likely to be working in; how many there were."""
    old = list(Study.objects.filter(tryout_of__isnull=False, created_at__lt=now - KEPT_FOR))
    remove_tryouts(old)
    return len(old)


# --- The copy -----------------------------------------------------------------------------------


def _copy(study: Study, by: User) -> Study:
    """The study with all its texts and rules, and of its material what one worker meets."""
    copy = _again(
        study,
        slug=f"{study.slug[:LONGEST_SLUG]}-try-{secrets.token_hex(6)}",
        state=Study.State.OPEN,
        batches=Study.Batches.COMPOSED,
        # Nobody would invite them to the next round.
        recruitment={**study.recruitment, "invite_qualified": False},
        imported={},
        judges=[],
        conclusions=[],
        revision=0,
        tryout_of_id=study.pk,
        tryout_by_id=by.pk,
    )
    copy.save()
    rounds = list(study.rounds.all())
    places = _places(rounds)
    round_ids = _store(rounds, lambda row: _short(row, places) | {"study_id": copy.pk})
    units, sources = _copy_material(study, copy, [one.unit_id for one in places], round_ids)
    _store(
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
    """Of each round the units of one batch, no two of one source: controls before the others."""
    met: set[int] = set()
    return [place for round_ in rounds for place in _batch(round_, met)]


def _batch(round_: Round, met: set[int]) -> Iterator[Place]:
    training = round_.shows_answers and round_.places.filter(role=Role.TRAINING).exists()
    wanted = {
        Role.POSITIVE: round_.positive_per_batch,
        Role.NEGATIVE: round_.negative_per_batch,
        Role.TRAINING if training else Role.NORMAL: round_.normal_per_batch,
    }
    for role, n in wanted.items():
        places = round_.places.filter(role=role).exclude(wanted=0).order_by("shuffle", "pk")
        for _ in range(n):
            place = places.exclude(source__in=met).first()
            if place is not None:
                met.add(place.source_id)
                yield place


def _short(round_: Round, places: Sequence[Place]) -> dict[str, Any]:
    """One batch, with no more controls than were found: the way to the end is short."""
    here = [place.role for place in places if place.round_id == round_.pk]
    return {
        "max_batches": 1,
        "positive_per_batch": here.count(Role.POSITIVE),
        "negative_per_batch": here.count(Role.NEGATIVE),
    }


def _copy_material(
    study: Study, copy: Study, met: Iterable[int], rounds: Keys
) -> tuple[Keys, Keys]:
    """Copy these units and the worked examples, with all that they are made of; the keys of
    units, and those of sources."""
    old = study.units.filter(models.Q(pk__in=met) | models.Q(role=Role.EXAMPLE))
    mine = {"study_id": copy.pk}
    blocks = _store(study.blocks.all(), lambda row: mine)
    sources = _store(Source.objects.filter(units__in=old).distinct(), lambda row: mine)
    items = _store(
        Item.objects.filter(units__in=old).distinct(),
        lambda row: {**mine, "source_id": sources[row.source_id], "perturbed_from_id": None},
    )
    units = _store(
        old,
        lambda row: {
            **mine,
            "source_id": sources[row.source_id],
            "round_id": row.round_id and rounds[row.round_id],
        },
    )
    _store(
        UnitItem.objects.filter(unit__in=old),
        lambda row: {"unit_id": units[row.unit_id], "item_id": items[row.item_id]},
    )
    _store(
        Question.objects.filter(unit__in=old),
        lambda row: {**mine, "unit_id": units[row.unit_id], "block_id": blocks[row.block_id]},
    )
    return units, sources


def _store(rows: Iterable[Row], changes: Callable[[Row], dict[str, Any]]) -> Keys:
    """Copies of these rows with what changes in each."""
    old = list(rows)
    new = [_again(row, **changes(row)) for row in old]
    if new:
        type(new[0])._default_manager.bulk_create(new)
    return {before.pk: after.pk for before, after in zip(old, new, strict=True)}


def _again(row: Row, **changes: Any) -> Row:
    """A new row, not yet saved, that says the same but for these fields."""
    fields = [one for one in row._meta.concrete_fields if not (one.primary_key or one.generated)]
    return type(row)(**{one.attname: getattr(row, one.attname) for one in fields} | changes)
