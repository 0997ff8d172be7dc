"""The assignment table of a team as a file: who answers which unit, and in which order.

One row a member and unit: `member` (the number or the name of the seat), `round`, `unit` (its key),
`position` (from 1 on; rows without one follow in the order of the file).
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Allotment, Place, Round, Seat, Study, Unit, User, log_change
from annotation.rounds.team.allotments import AT_ONCE, begun_in, lock_team, want
from annotation.rounds.team.seats import seat_team

COLUMNS = ("member", "round", "unit", "position")
MOST_ROWS = 1_000_000
MOST_BYTES = 64 * 1024 * 1024
# Faults that are named at once.
MOST_FAULTS = 10
# No position has as many digits.
LONGEST = 10


class TableFault(ValueError):
    """The table cannot be taken; `faults` are sentences that say why. Nothing was changed."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class _Row(NamedTuple):
    line: int
    seat: int
    place: int
    position: int | None


def table_rows(study: Study) -> Iterator[tuple[str, str, str, int]]:
    """The rows of the table, in order: member, round, unit, position."""
    rows = Allotment.objects.filter(seat__study=study, place__retired=False)
    columns = ("seat__number", "place__round__name", "place__unit__key", "position")
    for number, round_, unit, position in (
        rows.order_by("seat__number", "position").values_list(*columns).iterator(AT_ONCE)
    ):
        yield str(number), round_, unit, position


@transaction.atomic
def take_table(*, study: Study, text: str, by: User | None) -> int:
    """Let the table be that of the file; how many rows it has.

    Each place then wants as many answers as the file has rows for it, and those that it leaves out
    none. What members have begun stays, whether or not it is in the file. TableFault, and nothing
    changed, where the file names somebody or something unknown, or a row twice.
    """
    study = lock_team(study.pk)
    try:
        rows = _read(study, text)
    except csv.Error as error:
        raise TableFault([_("The file is no table: %(why)s.") % {"why": error}]) from error
    for round_ in study.rounds.filter(shows_answers=False):
        own = set(_places(round_).values())
        _write(round_, [row for row in rows if row.place in own])
    log_change(study=study, by=by, action="team.table", detail={"rows": len(rows)})
    return len(rows)


# --- Reading --------------------------------------------------------------------------------------


def _read(study: Study, text: str) -> list[_Row]:
    lines = csv.DictReader(io.StringIO(text), delimiter=_delimiter(text))
    names = {(name or "").strip().lower(): name for name in lines.fieldnames or ()}
    lacking = [name for name in ("member", "unit") if name not in names]
    if lacking:
        raise TableFault([_("The table needs a column “%(name)s”.") % {"name": lacking[0]}])
    known = _Known(study)
    faults: list[str] = []
    rows: dict[tuple[int, int], _Row] = {}
    for line, cells in enumerate(islice(lines, MOST_ROWS), start=2):
        try:
            row = known.row(line, {key: (cells[name] or "").strip() for key, name in names.items()})
        except ValueError as fault:
            faults.append(str(fault))
        else:
            first = rows.setdefault((row.seat, row.place), row)
            if first is not row:
                said = {"line": line, "first": first.line}
                faults.append(_("Line %(line)s repeats line %(first)s.") % said)
        if len(faults) == MOST_FAULTS:
            break
    if next(lines, None) is not None and not faults:
        faults.append(_("The table has more than %(most)s rows.") % {"most": MOST_ROWS})
    if faults or not rows:
        raise TableFault(faults or [_("The table has no rows.")])
    return list(rows.values())


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max(",;\t", key=head.count)


class _Known:
    """The members, rounds and places that rows may name."""

    def __init__(self, study: Study) -> None:
        seat_team(study)
        self.seats: dict[str, int] = {}
        self.gone: set[int] = set()
        # The number goes before a name, and who is there before who has left.
        seats = study.seats.select_related("participation").order_by("number")
        for seat in sorted(seats, key=lambda seat: not seat.is_over):
            self.seats |= {seat.name: seat.pk} if seat.name else {}
            self.gone |= {seat.pk} if seat.is_over else set()
        self.seats |= {str(seat.number): seat.pk for seat in seats}
        rounds = study.rounds.filter(shows_answers=False)
        self.begun = {key for round_ in rounds for key in begun_in(round_)}
        self.places = {round_.name: _places(round_) for round_ in rounds}
        retired = study.units.exclude(retired_at=None)
        self.retired = set(retired.values_list("key", flat=True))

    def row(self, line: int, cells: dict[str, str]) -> _Row:
        """The row; a ValueError with the sentence that says what is wrong with it."""
        said = {"line": line, **cells}
        position = cells.get("position", "")
        if cells["member"] not in self.seats:
            raise ValueError(_("Line %(line)s: the team has no member “%(member)s”.") % said)
        if position and not (position.isascii() and position.isdigit() and len(position) < LONGEST):
            raise ValueError(_("Line %(line)s: the position is not a number from 1 on.") % said)
        seat = self.seats[cells["member"]]
        place = self._place(cells.get("round", ""), cells["unit"], said)
        if seat in self.gone and (place, seat) not in self.begun:
            raise ValueError(_("Line %(line)s: member “%(member)s” has left the team.") % said)
        return _Row(line, seat, place, int(position) if position else None)

    def _place(self, round_: str, unit: str, said: dict[str, Any]) -> int:
        if round_ and round_ not in self.places:
            raise ValueError(_("Line %(line)s: the study has no round “%(round)s”.") % said)
        if unit in self.retired:
            raise ValueError(_("Line %(line)s: the unit “%(unit)s” is retired.") % said)
        rounds = [self.places[round_]] if round_ else list(self.places.values())
        found = [places[unit] for places in rounds if unit in places]
        if not found:
            raise ValueError(_("Line %(line)s: there is no unit “%(unit)s”.") % said)
        if len(found) > 1:
            raise ValueError(
                _("Line %(line)s: the unit “%(unit)s” is in several rounds; name one.") % said
            )
        return found[0]


def _places(round_: Round) -> dict[str, int]:
    """The places of the round's normal units by the unit's key, without retired ones."""
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, retired=False)
    return dict(places.values_list("unit__key", "pk"))


# --- Writing --------------------------------------------------------------------------------------


def _write(round_: Round, rows: list[_Row]) -> None:
    """Put these rows in place of what nobody has begun in the round."""
    begun = {key for key, is_excluded in begun_in(round_).items() if not is_excluded}
    table = Allotment.objects.filter(place__round=round_)
    gone = [
        key
        for key, place, seat in table.values_list("pk", "place", "seat")
        if (place, seat) not in begun
    ]
    for start in range(0, len(gone), AT_ONCE):
        Allotment.objects.filter(pk__in=gone[start : start + AT_ONCE]).delete()
    fresh = [row for row in rows if (row.place, row.seat) not in begun]
    by_seat: dict[int, list[_Row]] = defaultdict(list)
    for row in sorted(fresh, key=lambda row: (row.position is None, row.position or 0, row.line)):
        by_seat[row.seat].append(row)
    for seat in Seat.objects.filter(pk__in=by_seat):
        seat.append_to_table([row.place for row in by_seat[seat.pk]])
    answers: dict[int, int] = dict.fromkeys(_places(round_).values(), 0)
    for place, _seat in begun | {(row.place, row.seat) for row in fresh}:
        if place in answers:
            answers[place] += 1
    want(round_, answers)
