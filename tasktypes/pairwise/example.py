"""A worked question: what the contract test and the docs show of a comparison."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Sentence, Source

EXAMPLE = Example(
    options={
        "criteria": [
            {
                "key": "preference",
                "question": "Which text explains the verdict better?",
                "definition": "The better one leaves fewer questions open.",
            },
            {"key": "brevity", "question": "Which text wastes fewer words?"},
        ],
    },
    source=Source(
        key="oddham",
        claim="The quarry lake at Oddham is deeper than the harbour.",
        verdict="true",
    ),
    items=(
        Item(
            key="oddham/larch",
            system="Larch",
            sentences=(Sentence(text="The lake is 31 metres deep, the harbour 12."),),
        ),
        Item(
            key="oddham/maple",
            system="Maple",
            sentences=(
                Sentence(text="Both are deep."),
                Sentence(text="The claim can be called true with good reason."),
            ),
        ),
    ),
    focus={"order": [1, 0]},
    answer={"preferred": {"preference": "first", "brevity": "tie"}},
    posted={"preferred-preference": ["B"], "preferred-brevity": ["tie"]},
    reply='```json\n{"preferred": {"preference": "B", "brevity": "tie"}}\n```',
    garbled="B explains it better.",
)
