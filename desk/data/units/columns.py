"""The columns of the table of units, and which of them are shown."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Column(NamedTuple):
    """A column besides the key. sort: the order of that name is by it. usual: shown unless other
    columns are chosen."""

    name: str
    title: str | Promise
    number: bool = False
    sort: str = ""
    usual: bool = True


COLUMNS = (
    Column("role", _("Role")),
    Column("subsets", _("Subsets"), usual=False),
    Column("source", _("Source"), usual=False),
    Column("system", _("System")),
    Column("rounds", _("Rounds"), usual=False),
    Column("answers", _("Answers"), number=True, sort="answers"),
    Column("apart", _("Disagreement (0–1)"), number=True, sort="apart"),
    Column("judges", _("Judges beside people")),
    Column("problems", _("Problems"), number=True),
    Column("priority", _("Priority"), sort="priority", usual=False),
    Column("state", _("State")),
)
USUAL = tuple(column.name for column in COLUMNS if column.usual)


def chosen_columns(names: list[str]) -> tuple[Column, ...]:
    """The columns of these names, in their order; the usual ones where none is known."""
    chosen = tuple(column for column in COLUMNS if column.name in names)
    return chosen or tuple(column for column in COLUMNS if column.usual)
