"""What is done with a field of a study besides reading it from a file."""

from dataclasses import KW_ONLY, dataclass
from enum import Flag, auto
from typing import Any, Literal

from pydantic import Field


class Door(Flag):
    """Where a study's field is shown besides its file: in the API, in the first record of a file
    of records, and in a bundle."""

    NONE = 0
    API = auto()
    RECORDS = auto()
    BUNDLE = auto()
    EXPORTS = RECORDS | BUNDLE
    ALL = API | EXPORTS


@dataclass(frozen=True)
class FormField:
    """How the form of a key shows it, for a key of the study file or one within.

    label: in place of the key's name. hint: in place of the description. choices: each value with
    its words. control: what an amount, or a share as its percent, is typed into. rows: lines of a
    text area. most: a limit that only the form has. place: smaller ones come first. section: the
    part of the form.
    """

    label: str = ""
    hint: str | None = None
    _: KW_ONLY
    choices: tuple[tuple[str, str], ...] = ()
    control: Literal["", "money", "percent"] = ""
    rows: int = 0
    most: int | None = None
    place: int = 5
    section: str = "main"

    def __call__(self, schema: dict[str, Any]) -> None:
        """Stand in the schema: forms are drawn from that."""
        schema["form"] = self


@dataclass(frozen=True)
class StudyField(FormField):
    """What is done with a key of the study file. Its type and its description stand beside it.

    form: the form that changes it; empty with the reason in `why_no_form`. doors: where else it is
    shown. stored: the fields of the Study that hold it, where they are not one of the same name.
    as_is: whether that holds the value as the file has it. long: whether it may be a long text,
    which lists of studies do not load. counted: whether reports rest on it.
    """

    form: str = ""
    why_no_form: str = ""
    doors: Door = Door.NONE
    stored: tuple[str, ...] | None = None
    as_is: bool = True
    long: bool = False
    counted: bool = False


def drawn(default: Any, label: str = "", hint: str = "", *, alias: str = "", **look: Any) -> Any:
    """A key within a part of the study file, with how a form shows it."""
    shown = FormField(label, hint, **look)
    return Field(default, alias=alias or None, json_schema_extra=shown)


def study_field(default: Any, label: str = "", hint: str | None = None, **look: Any) -> Any:
    """A key of the study file, with what is done with it."""
    return Field(default, json_schema_extra=StudyField(label, hint, **look))
