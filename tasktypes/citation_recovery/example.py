"""A worked question: what the contract test and the docs show of citation recovery."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Passage, Sentence, Source

EXAMPLE = Example(
    options={},
    source=Source(
        key="library",
        claim="The town of Fernhollow has closed its only library.",
        verdict="false",
        passages=(
            Passage(index=0, text="Fernhollow has 8,200 inhabitants."),
            Passage(
                index=1,
                text="The reading room shut on 3 May while its roof is repaired.",
                selected=True,
            ),
            Passage(
                index=2,
                text="Until the roof is done, books are lent in the old school next door.",
                selected=True,
            ),
        ),
    ),
    items=(
        Item(
            key="library/larch",
            system="Larch",
            sentences=(
                Sentence(text="The claim is false."),
                Sentence(
                    text="Only the reading room is shut, for repairs to its roof [1].",
                    citations=(1,),
                ),
                Sentence(
                    text="Lending goes on next door [2], and the room will open again [1][2].",
                    citations=(2, 1),
                ),
            ),
        ),
    ),
    focus={"passage": 1},
    answer={"sentences": [1, 2]},
    posted={"sentences": ["1", "2"]},
    reply='```json\n{"sentences": [2, 1]}\n```',
    garbled="I would cite the passage in sentences 1 and 2.",
)
