"""Pairwise: which of two texts about one source is better, A or B?"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue, label_facet
from tasktypes.machines.pairs import LETTERS, InPairs, Letter, Pairing
from tasktypes.machines.parts import InParts, Part, Value
from tasktypes.machines.replies import checked, object_in
from tasktypes.machines.scores import against
from tasktypes.machines.votes import together
from tasktypes.pages.candidates import Candidate, candidates, drawn, lot
from tasktypes.pages.comparison import Compared, listed
from tasktypes.pages.criteria import check_complete
from tasktypes.pages.elicitation import Elicitation
from tasktypes.pairwise import schema
from tasktypes.pairwise.example import EXAMPLE
from tasktypes.pairwise.form import PairwiseForm, labels
from tasktypes.pairwise.slots import SLOTS
from tasktypes.plans import Focus, UnitPlan
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source
from tasktypes.texts.surroundings import ShownInParts, as_prompt, shown

_ITEMS: dict[schema.Preferred, int | None] = {"first": 0, "second": 1, "tie": None}


class Pairwise(
    ShownInParts,
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InPairs[schema.Payload, schema.Answer],
    InParts[schema.Payload, schema.Answer],
):
    """Choose the better of two texts."""

    slug = "pairwise"
    title = "Comparison of two"
    elicitation = Elicitation("relative quality estimation (including ranking)", relative=True)
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = PairwiseForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("criteria", "criteria.title", "criteria.question", "ties")
    has_parts = True
    styles = (
        "css/material.css",
        "css/parts.css",
        "css/conversation.css",
        "css/candidates.css",
        "css/option.css",
        "pairwise/form.css",
    )

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return tuple(label_facet(criterion.key, criterion.name) for criterion in options.criteria)

    def plan(
        self, source: Source, items: Sequence[Item], options: schema.Options, *, seed: int
    ) -> Iterator[UnitPlan]:
        """One unit per pair of a source's items, its sides drawn by seed; one pair, drawn
        likewise, is the sample."""
        pairs = list(combinations(range(len(items)), 2))
        sample = min(
            pairs, key=lambda pair: lot(seed, *(items[at].key for at in pair)), default=None
        )
        for pair in pairs:
            first, second = (items[position] for position in pair)
            yield UnitPlan(
                items=(first, second),
                suffix="-".join(map(str, pair)) if len(pairs) > 1 else "",
                subsets=("full", "sample") if pair == sample else ("full",),
                focus={"order": list(drawn((first, second), seed=seed))},
            )

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `order`, [1, 0] where the sides are swapped; else drawn by the block's seed."""
        if len(items) != 2:
            raise ValueError(f"items: a comparison needs two, not {len(items)}")
        return schema.Payload(
            **shown(source, options.shows, items),
            criteria=options.criteria,
            ties=options.ties,
            candidates=candidates(items, focus, seed=options.seed),
        )

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        """Per criterion the item preferred, on whichever side it was shown, or `tie`."""
        return tuple(
            RatingValue(
                facet=key,
                value=answer.preferred[key],
                value_item=_ITEMS[answer.preferred[key]],
            )
            for key in payload.keys
        )

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        check_complete("preferred", answer.preferred, payload.keys)
        for key, preferred in answer.preferred.items():
            if preferred == "tie" and not payload.ties:
                raise ValueError(f"preferred.{key}: a tie is no answer to this question")

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        words = labels(payload)
        return [
            Compared(key, "right")
            if answer.preferred[key] == right
            else Compared(key, "wrong", right=words[payload.letter_of(right)])
            for key, right in ((key, reference.preferred[key]) for key in payload.keys)
        ]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        words = labels(payload)
        chosen = [words[payload.letter_of(answer.preferred[key])] for key in payload.keys]
        if len(chosen) == 1:
            return chosen[0]
        names = [criterion.name for criterion in payload.criteria]
        return listed(f"{name}: {text}" for name, text in zip(names, chosen, strict=True))

    @property
    def reply_schema(self) -> type[Schema]:
        return schema.Reply

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        preferred = {
            key: together(
                [answer.preferred[key] for answer in answers],
                kind="label",
                how=how,
                where=f"preferred.{key}",
            )
            for key in payload.keys
        }
        return schema.Answer(preferred=preferred)

    def parse_reply(self, payload: schema.Payload, reply: str) -> schema.Answer:
        letters = object_in(reply, schema.Reply).preferred
        preferred = {key: _behind(payload, letter) for key, letter in letters.items()}
        return checked(schema.Answer(preferred=preferred), self, payload)

    def written_reply(self, payload: schema.Payload, answer: schema.Answer) -> str:
        sides = {payload.shown_as(letter): letter for letter in LETTERS}
        preferred = {key: sides.get(answer.preferred[key], "tie") for key in payload.keys}
        return schema.Reply.model_validate({"preferred": preferred}).model_dump_json()

    def pairings(self, payload: schema.Payload) -> tuple[Pairing, ...]:
        first, second = payload.candidates
        document = against(payload.document, [passage.text for passage in payload.passages])
        return tuple(
            Pairing(
                criterion=criterion.key,
                question=criterion.question,
                definition=criterion.definition,
                material=as_prompt(payload),
                document=document,
                a=first.text,
                b=second.text,
            )
            for criterion in payload.criteria
        )

    def from_choices(self, payload: schema.Payload, choices: Sequence[Letter]) -> schema.Answer:
        preferred = zip(payload.keys, map(payload.shown_as, choices), strict=True)
        return schema.Answer(preferred=dict(preferred))

    def parts(self, payload: schema.Payload) -> tuple[Part, ...]:
        """Per criterion whether the first text, as stored, is better than the second."""
        first, second = (shown.text for shown in sorted(payload.candidates, key=_position))
        source = against(payload.document, [passage.text for passage in payload.passages])
        options = ("first", "second", *(("tie",) if payload.ties else ()))
        return tuple(
            Part(key, first, source or as_prompt(payload), options, rivals=(second,))
            for key in payload.keys
        )

    def to_parts(self, payload: schema.Payload, answer: schema.Answer) -> list[Value]:
        return [answer.preferred[key] for key in payload.keys]

    def from_parts(self, payload: schema.Payload, values: Sequence[Value]) -> schema.Answer:
        preferred = dict(zip(payload.keys, values, strict=True))
        return schema.Answer.model_validate({"preferred": preferred})


def _position(shown: Candidate) -> int:
    return shown.item


def _behind(payload: schema.Payload, choice: str) -> schema.Preferred:
    return "tie" if choice == "tie" else payload.shown_as(choice)


PAIRWISE = Pairwise()
