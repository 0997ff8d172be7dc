"""Ranking: several texts about one source put in order by one or more criteria, ties allowed."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext_lazy

from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue
from tasktypes.machines.parts import InParts, Part, others
from tasktypes.machines.replies import checked, object_in
from tasktypes.machines.scores import against
from tasktypes.machines.votes import placed
from tasktypes.pages.candidates import candidates, drawn
from tasktypes.pages.comparison import Compared, listed
from tasktypes.pages.criteria import check_complete
from tasktypes.pages.elicitation import Elicitation
from tasktypes.pages.sheets import InSheets, Table
from tasktypes.plans import Focus, UnitPlan
from tasktypes.ranking import schema, sheet
from tasktypes.ranking.comparison import compared_ranks, in_order
from tasktypes.ranking.example import EXAMPLE
from tasktypes.ranking.form import RankingForm
from tasktypes.ranking.ranks import competition
from tasktypes.ranking.reading import answer_of, letters_of
from tasktypes.ranking.slots import SLOTS
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item, Source
from tasktypes.texts.surroundings import ShownInParts, as_prompt, shown

# The lowest rank that facets promise: a study's candidates are not known to its options.
_MOST_CANDIDATES = 26


class Ranking(
    ShownInParts,
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InSheets[schema.Payload, schema.Answer],
    InParts[schema.Payload, schema.Answer],
):
    """Give every candidate a rank, by every criterion."""

    slug = "ranking"
    title = "Ranking"
    elicitation = Elicitation(
        "relative quality estimation (including ranking)",
        "N/A",
        relative=True,
        task="People rank several texts of one source; the rank of each is recorded.",
    )
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = RankingForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("criteria", "criteria.title", "criteria.question")
    keys = (
        ("A–Z", gettext_lazy("rank the texts, the best first")),
        ("=", gettext_lazy("give the next text the same rank")),
    )
    has_parts = True
    scripts = ("ranking/form.js",)
    styles = (
        "css/material.css",
        "css/parts.css",
        "css/conversation.css",
        "css/candidates.css",
        "ranking/form.css",
    )

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return tuple(
            Facet(
                name=criterion.key,
                title=criterion.name,
                kind="number",
                distance="ordinal",
                low=1,
                high=_MOST_CANDIDATES,
                ranks=True,
            )
            for criterion in options.criteria
        )

    def plan(
        self, source: Source, items: Sequence[Item], options: schema.Options, *, seed: int
    ) -> Iterator[UnitPlan]:
        """One unit of all items of a source, in an order drawn by seed; none for a single item."""
        if len(items) > 1:
            order = list(drawn(items, seed=seed))
            yield UnitPlan(
                items=tuple(items), suffix="", subsets=("full", "sample"), focus={"order": order}
            )

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `order`, in which the items are shown; else it is drawn by the block's seed."""
        if len(items) < 2:
            raise ValueError(f"items: a ranking needs two or more, not {len(items)}")
        return schema.Payload(
            **shown(source, options.shows, items),
            criteria=options.criteria,
            verdicts=options.verdicts,
            numbering=options.numbering,
            candidates=candidates(items, focus, seed=options.seed),
        )

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        """A rank per criterion and item; the element is the item, wherever it was shown."""
        return tuple(
            RatingValue(facet=key, value=float(rank), element=str(item), element_item=item)
            for key in payload.keys
            for item, rank in enumerate(_numbered(payload, answer.ranks[key]))
        )

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        check_complete("ranks", answer.ranks, payload.keys)
        size = len(payload.candidates)
        for key, ranks in answer.ranks.items():
            if len(ranks) != size:
                raise ValueError(f"ranks.{key}: {len(ranks)} ranks for {size} texts")
            for rank in ranks:
                if not 1 <= rank <= size:
                    raise ValueError(f"ranks.{key}: {rank} is not a rank from 1 to {size}")

    def is_right(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> bool:
        """The same order by every criterion, however its ties were numbered."""
        return all(
            competition(answer.ranks[key]) == competition(reference.ranks[key])
            for key in payload.keys
        )

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """Every rank, and which texts changed places."""
        return [
            part
            for key in payload.keys
            for part in compared_ranks(payload, key, answer.ranks[key], reference.ranks[key])
        ]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        """The letters shown, the best first."""
        orders = [in_order(payload, answer.ranks[key]) for key in payload.keys]
        if len(orders) == 1:
            return orders[0]
        names = [criterion.name for criterion in payload.criteria]
        return listed(f"{name}: {order}" for name, order in zip(names, orders, strict=True))

    @property
    def reply_schema(self) -> type[Schema]:
        return schema.Reply

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        """By the mean of the ranks, whatever rule is asked for: equal means share a rank."""
        return schema.Answer(
            ranks={key: placed([answer.ranks[key] for answer in answers]) for key in payload.keys}
        )

    def parse_reply(self, payload: schema.Payload, reply: str) -> schema.Answer:
        return checked(answer_of(object_in(reply, schema.Reply), payload), self, payload)

    def written_reply(self, payload: schema.Payload, answer: schema.Answer) -> str:
        return letters_of(answer, payload).model_dump_json()

    def sheet(self, payload: schema.Payload) -> tuple[Table, ...]:
        return sheet.tables(payload)

    def from_sheet(self, payload: schema.Payload, cells: Mapping[str, str]) -> schema.Answer:
        return sheet.answer_of(payload, cells)

    def parts(self, payload: schema.Payload) -> tuple[Part, ...]:
        """Per criterion the place of every text, in the order shown."""
        texts = [candidate.text for candidate in payload.candidates]
        source = against(payload.document, [passage.text for passage in payload.passages])
        return tuple(
            Part(
                key,
                text,
                source or as_prompt(payload),
                low=1,
                high=len(texts),
                rivals=others(texts, at),
                place=at,
            )
            for key in payload.keys
            for at, text in enumerate(texts)
        )

    def to_parts(self, payload: schema.Payload, answer: schema.Answer) -> list[float]:
        shown = [candidate.item for candidate in payload.candidates]
        ranks = {key: competition(answer.ranks[key]) for key in payload.keys}
        return [float(ranks[key][item]) for key in payload.keys for item in shown]

    def from_parts(self, payload: schema.Payload, values: Sequence[float | str]) -> schema.Answer:
        """Equal numbers share a rank."""
        places = iter(map(float, values))
        ranks = {}
        for key in payload.keys:
            of_item = {candidate.item: next(places) for candidate in payload.candidates}
            ranks[key] = placed([[of_item[item] for item in range(len(of_item))]])
        return schema.Answer(ranks=ranks)


def _numbered(payload: schema.Payload, ranks: Sequence[int]) -> Sequence[int]:
    return competition(ranks) if payload.numbering == "competition" else ranks


RANKING = Ranking()
