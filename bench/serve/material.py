"""Made-up questions of the size that real ones have: the same texts for every server."""

import random
from typing import Any

PASSAGES, SENTENCES = 6, 8
CHOICES = SENTENCES  # an answer is a set of sentence numbers
TEXT = """
the town council harbour said bridge river winter report closed opened year library price water
station rose fell twice by in of on for and that was were street market ferry school a figures
show no change since residents pay plan vote committee budget line
"""
WORDS = TEXT.split()


def record(number: int) -> dict[str, Any]:
    """A source, an explanation of it and a question, as a line of `import_study jsonl`."""
    rng = random.Random(number)
    focus = rng.randrange(PASSAGES)
    cited = [rng.randrange(PASSAGES) for _ in range(SENTENCES)]
    sentences = [
        {"text": f"{_words(rng, 22)} [{passage}].", "citations": [passage]} for passage in cited
    ]
    passages = [
        {"index": index, "text": f"{_words(rng, 70)}.", "selected": True}
        for index in range(PASSAGES)
    ]
    key = f"claim-{number}"
    return {
        "source": {
            "key": key,
            "claim": f"{_words(rng, 14)}.",
            "verdict": "false",
            "passages": passages,
            "chains": [],
        },
        "items": [{"key": f"{key}/alder", "system": "Alder", "sentences": sentences}],
        "unit": {
            "key": f"{key}/alder/{focus}",
            "role": "normal",
            "subsets": ["full"],
            "focus": {"passage": focus},
        },
    }


def text(number: int) -> str:
    """The same question as running text, for servers that show nothing else."""
    made = record(number)
    source = made["source"]
    passages = [f"[{passage['index']}] {passage['text']}" for passage in source["passages"]]
    sentences = [sentence["text"] for sentence in made["items"][0]["sentences"]]
    return "\n".join([source["claim"], *passages, *sentences])


def answer(rng: random.Random) -> list[str]:
    """One to three sentence numbers, as a form posts them."""
    chosen = rng.sample(range(CHOICES), rng.choice((1, 1, 2, 3)))
    return [str(number) for number in sorted(chosen)]


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(WORDS, k=count)).capitalize()
