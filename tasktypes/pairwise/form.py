"""The worker's page part: A, B, or about the same, as radio buttons for every criterion."""

from typing import NamedTuple

from django.forms.boundfield import BoundField
from django.utils.translation import gettext

from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.choices import choice_field
from tasktypes.pages.comparison import PartMark
from tasktypes.pages.criteria import Criterion
from tasktypes.pairwise.schema import Answer, Payload, Preferred

TIE = "tie"


class Comparison(NamedTuple):
    """One criterion with its answers."""

    field: BoundField
    criterion: Criterion
    mark: PartMark | None


class PairwiseForm(AnswerForm[Payload, Answer]):
    """A choice of side per criterion."""

    def add_fields(self) -> None:
        """A choice of side per criterion."""
        for criterion in self.payload.criteria:
            self.fields[_name(criterion)] = choice_field(list(labels(self.payload).items()))

    def answer(self) -> Answer:
        """The items chosen, as the unit stores them."""
        return Answer(
            preferred={
                criterion.key: self._preferred(self.cleaned_data[_name(criterion)])
                for criterion in self.payload.criteria
            }
        )

    def _preferred(self, choice: str) -> Preferred:
        return "tie" if choice == TIE else self.payload.shown_as(choice)

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """The sides preferred, by the letters shown."""
        return {
            _name(criterion): [self.payload.letter_of(answer.preferred[criterion.key])]
            for criterion in self.payload.criteria
        }

    def named(self, name: str) -> tuple[str, ...]:
        return tuple(one.question for one in self.payload.criteria if _name(one) == name)

    def comparisons(self) -> list[Comparison]:
        """What the template draws, criterion by criterion."""
        return [
            Comparison(self[_name(criterion)], criterion, self.marks.get(criterion.key))
            for criterion in self.payload.criteria
        ]


def labels(payload: Payload) -> dict[str, str]:
    """The answers in the order shown, the tie in the middle."""
    left, right = (candidate.letter for candidate in payload.candidates)
    tie = {TIE: gettext("About the same")} if payload.ties else {}
    better = gettext("%(letter)s is better")
    return {left: better % {"letter": left}, **tie, right: better % {"letter": right}}


def _name(criterion: Criterion) -> str:
    return f"preferred-{criterion.key}"
