"""What a new study begins with where its researcher has written nothing yet."""

from functools import lru_cache
from pathlib import Path
from typing import Any

# Of the facts that the consent page names, those that most studies share.
ETHICS: dict[str, Any] = {"lawful_basis": "Consent", "retention_days": 365, "minimum_age": 18}


@lru_cache(maxsize=8)
def default_text(name: str) -> str:
    """A text to begin with, in Markdown: `consent` or `debrief`."""
    return (Path(__file__).parent / "texts" / f"{name}.md").read_text(encoding="utf-8").strip()
