"""What researchers have begun and not finished."""

from desk.models.units import MaterialText, SavedView, UnitAction, UnitActionUnit

__all__ = [
    "MaterialText",
    "SavedView",
    "UnitAction",
    "UnitActionUnit",
]
