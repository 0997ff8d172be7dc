"""A worked question: what the contract test and the docs show of Likert criteria."""

from tasktypes.contract import Example
from tasktypes.texts.material import Item, Sentence, Source

EXAMPLE = Example(
    options={
        "criteria": [
            {
                "key": "label_from_text",
                "title": "Verdict",
                "question": "Going by the explanation alone, what is the verdict on the claim?",
                "distance": "nominal",
                "points": [
                    {
                        "value": "supported",
                        "label": "Supported",
                        "definition": "The explanation says that the claim is right.",
                    },
                    {
                        "value": "refuted",
                        "label": "Refuted",
                        "definition": "The explanation says that the claim is wrong.",
                    },
                ],
            },
            {
                "key": "clarity",
                "question": "How clearly is it written?",
                "definition": "A clear text can be followed at the first reading.",
                "low": 1,
                "high": 4,
                "low_label": "Hard to follow",
                "high_label": "Very clear",
                "tolerance": 1,
            },
        ],
        "shows": ["claim"],
    },
    source=Source(
        key="well",
        claim="The old well on Tanner Square has run dry.",
        verdict="false",
    ),
    items=(
        Item(
            key="well/larch",
            system="Larch",
            sentences=(
                Sentence(text="The well still gives forty litres a minute."),
                Sentence(text="Its pump was switched off for the winter."),
            ),
        ),
    ),
    focus={},
    answer={"scores": {"label_from_text": "refuted", "clarity": 3.0}},
    posted={"score-label_from_text": ["refuted"], "score-clarity": ["3"]},
    reply='```json\n{"scores": {"label_from_text": "refuted", "clarity": 3}}\n```',
    garbled='{"scores": {"label_from_text": "Refuted!", "clarity": 3}}',
)
