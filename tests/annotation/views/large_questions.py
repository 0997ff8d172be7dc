"""Questions of the largest real size, one of each kind: of published texts, and of texts made up
that are as long."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from annotation.models import Study
from tasktypes.actionability import ACTIONABILITY
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tasktypes.slider import SLIDER
from tasktypes.texts.material import Item, Nugget, Passage, Sentence, Source
from tests.annotation.views.worker_pages import study_asking

FACTS = ("It names a country.", "It says why it is called so.", "It gives a source.")
LINKS = ("https://www.example.org/archive/2020/08/the-mill-on-the-river", "https://mill.example/")
WHICH = {"clear": "Which text is clearer?", "whole": "Which text leaves less open?"}
CRITERIA = [{"key": key, "question": question} for key, question in WHICH.items()]
RANKED = [*CRITERIA, {"key": "best", "question": "Which text is the best overall?"}]
SUPPORTED = {
    "key": "supported",
    "question": "Is the sentence supported by the article?",
    "distance": "nominal",
    "points": [{"value": "yes", "label": "yes"}, {"value": "no", "label": "no"}],
}
RATED = [
    {"key": "clear", "question": "How clearly is it written?", "low": 1, "high": 5},
    {"key": "true", "question": "How well does it agree with the article?", "low": 1, "high": 5},
]


@dataclass(frozen=True)
class Asked:
    """A question of some kind, by what it is made from."""

    name: str
    kind: TaskType[Any, Any, Any]
    source: Source
    items: Sequence[Item]
    options: Mapping[str, Any] = field(default_factory=dict)
    focus: Mapping[str, Any] = field(default_factory=dict)

    def study(self, **fields: Any) -> Study:
        """A study that asks nothing else."""
        typed = self.kind.Options.model_validate(self.options)
        payload = self.kind.payload(self.source, self.items, dict(self.focus), typed)
        options = typed.model_dump(mode="json")
        return study_asking(self.kind, payload, options, slug=self.name, **fields)


# --- What texts there are -------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """What the questions of all kinds are made from."""

    checked: Source
    """A claim with a verdict and passages of evidence."""
    explanations: Sequence[Sequence[str]]
    """Of that claim first; four, each in sentences."""
    passage: int
    article: str
    summary: Sequence[str]
    response: Mapping[str, Any]
    """A `query`, its `text`, and its `claims`."""


def read_lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def real_responses(folder: Path) -> list[dict[str, Any]]:
    """VITAL's responses, those with the most claims first: each with its query, text and claims."""
    rows = read_lines(folder / "vitalerrors-nq" / "human-eval_normal.jsonl.gz")
    responses = [
        {
            "query": row["query"],
            "text": row["response"]["text"],
            "claims": [claim["text"] for part in row["decomposition"] for claim in part["decomp"]],
        }
        for row in rows
    ]
    return sorted(responses, key=lambda one: -len(one["claims"]))


def real_texts(folder: Path, share: float = 0) -> Texts:
    """Published texts: the largest of each kind, or those after such a share of them."""
    with gzip.open(folder / "transparent-fcexp" / "gpt4_full_data.json.gz", "rt") as file:
        checked = json.load(file).values()
    claims = sorted(checked, key=lambda one: -one["passage"].count("\n"))
    judged = list(read_lines(folder / "qags-cnndm" / "mturk_cnndm.jsonl.gz"))
    judged.sort(key=lambda row: -len(row["article"]))
    responses = real_responses(folder)
    at = int(share * len(claims))
    one, article = claims[at], judged[int(share * len(judged))]
    chosen = set(one["chain"][1])
    passages = [text.partition(": ")[2] for text in one["passage"].split("\n")]
    return Texts(
        checked=Source(
            key="claim",
            claim=one["claim"],
            verdict=one["label"],
            passages=tuple(
                Passage(index=index, text=text or "–", selected=index in chosen)
                for index, text in enumerate(passages)
            ),
        ),
        explanations=[each["explanation"]["gpt4"] for each in claims[at : at + 4]],
        passage=max(one["masked_cit"]["gpt4"], 0),
        article=article["article"],
        summary=[part["sentence"] for part in article["summary_sentences"]],
        response=responses[int(share * len(responses))],
    )


