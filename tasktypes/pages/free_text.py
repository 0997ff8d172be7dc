"""A text of one's own beside an answer: why, a correction, or the judged text as it should be."""

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _

# The name of its field, in every form.
FREE_TEXT = "free_text"
POST_EDIT = "post_edit"
# A text that is edited may grow to so many times its length, whatever the bound.
GROWTH = 2


class FreeText(NamedTuple):
    """What is asked for. kind: `reason`, `correction` or `post_edit`, which begins as the judged
    text. longest: in characters."""

    question: str
    kind: str
    required: bool
    longest: int


class FreeTextField(forms.CharField):
    """Lines as they were typed, of at most `longest` characters. The browser cuts nothing off: what
    is too long is said."""

    def __init__(self, asked: FreeText, judged: str) -> None:
        begins = judged if asked.kind == POST_EDIT else ""
        self.longest = max(asked.longest, GROWTH * len(begins))
        super().__init__(
            label=asked.question,
            initial=begins,
            required=asked.required,
            widget=forms.Textarea({"dir": "auto", "rows": 8 if begins else 3}),
            error_messages={"required": _("Please write an answer to “%s”.") % asked.question},
        )

    def clean(self, value: Any) -> str:
        """With line breaks as files have them."""
        text = str(super().clean(value)).replace("\r\n", "\n")
        if len(text) > self.longest:
            said = _("Please shorten “%(question)s” to %(most)s characters. Now it has %(n)s.")
            names = {"question": self.label, "most": self.longest, "n": len(text)}
            raise forms.ValidationError(said % names)
        return text


def judged_text(payload: Any) -> str:
    """The one text that a question is about, as it was written; empty where there are several."""
    return str(getattr(payload, "text", ""))
