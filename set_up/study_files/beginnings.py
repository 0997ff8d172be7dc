"""The file that an editor began with: it travels with the form, so that a change that somebody
else made meanwhile can be joined with what was typed."""

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.forms import CharField, HiddenInput

_SALT = "set_up.study_files"


class BeginningField(CharField):
    """A hidden field with what the form began with, packed and signed: any JSON, such as the keys
    of a study file or some of them. None where it cannot be read; every difference is a conflict
    then."""

    widget = HiddenInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """What was posted is repeated as it is."""
        return value if isinstance(value, str) else pack(value)

    def clean(self, value: Any) -> Any:
        return unpack(value or "")


def pack(begun: Any) -> str:
    """What a form began with, as the value of a hidden field."""
    return signing.dumps(begun, salt=_SALT, compress=True)


def unpack(packed: str) -> Any:
    """What a hidden field holds; None where nobody here packed it."""
    try:
        return signing.loads(packed, salt=_SALT)
    except signing.BadSignature:
        return None


@dataclass(frozen=True)
class ConflictChoices:
    """Whose part somebody took in each conflict, as a form posts it: `take:<name>` = theirs."""

    PREFIX = "take:"

    @staticmethod
    def posted(data: Any) -> dict[str, Any]:
        """By the names of conflicts."""
        return {
            name.removeprefix(ConflictChoices.PREFIX): value
            for name, value in data.items()
            if name.startswith(ConflictChoices.PREFIX) and value in ("mine", "theirs")
        }
