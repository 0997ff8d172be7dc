"""What every task type is: the one interface between a kind of question and everything else.

A task type says what a question looks like (Payload), what an answer is (Answer), how a
person gives it (a form), how a machine gives it (a prompt and a reply), and which comparable
quantities it holds (facets, ratings). Nothing outside `tasktypes/` asks which type it has.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from django import forms
from django.forms.utils import ErrorDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from tasktypes.choices import Text
from tasktypes.comparison import Compared, Mark, listed, part_name
from tasktypes.material import Item, Source
from tasktypes.needs import TEXT, Need
from tasktypes.prompts import Slot, filled
from tasktypes.reply_forms import ReplyForm
from tasktypes.votes import NoConsensus

if TYPE_CHECKING:
    from tasktypes.prepared_lists import PreparedList

FacetKind = Literal["number", "label", "set"]
Value = float | str | frozenset[int | str]
# Which values of a figure are better; empty: neither.
Better = Literal["higher", "lower", ""]
FacetName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
# What within the material a unit is about, as plain JSON: {"passage": 3}.
Focus = Mapping[str, Any]


class Schema(BaseModel):
    """Base of payloads, answers and options: frozen, strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


O = TypeVar("O", bound=Schema)  # noqa: E741  (options, payload, answer)
P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)


@dataclass(frozen=True)
class Facet:
    """A comparable quantity of a block. `distance` names one of `agreement.DISTANCES`.

    labels: what a facet of labels offers, in their order; empty where that is open. ordered:
    that order is one from most to least. ranks: numbers are places among the elements of a
    question, 1 the first. compared_with: other facets of the study that a judge's numbers are
    to be compared with. own_scale: these are numbers of machines, each on a scale of its own, which
    may correlate but cannot agree. ends_observed: low and high are the ends of what occurs, and
    say nothing about the scale.
    """

    name: str
    title: str
    kind: FacetKind
    distance: str
    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    ordered: bool = False
    ranks: bool = False
    compared_with: tuple[str, ...] = ()
    own_scale: bool = False
    ends_observed: bool = False

    @property
    def is_score(self) -> bool:
        """Whether these are numbers on one scale that everybody shares."""
        return self.kind == "number" and not self.ranks and not self.own_scale

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the scale; None where they are not known."""
        if self.low is None or self.high is None or self.ends_observed:
            return None
        return self.low, self.high

    @property
    def names_items(self) -> bool:
        """Whether labels are names of items: then the facet cannot list them."""
        return self.kind == "label" and not self.labels


class ItemName(NamedTuple):
    """What an item is called where results are computed, and nowhere before."""

    key: str
    system: str


def called(items: Sequence[ItemName]) -> list[str]:
    """What labels call the items of a unit: by system, or by key where systems do not tell them
    apart."""
    systems = [item.system for item in items]
    told_apart = all(systems) and len(set(systems)) == len(systems)
    return systems if told_apart else [item.key for item in items]


@dataclass(frozen=True)
class RatingValue:
    """One value that an answer holds; `element` is empty when it is about the whole unit."""

    facet: str
    value: Value
    element: str = ""
    # Where the element, or a label, stands for one of the unit's items: its position. A question
    # holds no item's name, since names give systems away; storing puts the name in (`named`).
    element_item: int | None = None
    value_item: int | None = None

    def named(self, items: Sequence[ItemName]) -> "RatingValue":
        """The rating with items by name: the element by key, a label as they are `called`."""
        named = self
        if self.element_item is not None:
            named = replace(named, element=items[self.element_item].key, element_item=None)
        if self.value_item is not None:
            named = replace(named, value=called(items)[self.value_item], value_item=None)
        return named


@dataclass(frozen=True)
class UnitPlan:
    """One unit that a type proposes: which of a source's items it shows, in order.

    `suffix` ends the unit's key, after a slash and the key of the item, or that of the source
    where several items are shown; empty: that key alone. `payload` and `reference` get `focus`.
    """

    items: tuple[Item, ...]
    suffix: str
    subsets: tuple[str, ...]
    focus: Focus = field(default_factory=dict)


# Where controls may come from: units whose selected evidence is one passage, or any unit whose
# right answer names one part of it.
ControlPool = Literal["one_passage", "one_part"]


@dataclass(frozen=True)
class ControlPlan(Generic[P, A]):
    """A question with a right answer beyond doubt, made of a normal one.

    `focus` replaces that of the normal unit.
    """

    kind: Literal["positive", "negative"]
    focus: Focus
    payload: P
    reference: A


class Measure(NamedTuple):
    """What `measures` gives under a name.

    description: in a line, for the documentation. undefined: when an answer has none. better:
    which way is. flag: 1 says that something is wrong with the item, so that items made wrong on
    purpose should have it; of other measures these should have less.
    """

    name: str
    title: Text
    description: str
    undefined: str
    better: Better = "higher"
    flag: bool = False


@dataclass(frozen=True)
class ItemMetric:
    """A yes or no about a whole item, reported as the share of items with yes.

    `facts(source, item, options)` says in whole numbers what of the item's texts the answer
    depends on; None where the question does not arise for the item. `decide(scores, facts,
    options)` gets these and the item's F1 per unit, and returns None where it does not arise
    either. description: in a line, for the documentation.
    """

    name: str
    title: Text
    description: str
    facet: str
    subset: str
    facts: Callable[[Source, Item, Any], tuple[int, ...] | None]
    decide: Callable[[Sequence[float], tuple[int, ...], Any], bool | None]
    better: Better = "higher"


@dataclass(frozen=True)
class Example:
    """One worked question: what the contract test, the docs and the demo show of a type."""

    options: Mapping[str, Any]
    source: Source
    items: tuple[Item, ...]
    focus: Mapping[str, Any]
    answer: Mapping[str, Any]
    posted: Mapping[str, Sequence[str]]
    reply: str
    garbled: str


class ReplyError(ValueError):
    """A machine's reply that holds no answer; the message says why, in plain words."""


