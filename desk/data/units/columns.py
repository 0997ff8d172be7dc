"""The columns of the table of units: which of them are shown, and how each sorts the table."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from desk.data.units.filters import answers_of, apart_of, priority_of


class Column(NamedTuple):
    """A column. usual: shown unless other columns are chosen. order: what the order by it is
    called; value: by what it sorts, in SQL, and read: that of text; without a value it does not."""

    name: str
    title: str | Promise
    number: bool = False
    usual: bool = True
    order: str | Promise = ""
    value: Callable[[Study], Any] | None = None
    read: Callable[[str], Any] = int


# The order without a column: by the key in the database.
AS_ADDED = Column("", "", order=_("as added"))
KEY = Column("key", _("Unit"), order=_("key"), value=lambda _study: F("key"), read=str)
COLUMNS = (
    Column("role", _("Role")),
    Column("subsets", _("Subsets"), usual=False),
    Column("source", _("Source"), usual=False),
    Column("system", _("System")),
    Column("rounds", _("Rounds"), usual=False),
    Column("answers", _("Answers"), number=True, order=_("answers"), value=answers_of),
    Column(
        *("apart", _("Disagreement (0–1)")),
        number=True,
        order=_("people apart"),
        value=apart_of,
        read=float,
    ),
    Column("judges", _("Judges vs people")),
    Column("problems", _("Problems"), number=True),
    Column("priority", _("Priority"), usual=False, order=_("priority"), value=priority_of),
    Column("state", _("State")),
)
SORTING = (AS_ADDED, KEY, *(column for column in COLUMNS if column.value))


def chosen_columns(names: Sequence[str]) -> tuple[Column, ...]:
    """The columns of these names, in their order; the usual ones where none is known."""
    chosen = tuple(column for column in COLUMNS if column.name in names)
    return chosen or tuple(column for column in COLUMNS if column.usual)
