"""A judge with examples and a prompt that nobody outside its study may see."""

from pathlib import Path
from typing import Any

from annotation.models import Study
from judges.definitions.versions import define_judge
from judges.models import Judge
from tests.judges.scripted_judges import replies_for, write_lines

NAME, SECRET, SHOWN = "sesame", "An unpublished prompt: $claim", "claim-0/alder/1"
EXAMPLE = {"unit": SHOWN, "block": "citation_recovery"}


def hidden_judge(study: Study, folder: Path, **parameters: Any) -> Judge:
    """A judge of the study, with a frozen example of one of its units."""
    file = write_lines(folder / f"{study.slug}.jsonl", replies_for(study))
    return define_judge(
        study=study,
        name=NAME,
        method="zero_shot",
        backend="scripted",
        model="none",
        parameters={
            "replies": str(file), "template": SECRET, "examples": [EXAMPLE], **parameters
        },
    )  # fmt: skip
