"""The form of an answer: the part of a worker's page that a task type draws."""

from collections.abc import Mapping
from typing import Generic, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.forms.utils import ErrorDict
from django.utils.datastructures import MultiValueDict
from django.utils.text import Truncator
from django.utils.translation import gettext

from tasktypes.pages.comparison import PartMark
from tasktypes.pages.free_text import FREE_TEXT, FreeText, FreeTextField, judged_text
from tasktypes.schemas import A, P

# Of a text that names a part of a question.
_QUOTED = 60


class Refusal(NamedTuple):
    """Why an answer was refused. id: of its field; name: what that is called on the page; empty
    where the text says it; is_missing: whether nothing was answered."""

    id: str
    name: str
    text: str
    is_missing: bool


def quoted(part: str, text: str) -> str:
    """A part of a question by its name and the beginning of its text."""
    begins = Truncator(" ".join(text.split())).chars(_QUOTED)
    return gettext("%(part)s “%(text)s”") % {"part": part, "text": begins}


class AnswerForm(forms.Form, Generic[P, A]):
    """A worker's page part. Bound to whatever has been typed so far, finished or not.

    prefix: begins all names and ids, so that a question can stand twice on one page. free_text:
    what is asked for beside the answer, which is no part of it.
    """

    # False while nothing was sent: a half-finished answer that is shown again is no mistake.
    complains = True
    # What stands beside the parts of an answer that is compared with the right one, by part.
    marks: Mapping[str, PartMark] = {}
    # How the study shows the texts that the question is about.
    text_form: str = "plain"

    def __init__(
        self,
        payload: P,
        data: MultiValueDict[str, str] | None = None,
        *,
        prefix: str | None = None,
        free_text: FreeText | None = None,
    ) -> None:
        self.payload = payload
        super().__init__(data, prefix=prefix, auto_id="%s")
        self.add_fields()
        if free_text is not None:
            self.fields[FREE_TEXT] = FreeTextField(free_text, judged_text(payload))

    def add_fields(self) -> None:
        """Add the fields that depend on the payload."""

    @property
    def judged(self) -> str:
        """The one text that is asked about; empty where there are several."""
        return judged_text(self.payload)

    @property
    def id_prefix(self) -> str:
        """Begins the ids of whatever the template draws beside the fields."""
        return self.add_prefix("")

    @property
    def free_text_field(self) -> BoundField | None:
        """The field of what is asked for beside the answer."""
        return self[FREE_TEXT] if FREE_TEXT in self.fields else None

    @property
    def text(self) -> str:
        """That text; only after `is_valid()`."""
        return str(self.cleaned_data.get(FREE_TEXT, ""))

    @property
    def errors(self) -> ErrorDict:
        """What is wrong with the fields, where the form complains."""
        return super().errors if self.complains else ErrorDict()

    def names_as_shown(self) -> list[str]:
        """The names of the fields, from the top of the page."""
        return list(self.fields)

    def refusals(self) -> list[Refusal]:
        """What is wrong, from the top; what is wrong with the answer as a whole stands first."""
        if not self.is_bound:
            return []
        names = self.names_as_shown()
        whole = self[names[0]].auto_id
        refused = [name for name in names if name in self.errors]
        return [
            *(Refusal(whole, "", str(text), is_missing=False) for text in self.non_field_errors()),
            *map(self._refusal, refused),
        ]

    def _refusal(self, name: str) -> Refusal:
        is_missing = any(error.code == "required" for error in self.errors.as_data()[name])
        words = " – ".join(self.named(name))
        return Refusal(self[name].auto_id, words, str(self.errors[name][0]), is_missing)

    def named(self, name: str) -> tuple[str, ...]:
        """What a field is called on the page: its part of the question, and what is asked of it.
        Nothing where the messages about it say so."""
        return ()

    @property
    def is_unfinished(self) -> bool:
        """Whether all that is wrong is what is missing, each with a name."""
        return all(refusal.is_missing and refusal.name for refusal in self.refusals())

    def answer(self) -> A:
        """The answer given; only after `is_valid()`."""
        raise NotImplementedError

    def filled(self, answer: A) -> dict[str, list[str]]:
        """What the form posts for this answer: the reverse of `answer`."""
        raise NotImplementedError
