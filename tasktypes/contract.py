"""What every task type is: the one interface between a kind of question and everything else.

A task type says what a question looks like (Payload), what an answer is (Answer), how a
person gives it (a form), how a machine gives it (a prompt and a reply), and which comparable
quantities it holds (facets, ratings). Nothing outside `tasktypes/` asks which type it has.
"""

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

from django.utils.translation import gettext_lazy

from tasktypes.facets import Facet, RatingValue, Value, in_words
from tasktypes.machines.needs import TEXT, Need
from tasktypes.machines.prompts import Slot, filled
from tasktypes.machines.replies import answer_in
from tasktypes.machines.reply_forms import ReplyForm
from tasktypes.machines.votes import NoConsensus
from tasktypes.measures import ItemMetric, Measure
from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.choices import Text
from tasktypes.pages.comparison import Compared, listed, part_name
from tasktypes.pages.elicitation import Elicitation
from tasktypes.plans import ControlPlan, ControlPool, Focus, UnitPlan
from tasktypes.schemas import A, O, P, Schema
from tasktypes.texts.material import Item, Source

if TYPE_CHECKING:
    from tasktypes.prepared_lists import PreparedList


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


class TaskType(ABC, Generic[O, P, A]):
    """One kind of question. Subclasses hold no state; one object of each is in the registry."""

    slug: ClassVar[str]
    title: ClassVar[str]
    Options: type[O]
    Payload: type[P]
    Answer: type[A]
    Form: type[AnswerForm[P, A]]
    example: ClassVar[Example]
    # How it elicits answers, as datasheets of human evaluations ask.
    elicitation: ClassVar[Elicitation]
    # The options that a form of the set-up shows first, within rows with a dot; others wait below.
    first_options: ClassVar[tuple[str, ...]] = ()
    # True where the page hides part of the unit: a later block that shows it freezes the answer.
    conceals: ClassVar[bool] = False
    item_metrics: ClassVar[tuple[ItemMetric, ...]] = ()
    # All that `measures` gives, in the order in which it is reported.
    measured: ClassVar[tuple[Measure, ...]] = ()
    # What prompts can show of a question: ours, and those of a researcher.
    slots: ClassVar[tuple[Slot, ...]]
    # Forms of reply besides JSON, for prompts that ask for one.
    reply_forms: ClassVar[tuple[ReplyForm, ...]] = ()
    # The lists in a unit's focus that can be prepared where a file comes without them.
    prepared_lists: "ClassVar[tuple[PreparedList, ...]]" = ()
    # What keys do on its page, for the list of keys: (keys, words).
    keys: ClassVar[tuple[tuple[str, Text], ...]] = (
        ("1–9", gettext_lazy("choose an answer and move to the next one")),
    )
    # Static files that the form needs; those of tasktypes/<slug>/static/ are found under <slug>/.
    scripts: ClassVar[tuple[str, ...]] = ()
    styles: ClassVar[tuple[str, ...]] = ()
    # Whether its form includes "pages/parts.html": one part at a time, where there are many.
    has_parts: ClassVar[bool] = False

    @property
    def purpose(self) -> str:
        """What people do in it, in a line: the first of its class's docstring."""
        return (inspect.getdoc(type(self)) or "").partition("\n")[0]

    @abstractmethod
    def facets(self, options: O) -> tuple[Facet, ...]:
        """The quantities that answers of this block are compared by."""

    def plan(
        self, source: Source, items: Sequence[Item], options: O, *, seed: int
    ) -> Iterable[UnitPlan]:
        """The units to ask about these items of a source, where a file names none itself: one per
        item, in both subsets."""
        return [UnitPlan(items=(item,), suffix="", subsets=("full", "sample")) for item in items]

    def source_with(self, source: Source, focus: Focus) -> Source:
        """The source with what has been prepared for it, of which answers are measured."""
        return source

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

    def value_text(self, payload: P, facet: str, value: Value) -> str:
        """A rating's value in the words of the question, whose page may number parts otherwise
        than they are stored; empty where the value says it itself."""
        return ""

    def set_size(self, payload: Mapping[str, Any]) -> int | None:
        """Of how many parts of a question, as it is stored, an answer chooses some; None where
        answers are no sets."""
        return None

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
        turns = (turn.text for turn in getattr(payload, "turns", ()) if turn.text)
        return next(filter(None, (*texts, *turns)), "") or getattr(payload, "text", "")

    def combined(self, payload: P, answers: Sequence[A], *, how: str | None = None) -> A:
        """One answer from several raters' (n >= 1), each of which fits the question.

        how: a rule of `agreement.CONSENSUS`, which holds for the kinds of value that know it; the
        others, and all of them without it, go by their own. NoConsensus where none follows; of
        a type that knows no way, that is wherever answers differ.
        """
        if any(answer != answers[0] for answer in answers):
            raise NoConsensus(f"{self.title} has no way to make one answer of several")
        return answers[0]

    def key_statement(self, payload: P, answers: Sequence[A]) -> str:
        """The statement of the text that these answers together put first; empty where they do not
        say which."""
        return ""

    @property
    def reply_schema(self) -> type[Schema]:
        """What a machine's reply is checked against: an Answer, unless it goes by shown letters."""
        return self.Answer

    @property
    def template(self) -> str:
        return f"{self.slug}/form.html"

    @cached_property
    def instructions(self) -> str:
        """The text of instructions.md, in Markdown: what a new study tells its workers, as long as
        the researcher writes nothing else."""
        file = Path(__file__).parent / self.slug / "instructions.md"
        return file.read_text(encoding="utf-8").strip()

    @cached_property
    def prompt_template(self) -> str:
        """The text of prompt.txt: its version is its hash. Read once."""
        return (Path(__file__).parent / self.slug / "prompt.txt").read_text(encoding="utf-8")

    def prompt(self, payload: P) -> str:
        """What a machine is asked: the instructions people get, the unit, the reply's format."""
        return filled(self.prompt_template, self.slots, payload)

    @cached_property
    def bare_prompt_template(self) -> str:
        """The text of prompt_bare.txt, with nothing but the text in question and what it is held
        against; empty where the type has no such prompt."""
        file = Path(__file__).parent / self.slug / "prompt_bare.txt"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def parse_reply(self, payload: P, reply: str) -> A:
        """The answer in a machine's reply, by default as JSON; ReplyError with the reason where
        there is none."""
        return answer_in(reply, self, payload)

    def written_reply(self, payload: P, answer: A) -> str:
        """The reply that says this answer: the reverse of `parse_reply`. Whole numbers stand there
        as prompts write them: 4, not 4.0."""
        fields = answer.model_dump(mode="json", exclude_none=True)
        return json.dumps(_without_points(fields), ensure_ascii=False)


def _without_points(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_points(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_points(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
