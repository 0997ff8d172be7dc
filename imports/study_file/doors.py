"""What is done with a field of a study besides reading it from a file."""

from dataclasses import dataclass
from enum import Flag, auto


class Door(Flag):
    """Where a study's field is shown besides its file: in the API, in the first record of a file
    of records, and in a bundle."""

    NONE = 0
    API = auto()
    RECORDS = auto()
    BUNDLE = auto()
    EXPORTS = RECORDS | BUNDLE
    ALL = API | EXPORTS


@dataclass(frozen=True, kw_only=True)
class StudyField:
    """What is done with a key of the study file. Its type and its description stand beside it.

    form: the form that changes it; empty with the reason in `why_no_form`. label, hint, choices:
    of a form that is drawn from the schema; the hint in place of the description. place: smaller
    ones come first there. folded: whether it is in the fold. doors: where else it is shown.
    stored: the fields of the Study that hold it, where they are not one of the same name. as_is:
    whether that holds the value as the file has it. long: whether it may be a long text, which
    lists of studies do not load. counted: whether reports rest on it.
    """

    form: str = ""
    why_no_form: str = ""
    label: str = ""
    hint: str | None = None
    choices: tuple[str, ...] = ()
    place: int = 5
    folded: bool = False
    doors: Door = Door.NONE
    stored: tuple[str, ...] | None = None
    as_is: bool = True
    long: bool = False
    counted: bool = False
