"""Studies whose texts are still to be written, and a server whose models write them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.models import Study
from tests.imports.preparation.studies import ROUND
from tests.imports.small_files import import_lines
from tests.judges.endpoints import MODEL

CHOSEN = json.dumps(["default", MODEL])
FORM = {
    "kind": "explanation",
    "model-0": CHOSEN,
    "system-0": "Larch",
    "option-evidence": "human",
    "option-reply": "json",
    "option-citations": "required",
}
PASSAGES = [
    {"index": i, "text": t, "selected": True} for i, t in enumerate(["It flooded.", "Dry."])
]
ERRORS = {
    "subclaims": ["It burnt."],
    "errors": [{"sentence": "It burnt.", "reason": "It flooded.", "correction": "A flood."}],
}


def claims(folder: Path, *, n: int = 3, **study: Any) -> Study:
    """Claims with selected passages, and no text about any."""
    opening = {"title": "Mills", "blocks": [{"task_type": "actionability"}], "rounds": [ROUND]}
    sources = [
        {"key": f"mill-{i}", "claim": f"Mill {i} burnt.", "verdict": "false", "passages": PASSAGES}
        for i in range(n)
    ]
    made = import_lines(
        folder, [{"study": opening | study}, *({"source": s, "items": []} for s in sources)]
    )
    made.state = Study.State.DRAFT
    made.save(update_fields=["state"])
    return made


def writes(asked: Mapping[str, Any]) -> str:
    """An explanation, but of mill 1 nothing; or the errors of a claim."""
    prompt = asked["messages"][-1]["content"]
    if "response_format" in asked:
        return json.dumps(ERRORS)
    return "" if "Mill 1 burnt" in prompt else "It is false: it flooded [0]. It was dry before [1]."
