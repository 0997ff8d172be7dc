"""A worked question: what the contract test and the docs show of importance."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Nugget, Passage, Sentence, Source

EXAMPLE = Example(
    options={},
    source=Source(
        key="lighthouse",
        query="When was the lighthouse on Gull Island built, and by whom?",
        passages=(
            Passage(index=0, text="The harbour guild of Marrowick built the lighthouse in 1871."),
            Passage(index=1, text="Its lamp was replaced by an electric one in 1934."),
        ),
        nuggets=(
            Nugget(text="It was built in 1871.", vital=True),
            Nugget(text="The harbour guild of Marrowick built it.", vital=True),
        ),
    ),
    items=(
        Item(
            key="lighthouse/larch",
            system="Larch",
            sentences=(
                Sentence(text="The lighthouse, which got electric light in 1934, dates from 1871."),
                Sentence(text="It was built by the navy."),
            ),
        ),
    ),
    focus={
        "claims": [
            "The lighthouse got electric light in 1934.",
            "The lighthouse was built in 1871.",
            "The navy built the lighthouse.",
        ]
    },
    answer={
        "claims": [
            {"claim": 0, "importance": "less-important", "support": "supported"},
            {"claim": 1, "importance": "vital", "support": "supported"},
            {"claim": 2, "importance": "vital", "support": "unsupported"},
        ],
        "order": [1, 2, 0],
        "nuggets": [
            {"nugget": 0, "support": "supported"},
            {"nugget": 1, "support": "not"},
        ],
    },
    posted={
        "importance-0": ["less-important"],
        "importance-1": ["vital"],
        "importance-2": ["vital"],
        "support-0": ["supported"],
        "support-1": ["supported"],
        "support-2": ["unsupported"],
        "order-0": ["3"],
        "order-1": ["1"],
        "order-2": ["2"],
        "nugget-0": ["supported"],
        "nugget-1": ["not"],
    },
    reply=(
        '```json\n{"claims": ['
        '{"claim": 0, "importance": "less-important", "support": "supported"}, '
        '{"claim": 2, "importance": "vital", "support": "unsupported"}, '
        '{"claim": 1, "importance": "vital", "support": "supported"}], "order": [1, 2, 0], '
        '"nuggets": [{"nugget": 0, "support": "supported"}, {"nugget": 1, "support": "not"}]}\n```'
    ),
    garbled=(
        '{"claims": [{"claim": 0, "importance": "central", "support": "supported"}], '
        '"order": [0], "nuggets": []}'
    ),
)
