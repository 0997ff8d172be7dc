"""A worked question: what the contract test and the docs show of a ranking."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Sentence, Source

EXAMPLE = Example(
    options={
        "criteria": [
            {
                "key": "coverage",
                "question": "Which explanation covers the most of what matters?",
                "definition": "Nothing that is important to the check of the claim is missing.",
                "example": "An explanation that gives the price but not the year lacks coverage.",
            },
            {"key": "overall", "question": "Which explanation is the best overall?"},
        ],
        "verdicts": {
            "true": "The evidence bears the claim out.",
            "false": "The evidence contradicts the claim.",
        },
    },
    source=Source(
        key="tram",
        claim="The night tram to Ellersby was stopped because nobody used it.",
        verdict="false",
    ),
    items=(
        Item(
            key="tram/larch",
            system="Larch",
            sentences=(Sentence(text="About 300 people a night used the tram."),),
        ),
        Item(
            key="tram/maple",
            system="Maple",
            sentences=(
                Sentence(text="About 300 people a night used the tram."),
                Sentence(text="It was stopped because the bridge on its way is being rebuilt."),
            ),
        ),
        Item(
            key="tram/rowan",
            system="Rowan",
            sentences=(Sentence(text="The claim is false; the tram was in use."),),
        ),
    ),
    focus={"order": [2, 1, 0]},
    answer={"ranks": {"coverage": [2, 1, 2], "overall": [2, 1, 3]}},
    # Shown as A: Rowan, B: Maple, C: Larch.
    posted={
        "rank-coverage-A": ["2"],
        "rank-coverage-B": ["1"],
        "rank-coverage-C": ["2"],
        "rank-overall-A": ["3"],
        "rank-overall-B": ["1"],
        "rank-overall-C": ["2"],
    },
    reply=(
        '{"ranks": {"coverage": {"A": 2, "B": 1, "C": 2}, "overall": {"A": 3, "B": 1, "C": 2}}}'
    ),
    garbled="Maple, then the other two.",
)