def prose(length: int, start: int = 0) -> str:
    """So many letters of words that mean little."""
    words = [
        "the",
        "mill",
        "on",
        "the",
        "river",
        "lost",
        "its",
        "wheel",
        "in",
        "the",
        "great",
        "flood",
        "and",
        "stood",
        "empty",
        "since",
    ]
    text = " ".join(islice(cycle(words), start, start + length // 3))[: length - 1]
    return f"{text.strip().capitalize()}."


def made_up_response(claims: int) -> dict[str, Any]:
    """As large as one of VITAL's, of made-up texts."""
    texts = [
        f"The mill on the river lost its {number}. wheel in the flood." for number in range(claims)
    ]
    return {"query": "What did the flood do?", "text": " ".join(texts), "claims": texts}


def made_up_texts() -> Texts:
    """As large as the published ones, of made-up texts."""
    return Texts(
        checked=Source(
            key="claim",
            claim=prose(230),
            verdict="half-true",
            passages=tuple(
                Passage(index=index, text=prose(140, index), selected=index % 9 == 0)
                for index in range(78)
            ),
        ),
        explanations=[[f"{prose(150, start + n)}[{n}]" for n in range(8)] for start in range(4)],
        passage=55,
        article=prose(4000),
        summary=[prose(90, start) for start in range(4)],
        response=made_up_response(33),
    )


# --- The questions --------------------------------------------------------------------------------


def importance_of(response: Mapping[str, Any], **options: Any) -> Asked:
    """With three facts, and something to hold the claims against."""
    text = response["text"]
    source = Source(
        key="response",
        query=response["query"],
        passages=(Passage(index=0, text=text),),
        nuggets=tuple(Nugget(text=fact, vital=True) for fact in FACTS),
    )
    item = Item(key="response", system="a", sentences=(Sentence(text=text),))
    focus = {"claims": response["claims"]}
    return Asked("importance", IMPORTANCE, source, (item,), options, focus)


def importance_study(response: Mapping[str, Any], **options: Any) -> Study:
    """A study with one such question."""
    return importance_of(response, **options).study()


def _items(texts: Texts) -> list[Item]:
    return [
        Item(key=key, system=key, sentences=tuple(Sentence(text=text) for text in sentences))
        for key, sentences in zip("abcd", texts.explanations, strict=True)
    ]


def _errors(texts: Texts) -> list[dict[str, str]]:
    reasons = texts.explanations[0][1:3]
    claim = texts.checked.claim or ""
    return [{"sentence": claim, "reason": one, "correction": one} for one in reasons]


def questions(texts: Texts) -> list[Asked]:
    """One of every kind, and a likert question with scales of its own for the whole text."""
    checked, items = texts.checked, _items(texts)
    article = Source(key="article", document=texts.article)
    summary = Item(
        key="summary", system="a", sentences=tuple(Sentence(text=one) for one in texts.summary)
    )
    sentences = {"per_sentence": True, "criteria": [SUPPORTED]}
    rubric = {"errors": _errors(texts), "links": LINKS}
    asked = {"question": "How clear is this explanation?"}
    return [
        Asked("citation", CITATION_RECOVERY, checked, items[:1], {}, {"passage": texts.passage}),
        Asked("slider", SLIDER, checked, items[:1], asked),
        Asked("sentences", LIKERT, article, (summary,), sentences),
        Asked("scales", LIKERT, article, (summary,), {"criteria": RATED}),
        Asked("pairwise", PAIRWISE, checked, items[:2], {"criteria": CRITERIA}),
        Asked("ranking", RANKING, checked, items, {"criteria": RANKED}),
        Asked("actionability", ACTIONABILITY, checked, items[:1], {}, rubric),
        importance_of(texts.response),
    ]