def in_words(value: Value | None) -> str:
    """A rating's value as it can be read by itself."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "–"
    if isinstance(value, float | int):
        return f"{value:g}"
    return value or ""


def text_at(texts: Sequence[str], element: str) -> str:
    """The text that a numbered element stands for; empty where the element is a name."""
    return texts[int(element)] if element.isdecimal() and int(element) < len(texts) else ""


class LastLook(NamedTuple):
    """What a page says where a later one gives its answer away. before: as long as the answer can
    be changed. after: once it cannot."""

    before: Text
    after: Text


GIVEN_AWAY = LastLook(
    gettext_lazy(
        "The next page shows more than this one. After that you can no longer change this answer."
    ),
    gettext_lazy(
        "You can no longer change this answer, because you have seen what this page leaves out."
    ),
)


class Refusal(NamedTuple):
    """Why an answer was refused. number: which one of the form, from 1; id: of its field."""

    number: int
    id: str
    text: str


class AnswerForm(forms.Form, Generic[P, A]):
    """A worker's page part. Bound to whatever has been typed so far, finished or not.

    prefix: begins all names and ids, so that a question can stand twice on one page.
    """

    # False while nothing was sent: a half-finished answer that is shown again is no mistake.
    complains = True
    # What stands beside the parts of an answer that is compared with the right one, by part.
    marks: Mapping[str, Mark] = {}

    def __init__(
        self,
        payload: P,
        data: MultiValueDict[str, str] | None = None,
        *,
        prefix: str | None = None,
    ) -> None:
        self.payload = payload
        super().__init__(data, prefix=prefix, auto_id="%s")
        self.add_fields()

    def add_fields(self) -> None:
        """Add the fields that depend on the payload."""

    @property
    def id_prefix(self) -> str:
        """Begins the ids of whatever the template draws beside the fields."""
        return self.add_prefix("")

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
        whole = [Refusal(1, self[names[0]].auto_id, str(text)) for text in self.non_field_errors()]
        return whole + [
            Refusal(number, self[name].auto_id, str(self.errors[name][0]))
            for number, name in enumerate(names, start=1)
            if name in self.errors
        ]

    def answer(self) -> A:
        """The answer given; only after `is_valid()`."""
        raise NotImplementedError

    def filled(self, answer: A) -> dict[str, list[str]]:
        """What the form posts for this answer: the reverse of `answer`."""
        raise NotImplementedError


class TaskType(ABC, Generic[O, P, A]):
    """One kind of question. Subclasses hold no state; one object of each is in the registry."""

    slug: ClassVar[str]
    title: ClassVar[str]
    Options: type[O]
    Payload: type[P]
    Answer: type[A]
    Form: type[AnswerForm[P, A]]
    example: ClassVar[Example]
    # True where the page hides part of the unit: a later block that shows it freezes the answer.
    conceals: ClassVar[bool] = False
    item_metrics: ClassVar[tuple[ItemMetric, ...]] = ()
    # All that `measures` gives, in the order in which it is reported.
    measured: ClassVar[tuple[Measure, ...]] = ()
    # What prompts can show of a question: ours, and those of a researcher.
    slots: ClassVar[tuple[Slot, ...]]
    # Forms of reply besides JSON, for prompts that ask for one.
    reply_forms: ClassVar[tuple[ReplyForm, ...]] = ()
    # The list in a unit's focus that can be prepared where a file comes without it.
    prepared_list: "ClassVar[PreparedList | None]" = None
    # What keys do on its page, for the list of keys: (keys, words).
    keys: ClassVar[tuple[tuple[str, Text], ...]] = (
        ("1–9", gettext_lazy("choose an answer and move to the next one")),
    )
    # Static files that the form needs; those of tasktypes/<slug>/static/ are found under <slug>/.
    scripts: ClassVar[tuple[str, ...]] = ()
    styles: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def facets(self, options: O) -> tuple[Facet, ...]:
        """The quantities that answers of this block are compared by."""

    @abstractmethod
    def plan(
        self, source: Source, items: Sequence[Item], options: O, *, seed: int
    ) -> Iterable[UnitPlan]:
        """The units to ask about these items of a source, where a file names none itself."""

    def awaits_list(self, items: Sequence[Item], focus: Focus, options: O) -> bool:
        """Whether nothing can be asked about these items before a list is prepared for them."""
        return False

    @abstractmethod
    def payload(self, source: Source, items: Sequence[Item], focus: Focus, options: O) -> P:
        """The question as shown; ValueError('field: reason') where it cannot be asked."""

    def reference(
        self, source: Source, items: Sequence[Item], focus: Focus, options: O
    ) -> A | None:
        """The right answer where the material determines one."""
        return None

    def needs(self, options: O | P) -> frozenset[Need]:
        """What a question must show to have an answer, by a block's options or by its payload."""
        return TEXT

    @abstractmethod
    def ratings(self, payload: P, answer: A) -> tuple[RatingValue, ...]:
        """The answer taken apart; only declared facets."""

    def element_text(self, payload: P, facet: str, element: str) -> str:
        """What an element of a rating stands for, in the words of the question; empty where its
        name says it, as that of an item does."""
        return ""

    def measures(
        self, source: Source, payload: P, answer: A, options: O
    ) -> Mapping[str, float | None]:
        """What one answer says of its unit besides its ratings, by name; None where undefined."""
        return {}

    @property
    def shows_passages(self) -> bool:
        """Whether questions may show passages of evidence."""
        return "passages" in self.Payload.model_fields

    def selected_passages(self, payload: P) -> frozenset[int] | None:
        """The indices of the passages that a question shows as selected; None where it shows no
        passages at all."""
        passages = getattr(payload, "passages", ())
        return (
            frozenset(passage.index for passage in passages if passage.selected)
            if passages
            else None
        )

    def check(self, payload: P, answer: A) -> None:
        """ValueError('field: reason') where a well-formed answer does not fit the question."""

    def check_between(self, payload: P, answer: A) -> None:
        """The same for a machine whose numbers may lie between the points people choose from."""
        self.check(payload, answer)

    def hides(self, options: O) -> bool:
        """Whether a block with these options conceals, where that depends on them."""
        return self.conceals

    def last_look(self, options: O) -> LastLook:
        """What a page that hides something says of its answer, before and after it was shown."""
        return GIVEN_AWAY

    def controls(
        self, payload: P, reference: A, focus: Focus, *, pool: ControlPool
    ) -> Iterable[ControlPlan[P, A]]:
        """The controls that can be made of a normal question; none where the type has none."""
        return ()

    def is_right(self, payload: P, answer: A, reference: A) -> bool:
        """What counts as right on a control question."""
        return answer == reference

    def compared(self, payload: P, answer: A, reference: A) -> Sequence[Compared]:
        """Every part of an answer beside the right one, in the order in which they are asked."""
        right = {
            part_name(rating.facet, rating.element): rating.value
            for rating in self.ratings(payload, reference)
        }
        return [
            Compared(part, "right")
            if right.get(part) == rating.value
            else Compared(part, "wrong", right=in_words(right.get(part)))
            for rating in self.ratings(payload, answer)
            for part in (part_name(rating.facet, rating.element),)
        ]

    def summary(self, payload: P, answer: A) -> str:
        """The answer in a few words, for the worker who gave it."""
        return listed(in_words(rating.value) for rating in self.ratings(payload, answer))

    def subject(self, payload: P) -> str:
        """What the question is about, in its own words: the claim, a query, or the text."""
        texts = (getattr(payload, name, "") for name in ("claim", "query", "document"))
        judged = " ".join(map(str, getattr(payload, "sentences", ())))
        return next(filter(None, texts), judged)

    def combined(self, payload: P, answers: Sequence[A], *, how: str | None = None) -> A:
        """One answer from several raters' (n >= 1), each of which fits the question.

        how: a rule of `agreement.CONSENSUS`, which holds for the kinds of value that know it; the
        others, and all of them without it, go by their own. NoConsensus where none follows; of
        a type that knows no way, that is wherever answers differ.
        """
        if any(answer != answers[0] for answer in answers):
            raise NoConsensus(f"{self.title} has no way to make one answer of several")
        return answers[0]

    @property
    def reply_schema(self) -> type[Schema]:
        """What a machine's reply is checked against: an Answer, unless it goes by shown letters."""
        return self.Answer

    @property
    def template(self) -> str:
        return f"{self.slug}/form.html"

    @cached_property
    def prompt_template(self) -> str:
        """The text of prompt.txt: its version is its hash. Read once."""
        return (Path(__file__).parent / self.slug / "prompt.txt").read_text(encoding="utf-8")

    def prompt(self, payload: P) -> str:
        """What a machine is asked: the instructions people get, the unit, the reply's format."""
        return filled(self.prompt_template, self.slots, payload)

    @cached_property
    def bare_prompt_template(self) -> str:
        """The text of prompt_bare.txt; empty where the type has no such prompt."""
        file = Path(__file__).parent / self.slug / "prompt_bare.txt"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def bare_prompt(self, payload: P) -> str:
        """The same with nothing but the text in question and what it is held against."""
        if not self.bare_prompt_template:
            raise ValueError(f"{self.title} has no prompt that shows less")
        return filled(self.bare_prompt_template, self.slots, payload)

    @abstractmethod
    def parse_reply(self, payload: P, reply: str) -> A:
        """The answer in a machine's reply; ReplyError with the reason where there is none."""

    def written_reply(self, payload: P, answer: A) -> str:
        """The reply that says this answer: the reverse of `parse_reply`."""
        fields = answer.model_dump(mode="json", exclude_none=True)
        return json.dumps(fields, ensure_ascii=False)
