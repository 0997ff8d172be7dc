"""What researchers have begun and not finished, and errors that nobody expected."""

from desk.models.faults import Fault
from desk.models.units import MaterialText, SavedView, UnitAction, UnitActionUnit

__all__ = [
    "Fault",
    "MaterialText",
    "SavedView",
    "UnitAction",
    "UnitActionUnit",
]
