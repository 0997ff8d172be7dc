"""What researchers have begun and not finished."""

from desk.models.imports import ImportJob
from desk.models.new_study import KEPT_FOR, NewStudy
from desk.models.units import MaterialText, SavedView, UnitAction, UnitActionUnit

__all__ = [
    "KEPT_FOR",
    "ImportJob",
    "MaterialText",
    "NewStudy",
    "SavedView",
    "UnitAction",
    "UnitActionUnit",
]
