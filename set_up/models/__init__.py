"""What researchers have begun and not finished."""

from set_up.models.imports import ImportJob
from set_up.models.new_study import KEPT_FOR, NewStudy

__all__ = ["KEPT_FOR", "ImportJob", "NewStudy"]
