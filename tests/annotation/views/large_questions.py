"""Questions of the largest real size: a response with its 33 claims."""

import gzip
import json
from pathlib import Path
from typing import Any

from annotation.models import Question, Study
from tasktypes.importance import IMPORTANCE
from tasktypes.texts.material import Item, Nugget, Passage, Sentence, Source
from tests.cast import make_study

FACTS = ("It names a country.", "It says why it is called so.", "It gives a source.")


def real_response(folder: Path, claims: int) -> dict[str, Any]:
    """The first of VITAL's responses with so many claims: its query, text and claims."""
    path = folder / "vitalerrors-nq" / "human-eval_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            texts = [claim["text"] for part in row["decomposition"] for claim in part["decomp"]]
            if len(texts) == claims:
                return {"query": row["query"], "text": row["response"]["text"], "claims": texts}
    raise LookupError(f"no response with {claims} claims")


def made_up_response(claims: int) -> dict[str, Any]:
    """The same size, of made-up texts."""
    texts = [
        f"The mill on the river lost its {number}. wheel in the flood." for number in range(claims)
    ]
    return {"query": "What did the flood do?", "text": " ".join(texts), "claims": texts}


def importance_study(response: dict[str, Any], **options: Any) -> Study:
    """A study with one such question, with three facts and something to hold the claims against."""
    text = response["text"]
    source = Source(
        key="response",
        query=response["query"],
        passages=(Passage(index=0, text=text),),
        nuggets=tuple(Nugget(text=fact, vital=True) for fact in FACTS),
    )
    item = Item(key="response", system="a", sentences=(Sentence(text=text),))
    typed = IMPORTANCE.Options.model_validate(options)
    payload = IMPORTANCE.payload(source, (item,), {"claims": response["claims"]}, typed)
    study = make_study(sources=2, per_batch=1, blocks=[("citation_recovery", {})])
    study.blocks.update(task_type_slug=IMPORTANCE.slug, options=typed.model_dump(mode="json"))
    Question.objects.filter(study=study).update(
        payload=payload.model_dump(mode="json"), reference=None
    )
    return study
