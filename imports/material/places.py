"""Open the places of a study whose units came in from a file."""

from annotation.models import Study
from annotation.rounds.places import ControlWithoutRound, open_places
from files.errors import ImportFailure


def open_imported_places(study: Study) -> int:
    """Give every unit the places it lacks and return how many were made.

    ImportFailure names a control unit that could belong to several rounds.
    """
    try:
        return open_places(study)
    except ControlWithoutRound as error:
        where, reason = f"unit {error.args[0]}", "missing (a control belongs to one round)"
        raise ImportFailure(where, "round", reason) from error
