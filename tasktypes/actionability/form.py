"""The worker's page part: the rubric, a yes or no to every question about an error or a link."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext, gettext_lazy

from tasktypes.actionability.schema import (
    Answer,
    ErrorAnswer,
    FactualError,
    LinkAnswer,
    Payload,
)
from tasktypes.pages.answer_forms import AnswerForm, quoted
from tasktypes.pages.choices import RadioGroup, Text, choice_field, choices_of
from tasktypes.pages.comparison import part_name

YES_OR_NO = (("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No")))
ABOUT_ERRORS = {
    "error": gettext_lazy("Does the explanation point out this error?"),
    "correction": gettext_lazy("Does the explanation give the correction?"),
}
ABOUT_LINKS = {
    "exists": gettext_lazy("Does the page exist?"),
    "relevant": gettext_lazy("Is the page about the subject of the claim?"),
    "supports": gettext_lazy("Does the page support the correct fact?"),
}


class ErrorRow(NamedTuple):
    """An error with its questions, as the template draws it. `number` counts from 1."""

    number: int
    error: FactualError
    questions: tuple[RadioGroup, ...]


class LinkRow(NamedTuple):
    """A link with its questions, as the template draws it. `number` counts from 1."""

    number: int
    link: str
    questions: tuple[RadioGroup, ...]


class RubricForm(AnswerForm[Payload, Answer]):
    """Two questions per error and three per link; all of them, or it is no answer."""

    def add_fields(self) -> None:
        """A yes or no to every question about an error or a link."""
        for about, elements in (
            (ABOUT_ERRORS, self.payload.errors),
            (ABOUT_LINKS, self.payload.links),
        ):
            for i in range(len(elements)):
                self.fields.update({f"{name}-{i}": choice_field(YES_OR_NO) for name in about})

    def answer(self) -> Answer:
        """Every yes and no."""
        return Answer(
            errors=tuple(
                ErrorAnswer(
                    error=i,
                    points_out=self._yes("error", i),
                    corrects=self._yes("correction", i),
                )
                for i in range(len(self.payload.errors))
            ),
            links=tuple(
                LinkAnswer(
                    link=i,
                    exists=self._yes("exists", i),
                    relevant=self._yes("relevant", i),
                    supports=self._yes("supports", i),
                )
                for i in range(len(self.payload.links))
            ),
        )

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """Every yes and no, by error and by link."""
        choices: dict[str, bool] = {}
        for about in answer.errors:
            choices[f"error-{about.error}"] = about.points_out
            choices[f"correction-{about.error}"] = about.corrects
        for link in answer.links:
            choices[f"exists-{link.link}"] = link.exists
            choices[f"relevant-{link.link}"] = link.relevant
            choices[f"supports-{link.link}"] = link.supports
        return {name: ["yes" if yes else "no"] for name, yes in choices.items()}

    def _yes(self, name: str, i: int) -> bool:
        return bool(self.cleaned_data[f"{name}-{i}"] == "yes")

    def named(self, name: str) -> tuple[str, ...]:
        asked, _, at = name.rpartition("-")
        if asked in ABOUT_ERRORS:
            part, text = gettext("Error %(number)s"), self.payload.errors[int(at)].sentence
        elif asked in ABOUT_LINKS:
            part, text = gettext("Link %(number)s"), self.payload.links[int(at)]
        else:
            return ()
        legend = (ABOUT_ERRORS | ABOUT_LINKS)[asked]
        return quoted(part % {"number": int(at) + 1}, text), str(legend)

    def error_rows(self) -> list[ErrorRow]:
        """The errors in order, answered as they were posted."""
        return [
            ErrorRow(i + 1, error, self._questions(ABOUT_ERRORS, i))
            for i, error in enumerate(self.payload.errors)
        ]

    def link_rows(self) -> list[LinkRow]:
        """The links in order, answered as they were posted."""
        return [
            LinkRow(i + 1, link, self._questions(ABOUT_LINKS, i))
            for i, link in enumerate(self.payload.links)
        ]

    def _questions(self, about: Mapping[str, Text], i: int) -> tuple[RadioGroup, ...]:
        facets = {name: f"link_{name}" for name in ABOUT_LINKS}
        return tuple(
            choices_of(self, f"{name}-{i}", legend, self.marks.get(part))
            for name, legend in about.items()
            for part in (part_name(facets.get(name, name), i),)
        )
