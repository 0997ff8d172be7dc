"""The worker's page part: labels for every claim, their order, and which facts are there."""

from typing import NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, gettext_lazy

from tasktypes.importance.schema import Answer, ClaimAnswer, NuggetAnswer, Payload
from tasktypes.pages.answer_forms import AnswerForm, quoted
from tasktypes.pages.choices import RadioGroup, Text, choice_field, choices_of
from tasktypes.pages.comparison import PartMark, part_name

ABOUT_CLAIMS = {
    "importance": (
        gettext_lazy("How important is it to the question?"),
        (
            ("vital", gettext_lazy("Vital")),
            ("okay", gettext_lazy("Okay")),
            ("less-important", gettext_lazy("Less important")),
        ),
    ),
    "support": (
        gettext_lazy("Do the documents support it?"),
        (
            ("supported", gettext_lazy("Supported")),
            ("unsupported", gettext_lazy("Not supported")),
        ),
    ),
}
ABOUT_NUGGETS = (
    gettext_lazy("Does the response say so?"),
    (
        ("supported", gettext_lazy("Yes")),
        ("partly", gettext_lazy("Partly")),
        ("not", gettext_lazy("No")),
    ),
)

NO_POSITION = gettext_lazy("Please choose a position.")
# What is asked, by the beginning of its fields' names.
_LEGENDS: dict[str, Text] = {
    **{facet: legend for facet, (legend, _) in ABOUT_CLAIMS.items()},
    "order": gettext_lazy("Position in the order"),
    "nugget": ABOUT_NUGGETS[0],
}


class Statement(NamedTuple):
    """A claim or a fact with the questions about it. `number` counts from 1."""

    number: int
    text: str
    questions: tuple[RadioGroup, ...]


class OrderPlace(NamedTuple):
    """A claim in the order. `position`: as it was posted, from 1, or empty; `labels`: the name of
    the field that says how important it is."""

    field: BoundField
    number: int
    text: str
    position: str
    labels: str
    mark: PartMark | None


