"""Citation recovery: which sentences of an explanation should cite this passage?

Every citation of one passage is taken out of the explanation; whoever answers says where it
belongs. An explanation whose citations can be found again shows where its statements come from.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy, ngettext

from tasktypes.citation_recovery import schema
from tasktypes.citation_recovery.example import EXAMPLE
from tasktypes.citation_recovery.form import NONE, RecoveryForm
from tasktypes.citation_recovery.metrics import TRANSPARENT_SHARE
from tasktypes.citation_recovery.slots import REPLY_FORMS, SLOTS
from tasktypes.contract import LastLook, TaskType
from tasktypes.facets import Facet, RatingValue, Value
from tasktypes.machines.parts import InParts, Part, highest, others
from tasktypes.machines.votes import together
from tasktypes.pages.comparison import Compared, compared_sets, part_name
from tasktypes.pages.elicitation import Elicitation
from tasktypes.plans import ControlPlan, ControlPool, Focus, UnitPlan
from tasktypes.texts.citations import mask, without_markers
from tasktypes.texts.material import Item, Source, only_item

GIVEN_AWAY = LastLook(
    gettext_lazy(
        "The next page shows where the citations were. After that you can no longer change this "
        "answer."
    ),
    gettext_lazy(
        "You can no longer change this answer, because you have seen where the citations were."
    ),
)
RECOVERY = Facet(name="recovery", title="Citation recovery", kind="set", distance="jaccard")


class CitationRecovery(
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InParts[schema.Payload, schema.Answer],
):
    """Find the sentences from which one passage's citation was taken out."""

    slug = "citation_recovery"
    title = "Citation recovery"
    elicitation = Elicitation("output classification or labelling", "Check-boxes")
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = RecoveryForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("transparent_from",)
    reply_forms = REPLY_FORMS
    conceals = True
    item_metrics = (TRANSPARENT_SHARE,)
    keys = (
        ("1–99", gettext_lazy("choose a sentence, or take it back")),
        ("0", gettext_lazy("none of these sentences")),
    )
    scripts = ("citation_recovery/form.js",)
    styles = ("css/material.css", "citation_recovery/form.css")

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return (RECOVERY,)

    def plan(
        self, source: Source, items: Sequence[Item], options: schema.Options, *, seed: int
    ) -> Iterator[UnitPlan]:
        """One unit per item and cited passage that exists; one per item, drawn by seed, is
        the sample."""
        for item in items:
            existing = [k for k in item.cited if k in source.passage_indices]
            drawn = existing[_draw(len(existing), seed, item.key)] if existing else None
            for k in existing:
                subsets = ("full", "sample") if k == drawn else ("full",)
                yield UnitPlan((item,), suffix=str(k), subsets=subsets, focus={"passage": k})

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `passage`, and for a control `blanked`, the sentences left out."""
        item, k = only_item(items, "citation recovery"), _passage(source, focus)
        blanked = _blanked(item, focus)
        sentences = tuple(
            schema.ShownSentence(
                number=number, text=mask(sentence.text, k).strip(), before=sentence.before
            )
            for number, sentence in item.remaining(blanked)
        )
        if not sentences:
            raise ValueError("focus.blanked: no sentence is left")
        return schema.Payload(
            claim=source.claim,
            verdict=source.verdict,
            passages=source.passages,
            passage=k,
            sentences=sentences,
        )

    def reference(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Answer:
        """The sentences that did cite the passage, as far as they are still shown."""
        item, k = only_item(items, "citation recovery"), _passage(source, focus)
        citing = {i for i, sentence in enumerate(item.sentences) if k in sentence.citations}
        return schema.Answer(sentences=tuple(citing - _blanked(item, focus)))

    def set_size(self, payload: Mapping[str, Any]) -> int:
        """Every sentence that is shown may be chosen."""
        return len(payload["sentences"])

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        return (RatingValue(facet=RECOVERY.name, value=frozenset(answer.sentences)),)

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        for number in answer.sentences:
            if number not in payload.numbers:
                raise ValueError(f"sentences: there is no sentence {number} in this question")

    def last_look(self, options: schema.Options) -> LastLook:
        return GIVEN_AWAY

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """Every sentence, and at the end whether none of them was the answer."""
        own, right = frozenset(answer.sentences), frozenset(reference.sentences)
        none = part_name(RECOVERY.name, "none")
        (last,) = compared_sets(
            RECOVERY.name, [0], {0} if not own else set(), {0} if not right else set()
        )
        return [
            *compared_sets(RECOVERY.name, payload.numbers, own, right),
            last._replace(part=none),
        ]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        """The sentences as they are counted on the page."""
        return self.value_text(payload, RECOVERY.name, frozenset(answer.sentences))

    def value_text(self, payload: schema.Payload, facet: str, value: Value) -> str:
        """The sentences as they are counted on the page, from 1."""
        chosen = value if isinstance(value, frozenset) else frozenset()
        if not chosen:
            return str(NONE)
        shown = [at for at, number in enumerate(payload.numbers, 1) if number in chosen]
        return ngettext("Sentence %(numbers)s", "Sentences %(numbers)s", len(shown)) % {
            "numbers": ", ".join(map(str, shown))
        }

    def controls(
        self,
        payload: schema.Payload,
        reference: schema.Answer,
        focus: Focus,
        *,
        pool: ControlPool,
    ) -> Iterator[ControlPlan[schema.Payload, schema.Answer]]:
        """Positive: the question as it is. Negative: the sentences that cited the passage are
        left out, and some other sentence remains."""
        if not _lends_itself(payload, reference, pool):
            return
        yield ControlPlan("positive", focus, payload, reference)
        kept = payload.without(reference.sentences)
        if kept:
            blanked = sorted({*focus.get("blanked", ()), *reference.sentences})
            without: Mapping[str, object] = {**focus, "blanked": blanked}
            shown = payload.model_copy(update={"sentences": kept})
            yield ControlPlan("negative", without, shown, schema.Answer(sentences=()))

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        chosen = [frozenset(answer.sentences) for answer in answers]
        union = together(chosen, kind="set", how=how, where="sentences")
        return schema.Answer(sentences=tuple(sorted(union)))

    def parts(self, payload: schema.Payload) -> tuple[Part, ...]:
        """For every sentence that is shown, how probable it is that it should cite the passage."""
        texts = [without_markers(sentence.text) for sentence in payload.sentences]
        source = payload.passage_in_question.text
        return tuple(
            Part(RECOVERY.name, text, source, rivals=others(texts, at), place=at)
            for at, text in enumerate(texts)
        )

    def to_parts(self, payload: schema.Payload, answer: schema.Answer) -> list[float]:
        return [float(number in answer.sentences) for number in payload.numbers]

    def from_parts(self, payload: schema.Payload, values: Sequence[float | str]) -> schema.Answer:
        """As many sentences as are expected, the most probable ones."""
        shares = list(map(float, values))
        chosen = highest(shares, round(sum(shares)))
        return schema.Answer(sentences=tuple(payload.numbers[at] for at in chosen))


def _lends_itself(payload: schema.Payload, reference: schema.Answer, pool: ControlPool) -> bool:
    """Whether a question belongs to the pool that controls are made from."""
    if pool == "one_part":
        return len(reference.sentences) == 1
    selected = [passage.index for passage in payload.passages if passage.selected]
    return bool(reference.sentences) and selected == [payload.passage]


def _passage(source: Source, focus: Focus) -> int:
    k = focus.get("passage")
    if type(k) is not int:
        raise ValueError("focus.passage: missing, or not a whole number")
    if k not in source.passage_indices:
        raise ValueError(f"focus.passage: the source has no passage {k}")
    return k


def _blanked(item: Item, focus: Focus) -> frozenset[int]:
    blanked = focus.get("blanked", ())
    numbers = range(len(item.sentences))
    if not isinstance(blanked, list | tuple) or any(
        type(i) is not int or i not in numbers for i in blanked
    ):
        raise ValueError("focus.blanked: not a list of sentence numbers of the item")
    return frozenset(blanked)


def _draw(count: int, seed: int, key: str) -> int:
    """A draw below `count` that depends on nothing but the seed and the item's key."""
    digest = hashlib.sha256(f"{seed}\n{key}".encode()).digest()
    return int.from_bytes(digest, "big") % count


CITATION_RECOVERY = CitationRecovery()
