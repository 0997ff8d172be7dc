"""The worker's page part: a rank for every candidate by every criterion.

The fields are plain selects, empty at first; a script lays a board over them.
"""

from typing import NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy

from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.candidates import Candidate
from tasktypes.pages.comparison import PartMark, part_name
from tasktypes.pages.criteria import Criterion
from tasktypes.ranking.ranks import tied
from tasktypes.ranking.schema import Answer, Payload


class RankRow(NamedTuple):
    """The rank of one candidate as the template draws it."""

    field: BoundField
    letter: str
    chosen: str
    mark: PartMark | None


class RankGroup(NamedTuple):
    """The candidates by one criterion. `ties` says who shares a rank, as far as they are given."""

    id: str
    criterion: Criterion
    rows: list[RankRow]
    ties: list[str]


class RankingForm(AnswerForm[Payload, Answer]):
    """A choice of rank per criterion and candidate; fields go by the letters shown."""

    def add_fields(self) -> None:
        """A choice of rank per criterion and candidate."""
        for criterion in self.payload.criteria:
            for candidate in self.payload.candidates:
                self.fields[_name(criterion, candidate)] = _field(len(self.payload.candidates))

    def answer(self) -> Answer:
        """The ranks entered, in the order of the unit's items."""
        by_item = sorted(self.payload.candidates, key=lambda candidate: candidate.item)
        return Answer(
            ranks={
                criterion.key: tuple(
                    self.cleaned_data[_name(criterion, candidate)] for candidate in by_item
                )
                for criterion in self.payload.criteria
            }
        )

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """The ranks under the letters shown."""
        return {
            _name(criterion, candidate): [str(answer.ranks[criterion.key][candidate.item])]
            for criterion in self.payload.criteria
            for candidate in self.payload.candidates
        }

    def named(self, name: str) -> tuple[str, ...]:
        return next(
            (
                (criterion.question, gettext("Rank of %(letter)s") % {"letter": candidate.letter})
                for criterion in self.payload.criteria
                for candidate in self.payload.candidates
                if _name(criterion, candidate) == name
            ),
            (),
        )

    @property
    def ranks(self) -> range:
        """The ranks to choose from."""
        return range(1, len(self.payload.candidates) + 1)

    def groups(self) -> list[RankGroup]:
        """What the template draws, criterion by criterion."""
        return [self._group(criterion) for criterion in self.payload.criteria]

    def _group(self, criterion: Criterion) -> RankGroup:
        rows = [self._row(criterion, candidate) for candidate in self.payload.candidates]
        return RankGroup(self.add_prefix(f"rank-{criterion.key}"), criterion, rows, _ties(rows))

    def _row(self, criterion: Criterion, candidate: Candidate) -> RankRow:
        field = self[_name(criterion, candidate)]
        mark = self.marks.get(part_name(criterion.key, candidate.item))
        return RankRow(field, candidate.letter, str(field.value() or ""), mark)


def _name(criterion: Criterion, candidate: Candidate) -> str:
    return f"rank-{criterion.key}-{candidate.letter}"


def _field(size: int) -> forms.Field:
    return forms.TypedChoiceField(
        choices=[(str(rank), str(rank)) for rank in range(1, size + 1)],
        coerce=int,
        error_messages={
            "required": gettext_lazy("Please choose a rank."),
            "invalid_choice": gettext("Please choose a rank from 1 to %(last)d.") % {"last": size},
        },
    )


def _ties(rows: list[RankRow]) -> list[str]:
    ranked = [row for row in rows if row.chosen.isdecimal()]
    groups = tied([int(row.chosen) for row in ranked])
    return [
        gettext("%(texts)s: same rank")
        % {"texts": get_text_list([ranked[position].letter for position in group], gettext("and"))}
        for group in groups
    ]
