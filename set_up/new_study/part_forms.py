"""A part of a reading as a form, which is changed by itself."""

from typing import Any

from django import forms
from pydantic import ValidationError

from files.errors import ImportFailure
from files.reading.model import Reading

LINE_HINT = "One per line, like {}."


class ReadingPartForm(forms.Form):
    """A form of one part of a reading. name: of the part, as it is posted."""

    use_required_attribute = False

    def __init__(self, name: str, data: Any = None) -> None:
        self.name = name
        super().__init__(data if data and data.get("part") == name else None, prefix=name)

    def changed(self, reading: Reading) -> Reading | None:
        """The reading with what was typed; None where that does not fit, which is said then."""
        if not self.is_valid():
            return None
        try:
            part = self.put_into(reading.model_dump(mode="json"))
            return Reading.model_validate(part)
        except ValidationError as error:
            complaint = error.errors(include_url=False)[0]
            reason = str(complaint["msg"]).removeprefix("Value error, ")
            self.add_error(None, f"{reason[:1].upper()}{reason[1:]}.")
        except ImportFailure as failure:
            self.add_error(None, str(failure))
        return None

    def put_into(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record of a reading with what was typed."""
        raise NotImplementedError


def pairs_in(text: str) -> list[tuple[str, str]]:
    """What stands before and behind the mark of each line."""
    lines = (line.partition("=") for line in text.splitlines() if "=" in line)
    return [(name.strip(), value.strip()) for name, _mark, value in lines]
