"""A worked question: what the contract test and the docs show of a slider."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Passage, Sentence, Source

EXAMPLE = Example(
    options={
        "question": "How clear is this explanation?",
        "low_label": "Unclear",
        "high_label": "Clear",
        "facet": "clarity",
    },
    source=Source(
        key="ferry",
        claim="The ferry to Gull Island no longer takes bicycles.",
        verdict="half-true",
        passages=(
            Passage(
                index=0,
                text="From June to August, bicycles travel on the first and the last ferry only.",
                selected=True,
            ),
            Passage(index=1, text="The crossing takes 25 minutes."),
        ),
    ),
    items=(
        Item(
            key="ferry/larch",
            system="Larch",
            sentences=(
                Sentence(text="There is some truth in the claim."),
                Sentence(
                    text="In summer, only two ferries a day take bicycles [0].", citations=(0,)
                ),
            ),
        ),
    ),
    focus={},
    answer={"value": 62.5},
    posted={"value": ["62.5"]},
    reply='My rating: {"value": 62.5}',
    garbled='{"value": "quite clear"}',
)