class ImportanceForm(AnswerForm[Payload, Answer]):
    """Radio buttons per claim and per fact; a position per claim that is ordered, each once."""

    def add_fields(self) -> None:
        """A label for every claim and fact, and a position for every claim."""
        payload, count = self.payload, len(self.payload.claims)
        for part, (_, offered) in ABOUT_CLAIMS.items():
            if part in payload.parts:
                self.fields.update({f"{part}-{i}": choice_field(offered) for i in range(count)})
        if payload.asks("order"):
            self.fields.update({f"order-{i}": self._position_field() for i in range(count)})
        if payload.asks("nuggets"):
            facts = range(len(payload.nuggets))
            self.fields.update({f"nugget-{i}": choice_field(ABOUT_NUGGETS[1]) for i in facts})

    def clean(self) -> None:
        """No position is given twice; who gave it to what is said beside both. Where the vital
        claims are ordered, each of several has one; what others have does not count."""
        super().clean()
        ordered = self._ordered()
        for i in ordered if len(ordered) > 1 and self.payload.orders_vital else ():
            if self.cleaned_data.get(f"order-{i}", NO_POSITION) is None:
                self.add_error(f"order-{i}", ValidationError(NO_POSITION, code="required"))
        for position, claims in self._claims_by_position().items():
            for i in claims if len(claims) > 1 else ():
                others = ", ".join(str(other + 1) for other in claims if other != i)
                message = gettext("Position %(position)s is also given to claim %(others)s.")
                values = {"position": position, "others": others}
                self.add_error(f"order-{i}", ValidationError(message % values, code="repeated"))

    def _ordered(self) -> list[int]:
        """The claims that are put in order: all, or those labelled vital."""
        claims = range(len(self.payload.claims)) if self.payload.asks("order") else ()
        if not self.payload.orders_vital:
            return list(claims)
        return [i for i in claims if self.cleaned_data.get(f"importance-{i}") == "vital"]

    def _place_of(self, i: int) -> int:
        return int(self.cleaned_data[f"order-{i}"] or 0)

    def _claims_by_position(self) -> dict[int, list[int]]:
        claims: dict[int, list[int]] = {}
        for i in self._ordered():
            position = self.cleaned_data.get(f"order-{i}")
            if position is not None:
                claims.setdefault(position, []).append(i)
        return claims

    def answer(self) -> Answer:
        """Every label, and the claims by their positions."""
        claims = range(len(self.payload.claims))
        return Answer(
            claims=tuple(
                ClaimAnswer(
                    claim=i,
                    importance=self.cleaned_data.get(f"importance-{i}"),
                    support=self.cleaned_data.get(f"support-{i}"),
                )
                for i in claims
            ),
            order=tuple(sorted(self._ordered(), key=self._place_of))
            if self.payload.asks("order")
            else None,
            nuggets=tuple(
                NuggetAnswer(nugget=i, support=self.cleaned_data[f"nugget-{i}"])
                for i in range(len(self.payload.nuggets) if self.payload.asks("nuggets") else 0)
            ),
        )

    def filled(self, answer: Answer) -> dict[str, list[str]]:
        """Every label, and the claims' positions."""
        values: dict[str, str | None] = {}
        for claim in answer.claims:
            values |= {
                f"importance-{claim.claim}": claim.importance,
                f"support-{claim.claim}": claim.support,
            }
        values |= {f"order-{i}": str(n) for n, i in enumerate(answer.order or (), start=1)}
        values |= {f"nugget-{nugget.nugget}": nugget.support for nugget in answer.nuggets}
        return {name: [value] for name, value in values.items() if value is not None}

    def labels_claims(self) -> bool:
        """Whether there is anything to ask about single claims."""
        return any(part in self.payload.parts for part in ABOUT_CLAIMS)

    def claims(self) -> list[Statement]:
        """The claims in the response's order, labelled as they were posted."""
        return [
            Statement(i + 1, text, self._questions(i)) for i, text in enumerate(self.payload.claims)
        ]

    def _questions(self, i: int) -> tuple[RadioGroup, ...]:
        return tuple(
            choices_of(self, f"{part}-{i}", legend, self.marks.get(part_name(part, i)))
            for part, (legend, _) in ABOUT_CLAIMS.items()
            if part in self.payload.parts
        )

    def places(self) -> list[OrderPlace]:
        """The claims in the response's order, with the positions posted."""
        if not self.payload.asks("order"):
            return []
        return [self._place(i, text) for i, text in enumerate(self.payload.claims)]

    def _place(self, i: int, text: str) -> OrderPlace:
        field = self[f"order-{i}"]
        labels = self.add_prefix(f"importance-{i}")
        mark = self.marks.get(part_name("order", i))
        return OrderPlace(field, i + 1, text, str(field.value() or ""), labels, mark)

    def positions(self) -> list[str]:
        """What a position may be."""
        return [str(position) for position in range(1, len(self.payload.claims) + 1)]

    def facts(self) -> list[Statement]:
        """The source's facts, marked as they were posted."""
        if not self.payload.asks("nuggets"):
            return []
        legend = ABOUT_NUGGETS[0]
        return [
            Statement(i + 1, text, (choices_of(self, f"nugget-{i}", legend, mark),))
            for i, text in enumerate(self.payload.nuggets)
            for mark in (self.marks.get(part_name("nugget", i)),)
        ]

    def named(self, name: str) -> tuple[str, ...]:
        about, _, at = name.rpartition("-")
        if about not in _LEGENDS:
            return ()
        payload, is_fact = self.payload, about == "nugget"
        part = gettext("Fact %(number)s") if is_fact else gettext("Claim %(number)s")
        text = (payload.nuggets if is_fact else payload.claims)[int(at)]
        return quoted(part % {"number": int(at) + 1}, text), str(_LEGENDS[about])

    def _position_field(self) -> forms.TypedChoiceField:
        return forms.TypedChoiceField(
            coerce=int,
            empty_value=None,
            required=not self.payload.orders_vital,
            choices=[(position, position) for position in self.positions()],
            error_messages={
                "required": NO_POSITION,
                "invalid_choice": gettext_lazy("Please choose one of the positions."),
            },
        )

    def names_as_shown(self) -> list[str]:
        labels = [f"{part}-{i}" for i in range(len(self.payload.claims)) for part in ABOUT_CLAIMS]
        asked = [name for name in labels if name in self.fields]
        return [*asked, *(name for name in self.fields if name not in asked)]
