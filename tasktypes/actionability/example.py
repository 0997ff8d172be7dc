"""A worked question: what the contract test and the docs show of actionability."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Passage, Sentence, Source

EXAMPLE = Example(
    options={},
    source=Source(
        key="orchard",
        claim="The town felled all forty apple trees of the old orchard last winter.",
        verdict="false",
        passages=(
            Passage(
                index=0,
                text="Six of the orchard's forty trees were felled in January after a storm.",
                selected=True,
            ),
            Passage(index=1, text="The orchard belongs to the parish, not to the town."),
        ),
    ),
    items=(
        Item(
            key="orchard/larch",
            system="Larch",
            sentences=(
                Sentence(text="The claim is false: most of the orchard still stands."),
                Sentence(text="Only six trees were felled, all of them damaged by a storm."),
                Sentence(text="The list is at https://orchard.example/felled."),
            ),
        ),
    ),
    focus={
        "errors": [
            {
                "sentence": "All forty trees were felled.",
                "reason": "Thirty-four of the forty trees still stand.",
                "correction": "Six trees were felled.",
            },
            {
                "sentence": "The town felled the trees.",
                "reason": "The orchard is not the town's.",
                "correction": "The parish felled the trees.",
            },
        ]
    },
    answer={
        "errors": [
            {"error": 0, "points_out": True, "corrects": True},
            {"error": 1, "points_out": False, "corrects": False},
        ],
        "links": [{"link": 0, "exists": True, "relevant": True, "supports": False}],
    },
    posted={
        "error-0": ["yes"],
        "correction-0": ["yes"],
        "error-1": ["no"],
        "correction-1": ["no"],
        "exists-0": ["yes"],
        "relevant-0": ["yes"],
        "supports-0": ["no"],
    },
    reply=(
        '```json\n{"errors": [{"error": 1, "points_out": false, "corrects": false}, '
        '{"error": 0, "points_out": true, "corrects": true}], '
        '"links": [{"link": 0, "exists": true, "relevant": true, "supports": false}]}\n```'
    ),
    garbled='{"errors": [{"error": 0, "points_out": "partly", "corrects": true}], "links": []}',
)
